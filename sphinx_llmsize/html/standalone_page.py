"""Complete HTML page in one file, which loads no others; only interactive pages have a script."""

from __future__ import annotations

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.interactive_page import embedded_script
from sphinx_llmsize.html.markup import join
from sphinx_llmsize.html.stylesheet import stylesheet
from sphinx_llmsize.interactive.source_syntax import command
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.templating import render
from sphinx_llmsize.translation import language_code

PAGE_TEMPLATE = f"{FOLDER}/page.html.jinja"
"""Template of the page."""


def page(title: str, document: Document, *, heading: str = "", level: int = 1) -> str:
    """A page with a document.

    Args:
        title: title of the page.
        document: the blocks.
        heading: text of a heading above them; empty for none.
        level: level of that heading, 1 to 6.
    """
    content = fragment(document, title=heading, level=level, host=command)
    html = render(
        PAGE_TEMPLATE,
        title=title,
        language=language_code(),
        stylesheet=stylesheet(),
        fragment=join((content, embedded_script((document,))), "\n"),
    )
    return html.rstrip()
