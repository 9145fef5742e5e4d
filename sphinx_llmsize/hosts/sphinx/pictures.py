"""Pictures by templates: SVG in a page, a file of its own in a book, vectors in LaTeX.

A picture is drawn by the writer, so that doctrees hold data only and each builder draws its
own. A project's template that fails gives a warning at the directive.
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
"""Languages of pictures."""
LATEX_PACKAGE = "pict2e"
PAPER = "#fff"
"""Background of a picture in a file of its own, where its lines are black."""
FILE_ID = "llmsize"
"""Prefix of ids in a file of its own."""
PAGE_ID = "llmsize-of-this-page"
"""Placeholder for the prefix of ids in a page, as many pages share a cached picture."""


def register(app: Sphinx, kind: type[nodes.Element], html: Visitor, latex: Visitor) -> None:
    """Register a node that HTML and LaTeX draw, and text builders describe by its children."""
    described = (pass_through, pass_through)
    app.add_node(
        kind,
        html=(html, pass_through),
        latex=(latex, pass_through),
        text=described,
        man=described,
        texinfo=described,
    )


def template_name(kind: str, language: str) -> str:
    """Name of the template for a kind of picture in one of ``LANGUAGES``."""
    from sphinx_llmsize.templating import FOLDER

    return f"{FOLDER}/{kind}.{language}.jinja"


def drawn(
    translator: Any,
    node: nodes.Element,
    draw: Callable[..., str],
    kind: str,
    language: str,
    **context: Any,
) -> str | None:
    """A picture as text, made by a template; None, after a warning, if the template fails.

    Args:
        translator: the page's translator.
        node: the picture's node, the location of a warning.
        draw: function of the template, its folders, its version, and the context.
        kind: prefix of the names of its templates.
        language: one of ``LANGUAGES``.
        context: further values for the template.
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


def context_of_svg(translator: Any) -> dict[str, str]:
    """Values for templates of SVG: prefix of ids and background."""
    if is_book(translator.builder):
        return {"id": FILE_ID, "ground": PAPER}
    return {"id": PAGE_ID, "ground": ""}


def write_svg(translator: Any, svg: str, alternative: str) -> None:
    """Write a picture into the page; in a book as an image with a description."""
    from sphinx_llmsize.escaping import escape_xml

    builder = translator.builder
    if not is_book(builder):
        translator.body.append(svg)
        return
    name = f"{FILE_ID}-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    _save(os.path.join(builder.outdir, builder.imagedir), name, svg)
    image = f'<img src="{builder.imgpath}/{name}" alt="{escape_xml(alternative)}" />'
    translator.body.append(image)


def write_latex(translator: Any, tex: str) -> None:
    """Write a picture, and load its package, which nothing else needs."""
    packages = translator.builder.context["packages"]
    if all(name != LATEX_PACKAGE for name, _options in packages):
        packages.append((LATEX_PACKAGE, None))
    translator.body.append(tex)


def _save(folder: str, name: str, text: str) -> None:
    """Write a file atomically: other processes may write the same one, as the name is its hash."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(temporary, path)


def _id(docname: str, number: int) -> str:
    """Prefix of ids, unique in the project since singlehtml joins all pages."""
    safe = "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in docname)
    return f"llmsize-{safe}-{number}"
