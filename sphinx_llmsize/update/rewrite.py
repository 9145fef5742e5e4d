"""Rewriting of a Markdown file's text: each region gets the current output of its directive."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.page import MarkdownPage, Page
from sphinx_llmsize.directives.registry import DIRECTIVES, define_model
from sphinx_llmsize.errors import ConfigError, Problem, UnknownModel
from sphinx_llmsize.escaping import escape_markdown, escape_xml
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.markdown_flavours import Flavour
from sphinx_llmsize.translation import _
from sphinx_llmsize.update.comments import LINE_END
from sphinx_llmsize.update.marker_calls import call_of
from sphinx_llmsize.update.picture_files import Pictures
from sphinx_llmsize.update.regions import Region, regions_of
from sphinx_llmsize.update.sites import Site
from sphinx_llmsize.views.numbers.role_text import role_text

_OPTION = re.compile(r"\s[A-Za-z][\w-]*=")
"""An option after a number, which can't have one."""
INLINE = "llm-size"
"""Name of the only directive whose markers may stand within a line, around a number."""
MDX = ".mdx"
"""Suffix of MDX files."""

Replacement = tuple[str, int, int]
"""A region's new content, and start and end of the old one in the text."""


@dataclass(frozen=True)
class RewriteResult:
    """Result of rewriting a file.

    Attributes:
        text: the new text; the old one if there are errors.
        regions: number of regions.
        stale: number of regions whose content changed.
        pictures: content of each SVG file that the regions show, by path.
        errors: mistakes, each with the 0-based line in the file, or in ``error.file``.
    """

    text: str
    regions: int = 0
    stale: int = 0
    pictures: Mapping[Path, str] = field(default_factory=dict)
    errors: tuple[ConfigError, ...] = ()


def rewrite(text: str, path: Path, site: Site, assets: Path | None = None) -> RewriteResult:
    """Rewrite the regions of a Markdown file.

    Args:
        text: the file's text.
        path: the file.
        site: the site, with its flavour of Markdown.
        assets: folder for drawn diagrams; None for Mermaid.
    """
    regions, errors = regions_of(text, DIRECTIVES.keys())
    if path.suffix.lower() == MDX and (regions or errors):
        return RewriteResult(text, len(regions), errors=(_error_of_mdx(regions, errors),))
    page = MarkdownPage(path.parent)
    pictures = None
    if assets:
        pictures = Pictures(assets, path, site.flavour.address, site.folder, page.models)
    pieces: list[str] = []
    position = stale = 0
    for region, call in _calls(page, regions, errors):
        try:
            if call:
                markdown = _markdown_of_call(page, call, site, pictures)
                new, start, end = _replace_lines(text, region, markdown)
            else:
                new, start, end = _replace_number(region, _number(page, region))
        except ConfigError as error:
            errors.append(_in_file(error, region))
            continue
        if text[start:end] != new:
            stale += 1
        pieces += [text[position:start], new]
        position = end
    if errors:
        return RewriteResult(text, len(regions), errors=tuple(sorted(errors, key=_line_or_first)))
    new_text = "".join((*pieces, text[position:]))
    error_of_markers = _error_of_lost_markers(new_text, regions) if stale else None
    if error_of_markers:
        return RewriteResult(text, len(regions), errors=(error_of_markers,))
    return RewriteResult(new_text, len(regions), stale, pictures.files if pictures else {})


def _error_of_mdx(regions: list[Region], errors: list[ConfigError]) -> ConfigError:
    """Error for a file of MDX with markers, at the first of them."""
    lines = (*(region.line for region in regions), *map(_line_or_first, errors))
    message = _("MDX has no HTML comments, so it can't have markers")
    hint = _("write them in an .md file, and import that file")
    return ConfigError(message, Problem.SYNTAX, hint, min(lines))


def _line_or_first(error: ConfigError) -> int:
    """Line of an error, as sort key; errors in other files come first."""
    return -1 if error.file else error.line or 0


def _calls(
    page: Page, regions: list[Region], errors: list[ConfigError]
) -> list[tuple[Region, Call | None]]:
    """The regions with their calls, after the models of all of them are defined.

    A number within a line has no call. Errors are appended to ``errors``.
    """
    calls: list[tuple[Region, Call | None]] = []
    for region in regions:
        try:
            call = None if region.is_inline else call_of(region)
            if call:
                define_model(page, call)
        except ConfigError as error:
            errors.append(_in_file(error, region))
        else:
            calls.append((region, call))
    return calls


