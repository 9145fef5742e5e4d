"""Directives in fences: found in the lines of a page, and replaced by placeholders.

The output is made when Python-Markdown replaces the placeholders. By then all models of the page
are known, and fences that turned out to be part of indented code have been restored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from markdown import Markdown
from markdown.preprocessors import Preprocessor

from sphinx_llmsize.directives.misplaced import refuse_name, refuse_options
from sphinx_llmsize.directives.registry import DIRECTIVES, define_model
from sphinx_llmsize.directives.template import TEMPLATE, nested_template_error
from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.hosts.python_markdown.conversion import Conversion
from sphinx_llmsize.hosts.python_markdown.fence_calls import LocatedCall, directive_of, parse_call
from sphinx_llmsize.hosts.python_markdown.fences import Fence, IndexedLines, fences, texts_of
from sphinx_llmsize.hosts.python_markdown.output_html import directive_html, notice
from sphinx_llmsize.hosts.python_markdown.templates import expand_templates
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.option_declarations import options_of

FENCE = "```"
"""Mark of a fence in hints."""
_ATTRIBUTES = re.compile(r"\{:?\s*[.#]\w.*\}$")
"""Attributes after the argument of a fence, ``{ .class #id }``, as in pymdownx.superfences."""
GetConversion = Callable[[], Conversion]
"""Function that returns the conversion of the current page; one extension converts many pages."""


class Directives(Preprocessor):
    """Replaces fences of directives by placeholders, and fences of templates by their output."""

    def __init__(self, md: Markdown, conversion: GetConversion) -> None:
        super().__init__(md)
        self.conversion = conversion

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines, with placeholders in place of directives' fences."""
        conversion = self.conversion()
        conversion.lines = lines
        entries = list(enumerate(lines))
        if any(TEMPLATE in line for line in lines):
            # first the models of the whole page, as a template may use those defined below it
            _define_models(entries, conversion)
            entries = expand_templates(entries, conversion)
        result: list[str] = []
        start = 0  # index after the fence before
        for fence in fences(texts_of(entries)):
            before, inside = entries[start : fence.start], entries[fence.start : fence.end]
            start = fence.end
            conversion.text_lines += before
            result += texts_of(before)
            if not directive_of(fence.info):
                result += texts_of(inside)
            elif not fence.is_hidden:  # one in a comment is dropped: superfences would split it
                below = texts_of(entries[start : start + 1])
                blanks_above, blanks_below = _blank_lines(fence, result[-1:], below)
                blanks = len(blanks_above), len(blanks_below)
                output = StashEntry(conversion, fence, inside, blanks)
                placeholder = self.md.htmlStash.store(output)  # type: ignore[arg-type]
                result += [*blanks_above, f"{fence.prefix}{placeholder}", *blanks_below]
        conversion.text_lines += entries[start:]
        return [*result, *texts_of(entries[start:])]


class StashEntry:
    """Output of a directive, in Python-Markdown's stash of HTML.

    It is made when Python-Markdown converts the entry to text, which replaces the placeholder.

    Attributes:
        fence_lines: lines of the fence.
        prefix: text before the fence on its first line, and before the placeholder.
        blanks: number of blank lines added above the placeholder, and number of those below.
    """

    def __init__(
        self, conversion: Conversion, fence: Fence, lines: IndexedLines, blanks: tuple[int, int]
    ) -> None:
        """Parse the call, and define its model for the rest of the page.

        Args:
            conversion: conversion of the page.
            fence: the fence.
            lines: its lines, each with the index of the page's line that it is from.
            blanks: number of blank lines added above the placeholder, and number of those below.
        """
        self.fence_lines = texts_of(lines)
        self.prefix = fence.prefix
        self.blanks = blanks
        self._conversion = conversion
        self._origins = [origin for origin, _text in lines]
        self._id = conversion.new_id()
        self._located: LocatedCall | None = None
        self._error: ConfigError | None = None
        self._html = ""
        try:
            self._located = _parse_fence(fence)
            define_model(conversion.page, self._located.call)
        except ConfigError as error:
            self._error = error

    def __str__(self) -> str:
        """HTML of the directive, or a notice after a warning."""
        if not self._html:
            self._conversion.needs_stylesheet = True
            try:
                self._html = self._build_html()
            except ConfigError as error:
                self._conversion.report(error, self._line(error))
                self._html = notice(error)
        return self._html

    @only_config_errors()
    def _build_html(self) -> str:
        """HTML of the directive.

        Raises:
            ConfigError: the call is wrong.
        """
        if self._error:
            raise self._error
        assert self._located
        call = self._located.call
        blocks = DIRECTIVES[call.directive].run(self._conversion.page, call)
        self._conversion.is_interactive |= isinstance(blocks, InteractiveDocument)
        return directive_html(blocks, self._conversion.settings, self._id)

    def _line(self, error: ConfigError) -> int:
        """Index of the page's line with an error."""
        line = self._located.line(error) if self._located else error.line or 0
        return self._origins[min(line, len(self._origins) - 1)]


def _blank_lines(
    fence: Fence, above: Sequence[str], below: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Blank lines above and below a placeholder, which make it a paragraph of its own.

    They are only added next to text, since further ones would become part of a quote.

    Args:
        fence: the fence that the placeholder replaces.
        above: the line above the fence, if there is one.
        below: the line below it, if there is one.
    """
    blank = [fence.indent.rstrip()]
    begins_list_item = fence.indent != fence.prefix
    blanks_above = blank if _has_text(above) and not begins_list_item else []
    return blanks_above, blank if _has_text(below) else []


def _has_text(lines: Sequence[str]) -> bool:
    return any(line.strip(" \t>") for line in lines)


def _define_models(entries: IndexedLines, conversion: Conversion) -> None:
    """Define the models that the fences of a page configure.

    Mistakes are left out: each is reported when the output of its directive is made.
    """
    for fence in fences(texts_of(entries)):
        if directive_of(fence.info) and not fence.is_hidden:
            with suppress(ConfigError):
                define_model(conversion.page, _parse_fence(fence).call)


@only_config_errors()
def _parse_fence(fence: Fence) -> LocatedCall:
    """The call in the fence of a directive.

    Raises:
        ConfigError: it can't be read; the error's ``line`` is counted from the fence's first.
    """
    directive = directive_of(fence.info)
    assert directive
    name, argument = directive
    if name == TEMPLATE:  # templates of the page are expanded before; this is output of one
        raise nested_template_error()
    if name not in DIRECTIVES:
        known = (*DIRECTIVES, TEMPLATE)
        raise unknown_word(N_("unknown directive {name}"), name, known, Problem.SYNTAX)
    if not fence.is_closed:
        message = _("the fence of {directive} isn't closed", directive=name)
        hint = _("end it with a line of the same characters")
        raise ConfigError(message, Problem.SYNTAX, hint)
    if attributes := _ATTRIBUTES.search(argument):
        message = _("{text} are attributes of HTML", text=repr(attributes[0][:60]))
        raise ConfigError(message, Problem.SYNTAX, _("remove them: {name} has none", name=name))
    located = parse_call(name, argument, fence.body)
    _refuse_misplaced(located)
    return located


def _refuse_misplaced(located: LocatedCall) -> None:
    """Refuse an option in the body, or a name in place of a configuration.

    Raises:
        ConfigError: there is one; the error's ``line`` is counted from the fence's first.
    """
    call = located.call
    lines = call.body.split("\n")
    try:
        if call.directive == "llm-size" and not call.argument:
            refuse_name(lines, f"{FENCE}{call.directive}")
        refuse_options(lines, options_of(DIRECTIVES[call.directive].options))
    except ConfigError as error:
        raise error.replace(line=located.line(error)) from None
