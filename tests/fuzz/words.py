"""Random texts of words that authors write; parsers accept more of them than of random bytes."""

from __future__ import annotations

import json
from functools import cache
from pprint import pformat
from random import Random
from typing import Any

from sphinx_llmsize.architecture.families import MODEL_TYPES, TEXT_TYPE_OF, family_named
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.config.keys import LAYER_TYPES
from sphinx_llmsize.hosts.sphinx.directive_options import CompareOptions, SizeOptions
from sphinx_llmsize.sandbox.template_functions import FILTERS, TESTS
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.sources.preset_files import preset_names, presets
from sphinx_llmsize.views import VIEWS
from sphinx_llmsize.views.numbers.number_formats import PARAMETER_FORMATS
from sphinx_llmsize.views.numbers.part_selection import GROUP_IDS, SUFFIXES
from sphinx_llmsize.views.numbers.unknown_numbers import QUANTITIES, TOTALS
from sphinx_llmsize.views.option_declarations import options_of
from sphinx_llmsize.views.shared.data_size import DTYPES, UNITS

Config = dict[str, Any]

ODD = (
    *("0", "-1", "-0", "1e3", "010", "1_000", "4096:00", "9" * 50, "1e400", ".5", "1.0", "NaN"),
    *("-Infinity", "null", "~", "true", "yes", "[]", "{}", "''", '"', "\\ud800", "\u202e", "\x00"),
    *("\u2028", "\x85", "\ufeff", "&a", "*a", "!!python/object:os.system", "<<", "- ", "? ", "|\n"),
    *("#", "%", "@", "`", "---\n", "...\n", "\t", "\r\n", "[" * 30, "{a: " * 30, "(" * 90),
    *("½", "４"),
    *("auto", "LG", "[[1, 2]]", "[['full_attention'], 2]", "1/0", "10**9", "lambda: 0", "dict("),
)
"""Unusual values and pieces of syntax."""
EXPRESSIONS = (
    *("{{ ", " }}", "{% ", " %}", "{# ", " #}", "for ", " in ", "endfor", "if ", "else", "endif"),
    *("set ", " = ", "range(", ")", "(", "[", "]", ".", ", ", " | ", " is ", " not ", " ~ "),
    *(" ** ", " // ", " / ", " * ", " + ", " % ", " - ", " == ", " < ", " and ", " or ", "0.1"),
    *('model("gpt2")', "m", ".total", ".components", ".items()", ".number(", '"', "'", "__class__"),
    *("elif ", "raw", "endraw", "macro f()", "import ", "{%- ", " -%}", "1e308", "2"),
    *("none", "loop.index"),
)
ROLE = (
    *(":", "?", "&", "=", " / ", ".", "+", "*2", "qkv", "c", "dense", *SUFFIXES),
    *(*PARAMETER_FORMATS, *TOTALS, *QUANTITIES, *GROUP_IDS, *DTYPES, *UNITS),
)
FILTER_NAMES = (*FILTERS, *TESTS)


def config(random: Random) -> Config:
    """A configuration of any family: the keys of a preset or a few sizes, some of them changed."""
    if random.random() < 0.4:
        found: Config = _plain(random.choice(list(presets().values())).section)
    else:
        sizes = {"hidden_dim": 64, "num_layers": 4, "num_heads": 4, "vocab_size": 100}
        found = {**({"model_type": _type(random)} if random.random() < 0.8 else {}), **sizes}
    keys = keys_of(str(found.get("model_type", "")))
    for _ in range(random.randrange(6)):
        key = random.choice(keys)
        found[random.choice(key.names)] = value(key.kind, random)
    if found and random.random() < 0.2:
        del found[random.choice(list(found))]
    return found


BLOCKS = [
    {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 1.5}},
    {"attention": {"no_op": True}, "ffn": {"replace_with_linear": True}},
]
"""Entries of ``block_configs`` (Nemotron-NAS)."""