def _error_of_lost_markers(text: str, regions: list[Region]) -> ConfigError | None:
    """Error if the new text doesn't have the same regions.

    In raw HTML such as ``<div>``, markers may be indented by any number of spaces. Blank lines in a
    region's new content end the raw HTML, so that an indented marker after them becomes code.
    """
    new_regions, errors = regions_of(text, DIRECTIVES.keys())
    old_calls = [region.start.rest for region in regions]
    new_calls = [region.start.rest for region in new_regions]
    if not errors and new_calls == old_calls:
        return None
    pairs = zip(old_calls, new_calls, strict=False)
    same = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    first_lost = regions[min(same, len(regions) - 1)]
    message = _("after the update, its markers would be code or text")
    hint = _("indent them by at most three spaces, or as the list or quote around them")
    return ConfigError(message, Problem.SYNTAX, hint, first_lost.line)


def _number(page: Page, region: Region) -> str:
    """The text of a number.

    Raises:
        ConfigError: there is no such number, or the region calls another directive.
    """
    number = region.start.rest.lstrip().removeprefix(":").strip()
    if region.start.name != INLINE or "\n" in number or _OPTION.search(number):
        message = _("within a line, only a number can be shown")
        hint = _("put the markers of tables, formulas and diagrams on lines of their own")
        raise ConfigError(message, Problem.SYNTAX, hint)
    shown = role_text(number, page.model_of_number)
    return escape_xml(shown) if region.start.comment.is_raw else escape_markdown(shown)


@only_config_errors()
def _markdown_of_call(page: Page, call: Call, site: Site, pictures: Pictures | None) -> str:
    """Markdown of the blocks that a directive shows.

    Raises:
        ConfigError: the call is wrong, or its argument is a number.
    """
    try:
        blocks = DIRECTIVES[call.directive].run(page, call)
    except UnknownModel:
        if call.directive != "llm-size" or ":" not in call.argument:
            raise
        message = _("{text} is a number", text=repr(call.argument[:60]))
        hint = _("put both markers on one line, within a sentence")
        raise ConfigError(message, Problem.SYNTAX, hint) from None
    if pictures:
        draw = partial(pictures.markdown, call)
        return to_markdown(blocks, site.flavour, picture=draw).strip("\n")
    return _cached_markdown(blocks, site.flavour)


_CACHE: dict[tuple[int, Flavour], tuple[Document, str]] = {}
"""Documents with their Markdown, by the document's ``id()``, since hashing documents is slow.

Regions of the same model share a document. A stored document is never freed, so that its id stays
unique.
"""


def _cached_markdown(blocks: Document, flavour: Flavour) -> str:
    key = id(blocks), flavour
    if key not in _CACHE:
        _CACHE[key] = blocks, to_markdown(blocks, flavour).strip("\n")
    return _CACHE[key][1]


def _replace_number(region: Region, number: str) -> Replacement:
    """Replacement of the number between markers within a line."""
    return number, region.start.comment.end, region.end.comment.start


def _replace_lines(text: str, region: Region, markdown: str) -> Replacement:
    """Replacement of the lines between markers on lines of their own.

    The new ones have the line endings of the start marker, and its indentation in lists and quotes.
    """
    line_end = LINE_END.search(text, region.start.comment.end)
    assert line_end
    # the bullet or number of a list item becomes spaces; ">" of quotes stays
    prefix = re.sub(r"[^>\s]", " ", region.start.comment.prefix)
    lines = ("", *markdown.split("\n"), "")
    new = "".join(f"{(prefix + line).rstrip()}{line_end[0]}" for line in lines)
    return new, line_end.end(), region.end.comment.start - len(region.end.comment.prefix)


def _in_file(error: ConfigError, region: Region) -> ConfigError:
    """The error with its line in the file; errors in a body have their line in the body."""
    if error.file:
        return error
    # the body begins on the line below the marker's first
    line = region.line if error.line is None else region.line + 1 + error.line
    name = f"{error.option}: " if error.option else ""
    return error.replace(message=f"{name}{error.message}", line=line, option="")
