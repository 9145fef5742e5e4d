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
from sphinx_llmsize.markdown_flavours import Flavour
from sphinx_llmsize.translation import _
from sphinx_llmsize.update.calls import call_of
from sphinx_llmsize.update.comments import LINE_END
from sphinx_llmsize.update.pictures import Pictures
from sphinx_llmsize.update.regions import Region, regions_of
from sphinx_llmsize.update.sites import Site
from sphinx_llmsize.views.numbers.role_text import role_text

INLINE = "llm-size"
"""The directive that shows a number if it is within a line."""


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
    pictures = Pictures(assets, path, site.flavour.address, site.folder) if assets else None
    page = MarkdownPage(path.parent)
    pieces, at, stale = [], 0, 0
    for region, call in _calls(page, regions, errors):
        try:
            new = _number(page, region) if region.is_inline else _blocks(page, call, site, pictures)
        except ConfigError as error:
            errors.append(_in_file(error, region))
            continue
        start, end = region.start.comment.end, region.end.comment.start
        if not region.is_inline:
            new, start, end = _as_lines(new, region, text)
        stale += text[start:end] != new
        pieces += [text[at:start], new]
        at = end
    if errors:
        # errors in other files come first
        ordered = sorted(errors, key=lambda error: -1 if error.file else error.line or 0)
        return RewriteResult(text, len(regions), errors=tuple(ordered))
    new_text = "".join((*pieces, text[at:]))
    if stale and (lost := _error_of_lost_markers(new_text, regions)):
        return RewriteResult(text, len(regions), errors=(lost,))
    return RewriteResult(new_text, len(regions), stale, pictures.files if pictures else {})


def _calls(
    page: Page, regions: list[Region], errors: list[ConfigError]
) -> list[tuple[Region, Call]]:
    """The regions with their calls, after the models of all of them are defined.

    Errors are appended to ``errors``.
    """
    calls: list[tuple[Region, Call]] = []
    for region in regions:
        try:
            call = call_of(region)
            if not region.is_inline:
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
    found, errors = regions_of(text, DIRECTIVES.keys())
    old, new = ([region.start.rest for region in each] for each in (regions, found))
    if not errors and new == old:
        return None
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))))
    message = _("after the update, its markers would be code or text")
    hint = _("indent them by at most three spaces, or as the list or quote around them")
    return ConfigError(message, Problem.SYNTAX, hint, regions[min(same, len(old) - 1)].line)


def _number(page: Page, region: Region) -> str:
    """The text of a number.

    Raises:
        ConfigError: there is no such number, or the region calls another directive.
    """
    wanted = region.start.rest.lstrip().removeprefix(":").strip()
    if region.start.name != INLINE or "\n" in wanted or re.search(r"\s[A-Za-z][\w-]*=", wanted):
        message = _("only a number stands within a line")
        hint = _("put the markers of tables, formulas and diagrams on lines of their own")
        raise ConfigError(message, Problem.SYNTAX, hint)
    shown = role_text(wanted, page.model_of_number)
    return escape_xml(shown) if region.start.comment.is_raw else escape_markdown(shown)


def _blocks(page: Page, call: Call, site: Site, pictures: Pictures | None) -> str:
    """Markdown of the blocks that a directive shows.

    Raises:
        ConfigError: the call is wrong, or its argument is a number.
    """
    try:
        blocks = DIRECTIVES[call.directive].run(page, call)
    except UnknownModel:
        if ":" not in call.argument:
            raise
        message = _("{text} is a number", text=repr(call.argument[:60]))
        hint = _("put both markers on one line, within a sentence")
        raise ConfigError(message, Problem.SYNTAX, hint) from None
    if pictures:
        draw = partial(pictures.markdown, call)
        return to_markdown(blocks, site.flavour, picture=draw).strip("\n")
    return _cached(blocks, site.flavour)


_CACHE: dict[tuple[int, Flavour], tuple[Document, str]] = {}
"""Markdown of documents, by their ``id()``, since hashing them is slow.

Regions of the same model share a document. Each is stored too, so that no other gets its id.
"""


def _cached(blocks: Document, flavour: Flavour) -> str:
    key = id(blocks), flavour
    if key not in _CACHE:
        _CACHE[key] = blocks, to_markdown(blocks, flavour).strip("\n")
    return _CACHE[key][1]


def _as_lines(markdown: str, region: Region, text: str) -> tuple[str, int, int]:
    """The lines between the markers, and where they start and end in the text.

    They have the line endings of the first marker, and its indentation in lists and quotes.
    """
    found = LINE_END.search(text, region.start.comment.end)
    assert found
    # the bullet or number of a list item becomes spaces; ">" of quotes stays
    prefix = re.sub(r"[^>\s]", " ", region.start.comment.prefix)
    lines = ("", *markdown.split("\n"), "")
    new = "".join(f"{(prefix + line).rstrip()}{found[0]}" for line in lines)
    return new, found.end(), region.end.comment.start - len(region.end.comment.prefix)


def _in_file(error: ConfigError, region: Region) -> ConfigError:
    """The error with its line in the file; lines of a body are counted from the marker."""
    if error.file:
        return error
    # the body begins on the line below the marker's first
    line = region.line if error.line is None else region.line + 1 + error.line
    name = f"{error.option}=: " if error.option else ""
    return ConfigError(f"{name}{error.message}", error.problem, error.hint, line)