def value(kind: ValueKind, random: Random) -> Any:
    """A value of this kind, or rarely of another one."""
    if random.random() < 0.1:
        kind = random.choice(list(ValueKind))
    counts = [random.choice((0, 1, 2, 3, 4, 8, 64)) for _ in range(4)]
    names = [random.choice(("attention", "full_attention", "mamba", "moe", "E", *_layers()))] * 4
    return random.choice(
        {
            ValueKind.FLAG: (True, False),
            ValueKind.POSITIVE: (0.5, 1, 2.6875, 1e-9, 1e15),
            ValueKind.NAME: ("gelu", "silu", "rms", "relative_key", ""),
            ValueKind.NAMES: (names, []),
            ValueKind.CHOICE: (True, "all", "none"),
            ValueKind.SECTION: ({}, {"top_k": 2}, {"rank": 4}),
            ValueKind.POSITIVE_OR_LIST: (0.5, [0.5, 4.0], [1, 2, 3], []),
            ValueKind.SECTIONS: (BLOCKS, BLOCKS[:1], [{}], []),
            ValueKind.LAYER_TEXT: ("1,2", "0", counts, 1),
            ValueKind.WHOLE_OR_LIST: (counts, 3, []),
            ValueKind.LAYERS: (counts, 1, []),
            ValueKind.LETTERS: ("MEM*", "LG", ""),
            ValueKind.PATTERN: ("LG", "LLLG", 2),
            ValueKind.TURNS: ([[["global"], 2]], [[["global", "local"], 1], [["local"], 2]], []),
            ValueKind.LAYER: (0, 1, -1),
            ValueKind.WINDOW: (0, -1, None, 16),
        }.get(kind, (1, 2, 3, 4, 8, 16, 64, 0, 10**15, None))
    )


def to_text(keys: Config, random: Random) -> str:
    """A configuration as YAML, JSON or a Python dict."""
    syntax = random.choice(("json", "python", "yaml", "yaml"))
    if syntax == "json":
        return json.dumps(keys, indent=random.choice((None, 2)))
    if syntax == "python":
        return f"config = {pformat(keys, sort_dicts=False)}  # sizes"
    return "\n".join(f"{key}: {json.dumps(value)}" for key, value in keys.items())


def name(random: Random) -> str:
    """Name of a preset."""
    return random.choice(preset_names())


def key_name(random: Random) -> str:
    """A name of any key of any family."""
    return random.choice(random.choice(keys_of(_type(random))).names)


def options(random: Random, *, compare: bool = False) -> str:
    """A few options with values, one on each line."""
    names = options_of(CompareOptions if compare else SizeOptions)
    chosen = random.sample(list(names), random.randrange(4))
    return "".join(f":{option}: {_option(option, random)}\n" for option in chosen)


def _option(option: str, random: Random) -> str:
    views = ", ".join(random.choices([*VIEWS], k=2))
    texts = {
        "show": (views, random.choice(list(VIEWS))),
        "detail": ("tensor", "component", "brief", "full"),
        "labels": ("qkv: a, norms: b", 'lm_head: "a: b"', "x", "tokens: | <b>"),
        "direction": ("LR", "TB", "RL"),
        "vary": (key_name(random), "hidden_dim", "num_layers"),
        "follow": (key_name(random), "ffn_dim, num_heads", ""),
        "factors": ("1/2, 1, 2", "0.5, 3", "1/3", "9999", "1.0001"),
        "dtype": (*DTYPES, "4.5", "0", "1e9"),
        "links": ("lm_head: https://example.org", "qkv: a, norm: b", "x"),
        "columns": (
            *("total, mlp:share", f"{key_name(random)}", "weights:fp8:GB, kv_cache:4096"),
            *('parameters:short "A, b", share', 'shape:symbols, weights:int4:GiB "', "layers:x"),
        ),
        "sort": ("total", "-total", key_name(random)),
        "scale": ("absolute", "relative"),
        "class": ("a b", "1"),
    }
    return random.choice(texts.get(option, ("1", "4,096", "1_000_000", "0", *ODD)))


def _type(random: Random) -> str:
    return random.choice((*MODEL_TYPES, *TEXT_TYPE_OF))


@cache
def keys_of(model_type: str) -> tuple[Key, ...]:
    """Every key of the family of this ``model_type``."""
    known = TEXT_TYPE_OF.get(model_type, model_type)
    return family_named(known if known in MODEL_TYPES else "").keys


@cache
def _layers() -> tuple[str, ...]:
    found = (family_named(name).defaults.get(LAYER_TYPES) for name in MODEL_TYPES)
    return tuple({kind for kinds in found if isinstance(kinds, tuple) for kind in kinds})


def _plain(section: Section) -> Config:
    return {entry.key: _value(entry.value) for entry in section.entries}


def _value(value: object) -> object:
    if isinstance(value, Section):
        return _plain(value)
    return [_value(item) for item in value] if isinstance(value, tuple) else value
