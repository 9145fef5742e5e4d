"""The extension: registers its processors, with their order among those of Python-Markdown."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from sphinx_llmsize.hosts.python_markdown.conversion import Conversion
from sphinx_llmsize.hosts.python_markdown.directives import Directives, GetConversion
from sphinx_llmsize.hosts.python_markdown.extension_settings import INLINE, NOWHERE, read_settings
from sphinx_llmsize.hosts.python_markdown.numbers import Numbers
from sphinx_llmsize.hosts.python_markdown.restored_code import RestoreCode
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.html.interactive_page import script_element, styles_element
from sphinx_llmsize.html.markup import element
from sphinx_llmsize.html.stylesheet import style_element

FIRST = 1000
"""Priority before every other preprocessor."""
BEFORE_FENCES = 29
"""Priority after white space is normalized and snippets are included, before superfences (25)."""
BEFORE_HIGHLIGHTING = 35
"""Priority before codehilite and pymdownx.highlight, which have 30."""
BEFORE_CODE_SPANS = 195
"""Priority before code spans, which have 190."""
LAST = -1000
"""Priority after every other treeprocessor or postprocessor.

Placeholders have been replaced by then.
"""


class LlmSizeExtension(Extension):
    """Directives and the role in Markdown."""

    def __init__(self, **settings: Any) -> None:
        """Read the settings.

        Raises:
            ValueError: a setting is unknown, or its value is unusable.
        """
        super().__init__()
        self.settings = read_settings(settings)
        self._conversion: Conversion | None = None

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Python-Markdown's name
        """Register the processors."""
        name = "sphinx_llmsize"
        md.preprocessors.register(_Start(md, self), f"{name}_start", FIRST)
        md.preprocessors.register(Directives(md, self.conversion), name, BEFORE_FENCES)
        md.treeprocessors.register(RestoreCode(md), name, BEFORE_HIGHLIGHTING)
        md.inlinePatterns.register(Numbers(md, self.conversion), name, BEFORE_CODE_SPANS)
        finish = _Finish(md, self.conversion)
        md.treeprocessors.register(_AnnouncePage(md, finish), f"{name}_tree", LAST)
        md.postprocessors.register(finish, name, LAST)

    def start(self, md: Markdown, lines: list[str]) -> None:
        """Begin the conversion of a page."""
        self._conversion = Conversion(md, self.settings, lines)

    def conversion(self) -> Conversion:
        """The conversion of the current page."""
        assert self._conversion
        return self._conversion


class _Start(Preprocessor):
    """Begins the conversion of a page."""

    def __init__(self, md: Markdown, extension: LlmSizeExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        self.extension.start(self.md, lines)
        return lines


class _Finish(Postprocessor):
    """Adds the stylesheet and the script to pages that need them, and logs mistakes.

    Attributes:
        is_page: True if the next text is the page. Python-Markdown also runs postprocessors on the
            headings of a table of contents, before the page.
    """

    def __init__(self, md: Markdown, conversion: GetConversion) -> None:
        super().__init__(md)
        self.conversion = conversion
        self.is_page = False

    def run(self, text: str) -> str:
        """Return the page's text with the stylesheet and the script.

        Raises:
            RuntimeError: the build is strict, and there are mistakes.
        """
        if not self.is_page:
            return text
        self.is_page = False
        conversion = self.conversion()
        conversion.log()
        if conversion.needs_stylesheet:
            first_output = max(0, text.find(f'<div class="{OUTPUT_CLASS}'))
            text = f"{text[:first_output]}{_style(conversion)}\n{text[first_output:]}"
        return f"{text}{_script(conversion)}"


class _AnnouncePage(Treeprocessor):
    """Sets :attr:`_Finish.is_page`, once the tree of the page is complete."""

    def __init__(self, md: Markdown, finish: _Finish) -> None:
        super().__init__(md)
        self.finish = finish

    def run(self, root: Element) -> None:
        self.finish.is_page = True


def _style(conversion: Conversion) -> str:
    """Elements with the stylesheets that the page needs, or with a link to them at an address."""
    setting = conversion.settings.stylesheet
    if setting == INLINE:
        return style_element() + (styles_element() if conversion.is_interactive else "")
    if setting == NOWHERE:
        return ""
    return element("link", rel="stylesheet", href=setting).removesuffix("</link>")


def _script(conversion: Conversion) -> str:
    """Element with the script that the page needs, or with its address."""
    setting = conversion.settings.script
    if not conversion.is_interactive or setting == NOWHERE:
        return ""
    return script_element() if setting == INLINE else element("script", src=setting, defer="defer")
