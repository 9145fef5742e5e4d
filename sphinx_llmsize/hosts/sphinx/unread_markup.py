"""Warnings for roles and directives that are parsed as something else: ``..llm-size:: gpt2``.

Docutils and MyST give no warning: the page shows the markup, or nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms import SphinxTransform

from sphinx_llmsize.directives.misplaced import unread_markup_error
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.guards import connect, guarded_transform
from sphinx_llmsize.hosts.sphinx.locate import Location, line_with
from sphinx_llmsize.hosts.sphinx.problems import notice, warn
from sphinx_llmsize.hosts.sphinx.role import report_in_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HAS_NAME = "llmsize_has_name"
"""Key in ``env.temp_data``: true if the page's source contains the name of a directive."""
_NAMES = "llm-(?:size|compare|diff|template|catalogue)"
"""Pattern of the directives' names."""
_ROLE = re.compile(r"(?::llm-size:|\{llm-size\})(?=[\w`]|\s*$)")
"""Name of the role in either markup: ``:llm-size:``, ``{llm-size}``."""
_DIRECTIVE = re.compile(rf"\s*\.\.\s?(?P<name>{_NAMES})\s*::")
"""Start of a directive that is read as text: without its space, or within a paragraph."""
_FENCE = re.compile(rf"[`~:]*\{{?(?P<name>{_NAMES})\b")
"""A fence in reStructuredText, or one without braces: ``{llm-size}``, ``llm-size``."""
_COMMENT = re.compile(rf"(?P<name>{_NAMES})\s*:(?!:)")
"""A comment that was meant as a directive, with one colon too few: ``llm-size: gpt2``."""
_LITERAL = (nodes.literal, nodes.literal_block, nodes.comment)
"""Nodes whose text is not searched for roles, since it may be an example."""


class ReportUnreadMarkup(SphinxTransform):
    """Report roles and directives that were not parsed as such, and mark them on the page."""

    default_priority = 6  # after the numbers of roles are in the text

    @guarded_transform
    def apply(self, **kwargs: object) -> None:
        """Search texts, comments and literal blocks."""
        if not self.env.temp_data.pop(HAS_NAME, False):
            return
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, _LITERAL):
                self._check_text(text)
        # a comment in Markdown, or a literal of one line, may be an example
        if self._is_rst():
            for comment in list(self.document.findall(nodes.comment)):
                self._check_block(comment, _COMMENT.match(comment.astext()))
        for block in list(self.document.findall(nodes.literal_block)):
            self._check_block(block, _FENCE.match(block.get("language", "")))
        for literal in list(self.document.findall(nodes.literal)):
            if "\n" in literal.astext() and isinstance(literal.parent, nodes.paragraph):
                self._check_block(literal.parent, _FENCE.match(literal.astext()))
        for container in list(self.document.findall(nodes.container)):
            self._check_block(container, _FENCE.match(" ".join(container["classes"])))

    def _check_text(self, text: nodes.Text) -> None:
        """Mark a text that contains a role or the first line of a directive."""
        # the signature of a documented directive is not in a paragraph
        is_in_paragraph = isinstance(text.parent, nodes.paragraph)
        if is_in_paragraph and (directive := _DIRECTIVE.match(text)):
            self._mark(text, directive[0], directive["name"])
        elif role := _find_role(text):
            self._mark(text, role[0])

    def _mark(self, text: nodes.Text, markup: str, directive: str = "") -> None:
        """Mark a text as an error.

        Args:
            text: the text.
            markup: the part of the text that was meant as markup.
            directive: name of the directive; empty for the role.
        """
        error = self._error(markup.strip(), directive)
        location = self._location(text.parent, markup)
        text.parent.replace(text, report_in_text(error, text, location))

    def _check_block(self, node: nodes.Element, match: re.Match[str] | None) -> None:
        """Replace a block by a notice if its text matches the pattern of a directive."""
        if match and node.parent:
            name = match["name"]
            error = self._error(name, name)
            warn(error, self._location(node, name))
            node.replace_self(notice(error))

    def _is_rst(self) -> bool:
        """True if the page is reStructuredText."""
        path = str(self.env.doc2path(self.env.docname))
        kinds = (None, "restructuredtext")
        suffixes = self.config.source_suffix.items()
        return any(path.endswith(suffix) and kind in kinds for suffix, kind in suffixes)

    def _error(self, markup: str, directive: str) -> ConfigError:
        """Error for markup; ``directive`` is the name of a directive, empty for the role."""
        is_rst = self._is_rst()
        if directive:
            example = f".. {directive}:: gpt2" if is_rst else f"```{{{directive}}} gpt2"
        else:
            example = ":llm-size:`gpt2`" if is_rst else "{llm-size}`gpt2`"
        return unread_markup_error(markup, example)

    def _location(self, node: nodes.Element, markup: str) -> Location:
        """Line of the markup, searched from the line of the block around it."""
        block: nodes.Node | None = node
        while block is not None and not block.line:
            block = block.parent
        source = str(self.env.doc2path(self.env.docname))
        line = block.line if block and block.line else 1
        # from one line before it, since some nodes have the line of their end
        start = max(1, line - 1)
        return source, line_with(markup, source, start) or start


def _find_role(text: nodes.Text) -> re.Match[str] | None:
    """The name of the role in a text, if more text or an element that may be its text follows."""
    role = _ROLE.search(text)
    if role is None or role.end() < len(text.rstrip()):
        return role
    following = text.next_node(descend=False, siblings=True)
    is_text_of_role = isinstance(
        following, (nodes.literal, nodes.title_reference, nodes.problematic)
    )
    return role if is_text_of_role else None


def _note_name(app: Sphinx, page: str, source: list[str]) -> None:
    """Note whether the page's source contains the name of a directive."""
    app.env.temp_data[HAS_NAME] = bool(re.search(_NAMES, source[0]))


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(ReportUnreadMarkup)
    connect(app, "source-read", _note_name)
