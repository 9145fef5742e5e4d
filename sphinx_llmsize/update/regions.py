"""Regions of a Markdown file: the parts between a marker and the marker of its end.

::

    <!-- llm-size: llama-7b show=table -->
    …
    <!-- /llm-size -->

    LLaMA has <!-- llm-size: llama-7b:total -->6.74B<!-- /llm-size --> parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.translation import _
from sphinx_llmsize.update.comments import Comment, comments_of

_MARKER = re.compile(r"\s*(?P<slash>/?)(?P<name>llm[\w-]+)(?P<rest>\s*:.*|\s.*|)", re.DOTALL)
"""Content of a comment that begins or, with a slash, ends a region."""

NEAR = 0.8
"""Minimum similarity of a misspelt name; high, since all names begin with ``llm-``."""


@dataclass(frozen=True)
class Marker:
    """A comment that begins or ends a region.

    Attributes:
        comment: the comment.
        name: name of the directive.
        is_end: it ends a region.
        rest: text after the name.
        line: 0-based line of the name.
    """

    comment: Comment
    name: str
    is_end: bool
    rest: str
    line: int


@dataclass(frozen=True)
class Region:
    """A marked part of a file.

    Attributes:
        start: its first marker.
        end: its last marker.
    """

    start: Marker
    end: Marker

    @property
    def is_inline(self) -> bool:
        """True for a number in a line, False for blocks between markers on lines of their own."""
        return not self.start.comment.is_alone

    @property
    def line(self) -> int:
        """0-based line of the first marker."""
        return self.start.line


def regions_of(text: str, names: Collection[str]) -> tuple[list[Region], list[ConfigError]]:
    """The regions of a Markdown file, and the mistakes in its markers.

    Args:
        text: the file's text.
        names: names of the known directives.
    """
    regions: list[Region] = []
    errors: list[ConfigError] = []
    opened: Marker | None = None
    for marker in _markers(text, names, errors):
        if not marker.is_end:
            if opened:
                errors.append(_unclosed(opened))
            opened = marker
        elif opened is None or opened.name != marker.name:
            message = _("{marker} ends no region", marker=f"<!-- /{marker.name} -->")
            hint = _("write {marker} before it", marker=f"<!-- {marker.name}: … -->")
            if opened:
                hint = _("the region is of {name}", name=opened.name)
            errors.append(ConfigError(message, Problem.SYNTAX, hint, marker.line))
            opened = None
        else:
            region = Region(opened, marker)
            opened = None
            if error := _misplaced(region):
                errors.append(error)
            else:
                regions.append(region)
    if opened:
        errors.append(_unclosed(opened))
    return regions, errors


def _markers(text: str, names: Collection[str], errors: list[ConfigError]) -> Iterator[Marker]:
    """The markers of known directives, in order; mistakes in markers are added to the errors."""
    found = [
        Marker(comment, match["name"], bool(match["slash"]), match["rest"], _line(comment, match))
        for comment in comments_of(text)
        if (match := _MARKER.fullmatch(comment.text))
    ]
    ended = {marker.name for marker in found if marker.is_end}
    for marker in found:
        if marker.name in names:
            if not marker.is_end and not marker.rest.lstrip().startswith(":"):
                message = _("the colon is missing after {name}", name=marker.name)
                hint = _("write {marker}", marker=f"<!-- {marker.name}: llama-7b -->")
                errors.append(ConfigError(message, Problem.SYNTAX, hint, marker.line))
                marker = replace(marker, rest=f":{marker.rest}")  # noqa: PLW2901
            yield marker
        elif not marker.is_end and (marker.name in ended or _near(marker, names)):
            # without an end or a similar name, it is a comment of another tool
            hint = _near(marker, names) or _("one of {names}", names=", ".join(names))
            message = _("unknown directive {name}", name=repr(marker.name[:60]))
            errors.append(ConfigError(message, Problem.SYNTAX, hint, marker.line))


def _near(marker: Marker, names: Collection[str]) -> str:
    return did_you_mean(marker.name, names, NEAR)


def _line(comment: Comment, match: re.Match[str]) -> int:
    return comment.line + comment.text.count("\n", 0, match.start("name"))


def _unclosed(marker: Marker) -> ConfigError:
    """Error for a start marker without an end marker."""
    end = f"<!-- /{marker.name} -->"
    return ConfigError(
        _("the region of {name} has no end", name=marker.name),
        Problem.SYNTAX,
        _("write {marker} on a line of its own below it, or after the number", marker=end),
        marker.line,
    )


def _misplaced(region: Region) -> ConfigError | None:
    """Error for markers of which one is alone on its line, or that are in different paragraphs."""
    start, end = region.start.comment, region.end.comment
    if start.is_alone == end.is_alone and (start.is_alone or start.block == end.block):
        return None
    return ConfigError(
        _("the markers are neither in one paragraph nor on lines of their own"),
        Problem.SYNTAX,
        _("for a number, write both on one line; for tables, each on a line of its own"),
        region.line,
    )
