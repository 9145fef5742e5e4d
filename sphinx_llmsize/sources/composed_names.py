"""Names in a text of several, and hints for texts that contain a name or a part of one.

``gpt2 vs llama-7b`` contains two names. ``ours`` may be the beginning of ``ours: large``, which
roles read as the quantity ``large`` of a model ``ours``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sphinx_llmsize.errors import suggestion
from sphinx_llmsize.translation import _

_BETWEEN = re.compile(
    r"\s*,\s*|\s*(?:->|→)\s*|\s+(?:(?:vs\.?|versus|and|or|to|&)\s+)?", re.IGNORECASE
)
"""Text between two names."""
_IN_ANGLES = re.compile(r".*<(?P<name>[^<>]+)>")
"""Name as the target of a role: ``the model <llama-7b>``."""
_DOTTED = re.compile(r"(?P<name>.+)\.(?P<quantity>[A-Za-z_]+)")
"""Name and quantity with a dot in place of a colon: ``llama-7b.total``."""

_SIGN = re.compile(r"\s*[:?,]|\s+/\s")
"""Sign at which roles and comparisons end a name."""


def hint_for_part_of_name(part: str, names: Iterable[str]) -> str:
    """Hint for the part of a model's name before a :data:`_SIGN`; empty for any other text.

    A name with such a sign can be shown, but roles and comparisons can't refer to it.

    Args:
        part: the unknown name.
        names: names of models that the page and the project describe.
    """
    for name in names:
        for sign in _SIGN.finditer(name):
            if name[: sign.start()].casefold() == part.casefold():
                return _(
                    "{name} can't be referred to: give it a name without {sign}",
                    name=repr(name[:60]),
                    sign=repr(sign[0].strip()),
                )
    return ""


def several_names(text: str, is_known: Callable[[str], bool]) -> list[str]:
    """The names in a text of several names; empty for any other text.

    Known names may be separated by commas, spaces or words such as ``vs``, other names by commas.

    Args:
        text: the text, which is no name itself.
        is_known: function that is true for the names of models.
    """
    if names := _known_names(text, is_known):
        return names
    return [name.strip() for name in text.split(",")] if "," in text else []


def hint_for_composed(text: str, is_known: Callable[[str], bool]) -> str:
    """Hint for a text of known names and signs, such as ``gpt2/llama-7b``; empty for any other.

    Args:
        text: the unknown name.
        is_known: function that is true for the names of models.
    """
    if names := _known_names(text, is_known):
        joined = ", ".join(names)
        return _("show several models with llm-compare, with commas: {names}", names=joined)
    names = text.split("/")
    if len(names) > 1 and all(map(is_known, names)):
        return suggestion(" / ".join(names))
    if (found := _IN_ANGLES.fullmatch(text)) and is_known(found["name"]):
        return suggestion(found["name"])
    if (found := _DOTTED.fullmatch(text)) and is_known(found["name"]):
        return suggestion(f"{found['name']}:{found['quantity']}")
    return ""


def _known_names(text: str, is_known: Callable[[str], bool]) -> list[str]:
    """The names in a text of several known names; empty for any other text."""
    names = _BETWEEN.split(text)
    return names if len(names) > 1 and all(map(is_known, names)) else []
