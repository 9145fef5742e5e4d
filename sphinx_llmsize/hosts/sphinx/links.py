"""The grammar of ``:links:``: ``qkv: attention, lm_head: https://example.org``."""

from __future__ import annotations

import re

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

_PAIR = re.compile(r"([A-Za-z_][\w-]*):\s+(\S+?)(?:,\s+|\s+(?=[A-Za-z_][\w-]*:\s)|\s*$)")


def parse_links(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a box and its target from ``box: target``, separated by commas or line ends.

    Raises:
        ConfigError: the text is something else, or names a box twice.
    """
    pairs: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        found = _PAIR.match(text, position)
        if not found or found[1] in dict(pairs):
            problem = (
                _("box {found} is linked twice", found=repr(found[1][:60]))
                if found
                else _("cannot read {text}", text=repr(text[position:][:60]))
            )
            raise ConfigError(problem, Problem.LINK, _("write 'box: target, box: target'"))
        pairs.append((found[1], found[2]))
        position = found.end()
    return tuple(pairs)
