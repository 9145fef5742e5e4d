"""Valid and invalid values of each kind of key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sphinx_llmsize import ConfigError
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import MAX_COUNT, Key, ValueKind, check_value
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.located import Entry, Section

FIT: dict[ValueKind, tuple[object, ...]] = {
    ValueKind.COUNT: (1, MAX_COUNT),
    ValueKind.WHOLE: (0, 1),
    ValueKind.LAYER: (0, -1),
    ValueKind.WINDOW: (4096, -1),
    ValueKind.POSITIVE: (1, 1.5),
    ValueKind.FLAG: (True, False),
    ValueKind.NAME: ("llama",),
    ValueKind.CHOICE: ("silu", True),
    ValueKind.SECTION: (Section(()),),
    ValueKind.WHOLE_OR_LIST: (1, (1, 0)),
    ValueKind.NAMES: (("a", "b"), ()),
    ValueKind.POSITIVE_OR_LIST: (1.5, (0.5, 4)),
    ValueKind.SECTIONS: ((), (Section(()),)),
    ValueKind.LAYERS: ((), (3, 4)),
    ValueKind.LAYER_TEXT: ((), (3, 4)),
    ValueKind.PATTERN: (6, "LLG"),
    ValueKind.TURNS: (((("global", "local"), 12),),),
}
NO_COUNT = (0, -1, 1.0, "1", True, None, MAX_COUNT + 1, (1,))
UNFIT: dict[ValueKind, tuple[object, ...]] = {
    ValueKind.COUNT: NO_COUNT,
    ValueKind.WHOLE: (-1, 1.0, "1", True, None, MAX_COUNT + 1),
    ValueKind.LAYER: (-2, -1.0, "1", True, MAX_COUNT + 1),
    ValueKind.WINDOW: (-2, -1.0),
    ValueKind.POSITIVE: (0, -1.5, "1", True, 2.0 * MAX_COUNT),
    ValueKind.FLAG: (0, 1, "true", None),
    ValueKind.NAME: (1, True, ("llama",)),
    ValueKind.CHOICE: (1, ("silu",)),
    ValueKind.SECTION: ("a", (), 1),
    ValueKind.WHOLE_OR_LIST: ((1, -1), ("1",), "1", 1.0),
    ValueKind.NAMES: ("a", ("a", 1), 1),
    ValueKind.POSITIVE_OR_LIST: (0, "1", (1, "2"), (1, 0), True),
    ValueKind.SECTIONS: (Section(()), (1,), "a"),
    ValueKind.LAYER_TEXT: ("", "a", "3,", "3, ²", "9" * 5000, "-1", (1, -1), 1.5),
    ValueKind.PATTERN: ("", "LX", ("L", "G"), 1.5),
    ValueKind.TURNS: ("", (12,), (("global", 12),), ((("global",), "12"),), ((("global",), 1, 2),)),
}


@pytest.mark.parametrize("kind", FIT)
def test_valid_values(kind: ValueKind) -> None:
    for value in FIT[kind]:
        assert check_value(Entry("key", value, 0), Key("key", "", kind=kind)) == value  # type: ignore[arg-type]


def test_numbers_of_layers_become_a_list() -> None:
    for value, numbers in ((3, (3,)), ("3", (3,)), ("3, 4", (3, 4))):
        key = Key("key", "", kind=ValueKind.LAYER_TEXT)
        assert check_value(Entry("key", value, 0), key) == numbers
    assert check_value(Entry("key", 3, 0), Key("key", "", kind=ValueKind.LAYERS)) == (3,)
    assert check_value(Entry("key", None, 0), replace(key, optional=True)) is None


@pytest.mark.parametrize("kind", UNFIT)
def test_invalid_values(kind: ValueKind) -> None:
    for value in UNFIT[kind]:
        with pytest.raises(ConfigError, match="key must be"):
            check_value(Entry("key", value, 0), Key("key", "", kind=kind))  # type: ignore[arg-type]


def test_only_a_size_that_may_be_null_is_automatic() -> None:
    auto = Entry("key", "auto", 0)
    assert check_value(auto, Key("key", "", optional=True)) is None
    assert check_value(auto, Key("key", "", kind=ValueKind.NAME, optional=True)) == "auto"
    with pytest.raises(ConfigError, match="not the text 'auto'"):
        check_value(auto, Key("key", ""))


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (4096.0, "write 4096"),
        ("9" * 70, "at most 1,000,000,000,000,000"),
        (1e300, "write digits only"),
        (0.0, "write digits only"),
        (MAX_COUNT + 1, "at most 1,000,000,000,000,000"),
        (-1, "write digits only"),
        ("0064", "write 64 without quotes"),
        ("\u0664", "write digits only"),
        ("four", "write digits only"),
    ],
)
def test_suggested_values(value: object, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_value(Entry("key", value, 0), Key("key", ""))  # type: ignore[arg-type]
    assert hint in caught.value.hint


def test_whole_floats_are_shown_with_a_decimal_point() -> None:
    with pytest.raises(ConfigError, match=r"not 4096\.0"):
        check_value(Entry("key", 4096.0, 0), Key("key", ""))


def test_a_size_without_a_value_or_default_is_missing() -> None:
    size = Key("key", "", optional=True)
    with pytest.raises(ConfigError, match="key has no value") as caught:
        Config(((size, None),)).count(size)
    assert caught.value.problem is Problem.MISSING
