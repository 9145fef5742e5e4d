"""Regions of a Markdown file: parts between a start marker and an end marker.

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

_MARKER = re.compile(
    r"\s*(?P<slash>/?)(?P<name>(?:-+\s*)?llm[\w-]+)(?P<rest>\s*:.*|\s.*|)",
    re.DOTALL | re.IGNORECASE,
)
"""Content of a comment that begins or, with a slash, ends a region.

A name with capital letters, or with hyphens before it as in ``<!--- llm-size: gpt2 --->``, is
unknown.
"""

MIN_SIMILARITY = 0.8
"""Minimum similarity of a misspelt name; high, since all names begin with ``llm-``."""


@dataclass(frozen=True)
class Marker:
    """A comment that begins or ends a region.

    Attributes:
        comment: the comment.
        name: name of the directive.
        is_end: True if it ends a region.
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
        start: its start marker.
        end: its end marker.
    """

    start: Marker
    end: Marker

    @property
    def is_inline(self) -> bool:
        """True for a number within a line; False for blocks, with markers on lines of their own."""
        return not self.start.comment.is_alone

    @property
    def line(self) -> int:
        """0-based line of the start marker."""
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
                errors.append(_error_without_end(opened))
            opened = marker
        elif opened is None or opened.name != marker.name:
            errors.append(_error_without_start(marker, opened))
            opened = None
        else:
            region = Region(opened, marker)
            opened = None
            if _are_together(region):
                regions.append(region)
            else:
                errors.append(_error_of_misplaced_markers(region))
    if opened:
        errors.append(_error_without_end(opened))
    return regions, errors


def _markers(text: str, names: Collection[str], errors: list[ConfigError]) -> Iterator[Marker]:
    """The markers of known directives, in order; mistakes in markers are added to the errors."""
    try:
        markers = list(_all_markers(text))
    except ConfigError as error:
        errors.append(error)
        return
    names_with_end = {marker.name for marker in markers if marker.is_end}
    for marker in markers:
        if marker.name not in names:
            if error_of_name := _error_of_name(marker, names, names_with_end):
                errors.append(error_of_name)
        elif marker.is_end or marker.rest.lstrip().startswith(":"):
            yield marker
        else:
            errors.append(_error_without_colon(marker))
            # read as if it had one, so that its end isn't an error too
            yield replace(marker, rest=f":{marker.rest}")


def _error_of_name(
    marker: Marker, names: Collection[str], names_with_end: Collection[str]
) -> ConfigError | None:
    """Error for an unknown name; None for an end marker, or a comment of another tool.

    Another tool's comment begins no region, and its name isn't similar to a directive's.
    """
    correction = did_you_mean(marker.name.lstrip("-").strip(), names, MIN_SIMILARITY)
    if marker.is_end or not (correction or marker.name in names_with_end):
        return None
    hint = correction or _("one of {names}", names=", ".join(names))
    message = _("unknown directive {name}", name=repr(marker.name[:60]))
    return ConfigError(message, Problem.SYNTAX, hint, marker.line)


def _error_without_colon(marker: Marker) -> ConfigError:
    """Error for a start marker without a colon after its name."""
    message = _("the colon is missing after {name}", name=marker.name)
    hint = _("write {marker}", marker=f"<!-- {marker.name}: llama-7b -->")
    return ConfigError(message, Problem.SYNTAX, hint, marker.line)


def _all_markers(text: str) -> Iterator[Marker]:
    """The comments that look like markers, also those with unknown names.

    Raises:
        ConfigError: the file's lists and quotes have too many levels.
    """
    for comment in comments_of(text):
        if found := _MARKER.fullmatch(comment.text):
            line = comment.line + comment.text.count("\n", 0, found.start("name"))
            yield Marker(comment, found["name"], bool(found["slash"]), found["rest"], line)


def _error_without_start(marker: Marker, opened: Marker | None) -> ConfigError:
    """Error for an end marker that doesn't end the open region, if there is one."""
    message = _("{marker} ends no region", marker=f"<!-- /{marker.name} -->")
    hint = _("write {marker} before it", marker=f"<!-- {marker.name}: … -->")
    if opened:
        hint = _("the region is of {name}", name=opened.name)
    return ConfigError(message, Problem.SYNTAX, hint, marker.line)


def _error_without_end(marker: Marker) -> ConfigError:
    """Error for a start marker without an end marker."""
    end = f"<!-- /{marker.name} -->"
    return ConfigError(
        _("the region of {name} has no end", name=marker.name),
        Problem.SYNTAX,
        _("write {marker} on a line of its own below it, or after the number", marker=end),
        marker.line,
    )


def _are_together(region: Region) -> bool:
    """True if both markers are alone on their lines, or both are in the same paragraph."""
    start, end = region.start.comment, region.end.comment
    if start.is_alone or end.is_alone:
        return start.is_alone and end.is_alone
    return start.block == end.block


def _error_of_misplaced_markers(region: Region) -> ConfigError:
    """Error for markers that aren't together."""
    return ConfigError(
        _("the markers are neither in one paragraph nor on lines of their own"),
        Problem.SYNTAX,
        _("for a number, write both on one line; for tables, each on a line of its own"),
        region.line,
    )
