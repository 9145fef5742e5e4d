"""A complete HTML page: one file that loads nothing and runs no script."""

from __future__ import annotations

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.stylesheet import stylesheet
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.templating import render
from sphinx_llmsize.translation import language_code

PAGE_TEMPLATE = f"{FOLDER}/page.html.jinja"


def page(title: str, document: Document) -> str:
    """A page with a document below its title."""
    return render(
        PAGE_TEMPLATE,
        title=title,
        language=language_code(),
        stylesheet=stylesheet(),
        fragment=fragment(document, title=title, level=1),
    ).rstrip()
