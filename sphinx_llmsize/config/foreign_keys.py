"""Keys of other families that a ``config.json`` may have, and their values that change nothing.

``known_keys.txt`` lists the keys of all configurations with their use: ``size`` if a size depends
on the key, so that a family without it is another architecture; ``shared`` if files of other
families also have the key, where it changes no size; nothing if no size ever depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from sphinx_llmsize.sources.located import Entry, Section

PLAIN_VALUES: dict[str, tuple[object, ...]] = {
    "attention_head_type": ("multihead",),
    "attn_config.alibi": (True,),
    "attn_config.attn_type": ("multihead_attention",),
    "expansion_ratio": (4,),
    "ffn_config.ffn_type": ("mptmlp",),
    "layer_types": ("full_attention", "attention", "indexed_attention"),
    "no_bias": (),
    "position_embedding_type": (
        "absolute",
        "learned",
        "nope",
        "none",
        "rope",
        "rope_gptj",
        "rotary",
    ),
}
"""Values of keys that name the usual architecture; lists must consist of them."""


def affects_no_size(name: str) -> bool:
    """True for a known key that no size depends on: dropout, rope_theta."""
    return _uses().get(name) == ""


def is_known_elsewhere(name: str) -> bool:
    """True for a key that occurs in the configuration of some model, so it isn't misspelled."""
    return name in _uses()


def foreign_sizes(entry: Entry) -> Iterator[Entry]:
    """Yield what an unknown entry says about sizes of another architecture.

    The entry itself, or the entries of its mapping with dotted names: ``attn_config.qk_ln``.
    """
    inner = {name for name in _uses() if name.startswith(f"{entry.key}.")}
    if isinstance(entry.value, Section) and inner:
        for each in entry.value.entries:
            yield from foreign_sizes(Entry(f"{entry.key}.{each.key}", each.value, each.line))
    elif _uses().get(entry.key) == "size" and not is_plain(entry):
        yield entry


def is_plain(entry: Entry) -> bool:
    """True for a value that changes nothing: null, false, 0, 1, empty, or the usual choice."""
    if (plain := PLAIN_VALUES.get(entry.key)) is not None:
        values = entry.value if isinstance(entry.value, tuple) else (entry.value,)
        return all(value is None or value in plain for value in values)
    if isinstance(entry.value, Section):
        return not entry.value.entries
    return entry.value is not True and entry.value in {None, False, 1, "", ()}


@cache
def _uses() -> dict[str, str]:
    text = files("sphinx_llmsize.config").joinpath("known_keys.txt").read_text("utf-8")
    words = (line.partition(" ") for line in text.splitlines())
    return {name: use for name, _, use in words}
