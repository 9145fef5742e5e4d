"""Nothing depends on labels: altered ones change no number, id, class or link."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from families import MODELS as MODEL_SOURCES
from relabelled import MARK, MODELS, data_and_pages

from sphinx_llmsize import load
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.numbers.number_labels import LABELS

SCRIPT = Path(__file__).parent / "relabelled.py"
LAYOUT = re.compile(
    r'colwidth="\d+"|llmsize-wide|llmsize-broad|llmsize-apart|\\begin\{array\}.*?\\end\{array\}|</?b>|<br>|#32;|\s',
    re.DOTALL,
)
"""Widths of columns and tables, and TeX and boxes, whose lines break by the length of names.

The data of the TeX is an attribute of its node.
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = data_and_pages(tmp_path_factory.mktemp("labels"))
    as_json: dict[str, Any] = json.loads(json.dumps(found))
    return as_json


@pytest.fixture(scope="module")
def altered() -> dict[str, Any]:
    """In a process of its own, which alters the labels."""
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def without_marks(page: str) -> str:
    """A page with its original labels, without layout, in lower case."""
    text = LAYOUT.sub("", page.casefold().replace(MARK, ""))
    return text.replace(",'')", ")").replace("<", "\n<")  # a text of nothing but a mark


@pytest.mark.presets
@pytest.mark.parametrize("name", MODELS)
def test_data_stays(name: str, original: dict[str, Any], altered: dict[str, Any]) -> None:
    assert altered["data"][name] == original["data"][name]
    assert MARK not in json.dumps(altered["data"][name])


@pytest.mark.presets
@pytest.mark.parametrize("name", ["index", *MODELS])
def test_nothing_but_labels_changes(
    name: str, original: dict[str, Any], altered: dict[str, Any]
) -> None:
    before, after = original["pages"][name], altered["pages"][name]
    assert MARK not in before
    assert after.count(MARK) > 10
    assert without_marks(after) == without_marks(before)


@pytest.mark.parametrize(
    "label", [Group.FEED_FORWARD.label, "QKV projection", "hidden dimension", "Total"]
)
def test_labels_change(label: str, original: dict[str, Any], altered: dict[str, Any]) -> None:
    assert f"{MARK}{label}" in altered["pages"]["llama-7b"]
    assert label in original["pages"]["llama-7b"]


@pytest.mark.presets
def test_every_component_has_a_label() -> None:
    sources = (*MODEL_SOURCES.values(), *WITH_OPTIONAL_PARTS)
    components = {
        tensor.component
        for model in (*map(load, sources), *models_of_every_class())
        for placed in model.architecture.placed_stages()
        for tensor in placed.stage.tensors
    }
    assert components - COMPONENT_LABELS.keys() == set()


WITH_OPTIONAL_PARTS: tuple[dict[str, Any], ...] = (
    {"model_type": "mvp", "use_prompt": True},
    {"model_type": "inkling_text", "num_first_dense_layers": 1},
    {"model_type": "xlm", "num_languages": 2},
)
"""Configurations with components that no model of :data:`MODEL_SOURCES` has."""


def models_of_every_class() -> Iterator[Model]:
    """A model of each class in ``classes.txt``, with the family's default sizes if it has any."""
    for model_type, names in classes().items():
        for name in names:
            with suppress(ConfigError):
                yield load({"model_type": model_type, "architectures": [name]})


def test_different_numbers_have_different_labels() -> None:
    """Two columns of a comparison never have the same heading, unless they mean the same."""
    names: dict[str, list[str]] = {}
    for name, label in LABELS.items():
        names.setdefault(label, []).append(name)
    assert [same for same in names.values() if len(same) > 1] == [
        ["attn_r", "attn_relative", "attn_relative_positions"],
        ["attention", "attn"],
        ["feed_forward", "mlp"],
    ]
