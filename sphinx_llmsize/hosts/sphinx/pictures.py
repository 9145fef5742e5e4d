"""Pictures where they are written: SVG in a page, a file beside it in a book, vectors in LaTeX.

A picture is drawn when it is written, so that a page holds its figures only and each builder
draws its own. A project's template that does not work is warned about at the directive.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from sphinx_llmsize.hosts.sphinx.nodes import is_book, pass_through

if TYPE_CHECKING:
    from collections.abc import Callable

    from docutils import nodes
    from sphinx.application import Sphinx

    Visitor = Callable[[Any, Any], None]

SVG, LATEX = LANGUAGES = "svg", "tex"
"""What pictures are drawn in."""
LATEX_PACKAGE = "pict2e"
PAPER = "#fff"
"""Behind a picture that stands in a file of its own, since its lines are black there."""
FILE_ID = "llmsize"
"""What ids begin with in a file of its own."""
PAGE_ID = "llmsize-of-this-page"
"""Stands for what ids begin with in a page, until a picture that many pages have is put in one."""


def register(app: Sphinx, kind: type[nodes.Element], html: Visitor, latex: Visitor) -> None:
    """Have a kind of node drawn by the builders that can, and told in words by the others."""
    in_words = (pass_through, pass_through)
    app.add_node(
        kind,
        html=(html, pass_through),
        latex=(latex, pass_through),
        text=in_words,
        man=in_words,
        texinfo=in_words,
    )


def template_name(kind: str, language: str) -> str:
    """The template of a kind of picture in a language that it is drawn in."""
    from sphinx_llmsize.templating import FOLDER

    return f"{FOLDER}/{kind}.{language}.jinja"


def written(
    translator: Any,
    node: nodes.Element,
    draw: Callable[..., str],
    kind: str,
    language: str,
    **context: Any,
) -> str | None:
    """What a template makes of a picture; None, after a warning, if it cannot.

    Args:
        translator: of the page.
        node: where the warning is.
        draw: makes it of the template, where that is looked for, its version, and the context.
        kind: what its templates are called.
        language: which of them is wanted.
        context: what the template is about besides.
    """
    from sphinx_llmsize.errors import ConfigError
    from sphinx_llmsize.hosts.sphinx import project_templates
    from sphinx_llmsize.hosts.sphinx.problems import warn

    template = template_name(kind, language)
    try:
        search_path, version = project_templates.recorded(
            translator.builder.env, node["docname"], template
        )
        made = draw(template=template, search_path=search_path, version=version, **context)
        return made.replace(PAGE_ID, _id(node["docname"], node["number"]))
    except ConfigError as error:
        warn(error, node)
        return None


def of_page(translator: Any) -> dict[str, str]:
    """What the template of a picture in SVG is told of the page."""
    if is_book(translator.builder):
        return {"id": FILE_ID, "ground": PAPER}
    return {"id": PAGE_ID, "ground": ""}


def show_svg(translator: Any, svg: str, alternative: str) -> None:
    """Put a picture where the page is now."""
    from sphinx_llmsize.escaping import escape_xml

    builder = translator.builder
    if not is_book(builder):
        translator.body.append(svg)
        return
    name = f"{FILE_ID}-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    _save(os.path.join(builder.outdir, builder.imagedir), name, svg)
    image = f'<img src="{builder.imgpath}/{name}" alt="{escape_xml(alternative)}" />'
    translator.body.append(image)


def show_latex(translator: Any, tex: str) -> None:
    """Put a picture where the text is now, for which alone its package is loaded."""
    packages = translator.builder.context["packages"]
    if all(name != LATEX_PACKAGE for name, _options in packages):
        packages.append((LATEX_PACKAGE, None))
    translator.body.append(tex)


def _save(folder: str, name: str, text: str) -> None:
    """Write a file whose name tells what is in it, so that another process may too."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    own = f"{path}.{os.getpid()}"
    with open(own, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(own, path)


def _id(docname: str, number: int) -> str:
    """Unique also where all pages are one: two names never give the same."""
    safe = "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in docname)
    return f"llmsize-{safe}-{number}"
