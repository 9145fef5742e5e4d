"""Keys of other families that a ``config.json`` may have, and their values that change nothing.

``known_keys.txt`` lists the keys of all families, each followed by its use:

- ``size``: sizes depend on the key; in a file of a family that lacks it, it means another
  architecture.
- ``shared``: sizes depend on the key, but it has no effect in files of families that lack it.
- ``neutral``: like ``shared``; authors may write it too, since most files have the key, such as
  ``max_position_embeddings``.
- no use: no size depends on the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from sphinx_llmsize.sources.located import Entry, Section

SIZE_WORDS = re.compile(
    "(^|_)(dims?|experts|ffn?|groups|heads|hidden|inner|intermediate|kernel|layers|mlp|rank)(_|$)"
)
"""Words in the names of keys that set sizes."""
SECTION_WORDS = re.compile("(^|_)(attention|attn|experts|ffn|mamba|mixer|mlp|moe|ssm)(_|$)")
"""Words in the names of mappings that describe a part of each layer."""
NOT_SIZE_WORDS = re.compile(
    "(^|_)(audio|image|img|max|min|mm|mtp|position|rope|rotary|seq|speech|video|vision|visual"
    "|vit|window)(_|$)"
)
"""Words in the names of keys that set no counted size: limits, angles, sizes of other towers."""
ACTIVATION_KEYS = ("activation", "activation_function", "hidden_act")
"""Keys that name the activation of the MLP."""
GATED_NAMES = re.compile("(?i)^((swi|ge|re|si)?glu$|gated)")
"""Names of activations with a gate."""
USUAL_VALUES: dict[str, tuple[object, ...]] = {
    "add_bias_fnn": (),  # null only: true and false are both in files of variants
    "attention_head_type": ("multihead",),
    "attn_config.alibi": (True,),
    "attn_config.attn_type": ("multihead_attention",),
    "expansion_ratio": (4,),
    "ffn_config.ffn_type": ("mptmlp",),
    "index_kpool_compress": (True,),
    "layer_types": ("full_attention", "attention", "indexed_attention"),
    "mhc": (True,),
    "no_bias": (),  # null only: false adds biases, true removes them
    "position_embedding_type": (
        "absolute",
        "learned",
        "nope",
        "none",
        "rope",
        "rope_gptj",
        "rotary",
    ),
    "tie_word_embeddings": (False,),
}
"""Values of keys that mean the usual architecture, besides null; so does a list of them."""


def affects_no_size(name: str) -> bool:
    """True for a known key, such as ``rope_theta``, on which no size depends."""
    return _uses().get(name) == ""


def has_no_effect(entry: Entry) -> bool:
    """True for a key, such as ``hidden_act``, that has no effect in families that lack it.

    Also for null under the name of a shared key. False for the name of an activation with a gate,
    which adds a matrix.
    """
    use = _uses().get(entry.key)
    if use == "shared":
        return entry.value is None
    return use == "neutral" and not names_gated_activation(entry)


def sets_size_elsewhere(entry: Entry) -> bool:
    """True for a number, a list or another value on which sizes of another family depend.

    Mappings don't count: the sizes are in their inner entries.
    """
    is_size = _uses().get(entry.key) == "size" or names_gated_activation(entry)
    return is_size and not isinstance(entry.value, Section)


def is_known_elsewhere(name: str) -> bool:
    """True for a key of any family; such a key is not a misspelling."""
    return name in _uses()


def sounds_like_size(entry: Entry) -> bool:
    """True for an unknown key with numbers above 1 and a name like ``ffn_embed_dim``.

    Also for a mapping with sizes and a name like ``moe_cfg``.
    """
    if isinstance(entry.value, Section) and SECTION_WORDS.search(entry.key):
        for inner in entry.value.entries:
            if sounds_like_size(inner) or list(sizes_of_other_families(inner)):
                return True
        return False
    values = entry.value if isinstance(entry.value, tuple) else (entry.value,)
    has_size = any(isinstance(value, int) and value > 1 for value in values)
    return has_size and bool(SIZE_WORDS.search(entry.key)) and not NOT_SIZE_WORDS.search(entry.key)


def sizes_of_other_families(entry: Entry) -> Iterator[Entry]:
    """Yield the entry if it sets a size of another architecture.

    Of a mapping, yield the inner entries that do, with dotted names: ``attn_config.qk_ln``.
    """
    has_inner_names = any(name.startswith(f"{entry.key}.") for name in _uses())
    if isinstance(entry.value, Section) and has_inner_names:
        for inner in entry.value.entries:
            yield from sizes_of_other_families(
                Entry(f"{entry.key}.{inner.key}", inner.value, inner.line)
            )
        return
    is_size = _uses().get(entry.key) == "size" and not is_usual_value(entry)
    if is_size or names_gated_activation(entry):
        yield entry


def names_gated_activation(entry: Entry) -> bool:
    """True for ``hidden_act: swiglu``: an MLP whose activation has a gate has a third matrix."""
    return entry.key in ACTIVATION_KEYS and bool(GATED_NAMES.search(str(entry.value)))


def is_usual_value(entry: Entry) -> bool:
    """True for a value that changes no size.

    For a key in ``USUAL_VALUES``, these are null, its usual values, and lists of them. For any
    other key, they are null, false, 0, 1 and empty values and, if the key names a width, lists of
    null, false, 0 and 1, as in MiniMax-M1's ``shared_intermediate_size``.
    """
    if entry.key in USUAL_VALUES:
        usual = USUAL_VALUES[entry.key]
        values = entry.value if isinstance(entry.value, tuple) else (entry.value,)
        return all(value is None or value in usual for value in values)
    if isinstance(entry.value, Section):
        return not entry.value.entries
    if isinstance(entry.value, tuple) and entry.key.endswith(("_dim", "_size")):
        return all(map(_is_off_or_one, entry.value))
    return _is_off_or_one(entry.value)


def _is_off_or_one(value: object) -> bool:
    """True for null, false, 0, 1 and empty values, but not for true, which equals 1 in Python."""
    return value is not True and value in {None, False, 1, "", ()}


@cache
def _uses() -> dict[str, str]:
    """Use of each key in ``known_keys.txt``."""
    text = files("sphinx_llmsize.config").joinpath("known_keys.txt").read_text("utf-8")
    words = (line.partition(" ") for line in text.splitlines())
    return {name: use for name, _, use in words}
