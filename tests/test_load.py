"""Loading by name and from files, and how it fails."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from families import DEFAULTS

from sphinx_llmsize import ConfigError, UnknownModel, load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Facts
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.numbers.role_text import role_text
from sphinx_llmsize.views.view_options import ViewOptions


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("gemma-3-27b", "gemma-3-27b-it"),
        ("llama-3-8b-instruct", "llama-3-8b"),
        ("Meta-Llama-3-8B-Instruct", "llama-3-8b"),
        ("llama-2-7b-hf", "llama-2-7b"),
        ("Qwen2.5-7B-Instruct", "qwen2.5-7b"),
        ("Hermes-3-Llama-3.1-8B", "llama-3.1-8b"),
        ("granite-3.3-8b-instruct", "granite-3.3-8b"),
        ("medgemma-4b-it", "medgemma-4b"),
        ("e5-mistral-7b-instruct", "e5-mistral-7b"),
        # an organisation's former name
        ("CohereForAI/aya-23-8B", "aya-23-8b"),
        ("THUDM/chatglm3-6b", "chatglm3-6b"),
    ],
)
def test_names_that_people_type(name: str, preset: str) -> None:
    assert load(name) == load(preset)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("llama-7", "did you mean 'llama-7b'?"),
        ("OPT 13B", "did you mean 'opt-13b'?"),
        ("opt-1-3b", "did you mean 'opt-1.3b'?"),
        ("Lama-3-8B", "did you mean 'llama-3-8b'?"),
        ("gpt_2", "did you mean 'gpt2'?"),
        ("meta-llama/Llama-3.1-8", "did you mean 'llama-3.1-8b'?"),
        ("gpt2-small", "did you mean 'gpt2'?"),
        ("llama2-7b", "did you mean 'llama-2-7b'?"),
        ("llama3", "did you mean 'llama-3-8b'?"),
        ("mistral-7b", "did you mean 'mistral-7b-v0.1'?"),
        ("llama-3-8b-my-finetune", "did you mean 'llama-3-8b'?"),
        # another kind of model of the line, not a misspelling of qwen3-32b
        ("qwen3-audio-32b", "names of this line: qwen3-"),
        ("exaone", "names of this line: exaone-"),
        ("gpt-99", "names of this line: gpt"),
        ("qqq", "llmsize list"),
        ("", "llmsize list"),
    ],
)
def test_names_that_are_no_preset(name: str, hint: str) -> None:
    with pytest.raises(UnknownModel) as caught:
        load(name)
    assert isinstance(caught.value, LookupError)
    assert hint in caught.value.hint


def test_a_text_that_is_a_path_or_several_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint is in Python, not in the markup of directives."""
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine", "config.json").write_text("{}")
    Path("file").write_text("{}")
    found = str(Path("mine", "config.json"))
    for text, path in {"x.json": "x.json", "file": "file", "mine": found}.items():
        assert hint_of(text) == f"write the path of a file as load(Path({path!r}))"
    for text in ("gpt2 vs gpt2-xl", "gpt2, gpt2-xl", "gpt2 -> gpt2-xl"):
        assert hint_of(text) == 'write compare("gpt2", "gpt2-xl")'


def hint_of(name: str) -> str:
    with pytest.raises(UnknownModel) as caught:
        load(name)
    return caught.value.hint


def test_changed_keys_below_a_misspelt_preset_name() -> None:
    with pytest.raises(ConfigError, match="did you mean 'llama-3-8b'"):
        load("llama3-8b-long", {"num_layers": 3})
    with pytest.raises(ConfigError, match="missing hidden_dim") as caught:
        load("mine", {"num_layers": 3})
    assert "did you mean" not in caught.value.hint


def test_near_misses_of_files(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"confg.json': no such .*did you mean 'config.json'\?"):
        load(tmp_path / "confg.json")
    with pytest.raises(ConfigError, match=r"no such file or directory$"):
        load(tmp_path / "nowhere" / "confg.json")
    (tmp_path / "loose.json").symlink_to("nothing")
    for stranger in ("x.json", "loose.json"):
        with pytest.raises(ConfigError, match=r"no such file or directory$"):
            load(tmp_path / stranger)


@pytest.mark.parametrize("name", ["absent.json", "."])
def test_files_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read configuration file") as caught:
        load(tmp_path / name)
    assert caught.value.problem is Problem.FILE


@pytest.mark.parametrize("model", [None, 7, ["gpt2"], b"gpt2"])
def test_sources_of_the_wrong_type(model: Any) -> None:
    with pytest.raises(TypeError, match=f"not {type(model).__name__}"):
        load(model)
    if model is not None:
        with pytest.raises(TypeError, match=f"not {type(model).__name__}"):
            load("mine", model)


@pytest.mark.parametrize("model", [Path("mine.json"), {"model_type": "gpt2"}])
def test_a_second_configuration_is_not_ignored(model: Any) -> None:
    with pytest.raises(TypeError, match="not another configuration"):
        load(model, {"num_layers": 2})


@contextmanager
def passing_context() -> Iterator[None]:
    yield


def test_errors_pass_context_managers_and_can_be_pickled() -> None:
    with pytest.raises(UnknownModel) as caught, passing_context():
        load("llama-7")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_changed_copy_of_an_error_keeps_everything_else() -> None:
    error = UnknownModel("no model", Problem.MODEL, "a hint", 3, "a.md", "config")
    changed = error.replace(hint="another hint", line=None)
    assert type(changed) is UnknownModel
    assert vars(changed) == {**vars(error), "hint": "another hint", "line": None}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("comment.yaml", "# mine\n" + "\n" * 200 + "hidden_dm: 64"),
        ("quotes.json", '"' + '\\"' * 100_000),
        ("keys.json", "{" + ",\n".join(f'"hidden_{i}": 1' for i in range(10_000)) + "}"),
    ],
)
def test_no_text_is_slow_to_read(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "sphinx_llmsize", "show", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=15, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"model_type": "bamba", "mamba_conv_bias": None}, {"mamba_conv_bias": False}),
        ({"model_type": "gemma4_text", "per_layer_config": None}, {"per_layer_config": {}}),
        ({"model_type": "t5", "tie_word_embeddings": None}, {"tie_word_embeddings": True}),
        ({"model_type": "gpt_oss", "experts_per_token": 4, "num_experts_per_tok": 4}, {}),
        ({"model_type": "mamba", "expand": 9, "intermediate_size": 1536}, {"expand": 2}),
    ],
)
def test_configurations_of_other_programs(
    given: dict[str, object], meant: dict[str, object]
) -> None:
    assert load(given).total == load({"model_type": given["model_type"], **meant}).total


def test_a_text_part_that_has_the_name_of_the_whole() -> None:
    text = {"hidden_size": 640, "num_hidden_layers": 2}
    named = {"model_type": "gemma3", "text_config": {"model_type": "gemma3", **text}}
    assert load(named).total == load({"model_type": "gemma3_text", **text}).total


def test_a_list_of_no_layers_is_refused() -> None:
    with pytest.raises(ConfigError, match="without layers"):
        load({"model_type": "nemotron_h", "layers_block_type": []})


class Failing:
    """An object with methods that all raise an exception."""

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __hash__ = __eq__ = __repr__  # type: ignore[assignment]


class FailingText(str):
    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __format__ = __repr__  # type: ignore[assignment]


class FailingNumber(int):
    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __format__ = __repr__  # type: ignore[assignment]


class FailingMapping(dict[str, object]):
    def items(self) -> Any:
        raise RuntimeError


@pytest.mark.parametrize(
    "value", [{2}, b"2", 2j, object(), Failing()], ids=lambda v: type(v).__name__
)
def test_values_that_no_configuration_has(value: object) -> None:
    with pytest.raises(ConfigError, match="num_layers cannot be of type"):
        load({"num_layers": value})


@pytest.mark.parametrize(
    "key", [None, (1, 2), b"num_layers", 10**5000], ids=["none", "tuple", "bytes", "int"]
)
def test_keys_that_no_configuration_has(key: Any) -> None:
    with pytest.raises(ConfigError, match="a key cannot"):
        load({key: 2})


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = {"a": value}
    return value


HOSTILE = [10**5000, -(10**5000), nested(5000), [10**5000], FailingText("q"), FailingNumber(-3)]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "key", ["num_layers", "model_type", "layer_types", "text_config", "no_key"]
)
@pytest.mark.parametrize("base", [{}, {"model_type": "gpt_oss"}], ids=["textbook", "family"])
def test_hostile_values_are_refused_or_ignored(
    base: dict[str, object], key: str, value: object
) -> None:
    for arguments in (({**base, key: value},), ("gpt-oss-20b", {key: value})):
        with suppress(ConfigError):
            load(*arguments)


def test_a_mapping_that_fails() -> None:
    with pytest.raises(ConfigError, match="cannot be read: RuntimeError"):
        load(FailingMapping(num_layers=2))


@pytest.mark.parametrize("family", ["gemma4_text", "dots3_note_text"])
def test_a_layer_with_a_long_number(family: str) -> None:
    with pytest.raises(ConfigError, match="per_layer_config does not give all"):
        load({"model_type": family, "per_layer_config": {"9" * 5000: {"head_dim": 1}}})


@pytest.mark.parametrize(
    ("name", "shown"),
    [("\u202eModel", "Model"), ("a\x1b[1m\x9b\ud800", "a[1m"), ("a\n\u2029b\t", "a b")],
)
def test_names_are_one_line_of_visible_characters(name: str, shown: str) -> None:
    assert load(name, {"model_type": "gpt2"}).name == shown


def test_mappings_within_each_other_without_end() -> None:
    mapping: dict[str, object] = {}
    mapping["a"] = mapping
    with pytest.raises(ConfigError, match="levels of nesting"):
        load({"model_type": "gpt2", "a": mapping})


def test_models_pass_between_processes() -> None:
    """Presets, and the default model of every family."""
    for source in (*presets(), *DEFAULTS.values()):
        model = load(source)
        passed = pickle.loads(pickle.dumps(model))
        assert passed == model
        assert hash(passed) == hash(model)


@pytest.mark.parametrize(
    ("group", "share"),
    [("embedding", "1.9%"), ("attention", "31.9%"), ("feed_forward", "64.2%"), ("head", "1.9%")],
)
def test_groups_have_ids_that_are_no_labels(
    group: str, share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for member in Group:
        monkeypatch.setattr(member, "label", "Anything")
    assert role_text(f"llama-7b:{group}:share", lambda wanted: load(wanted.model)) == share


def test_a_configuration_alone_has_no_name() -> None:
    model = load({"model_type": "bert"})
    blocks = document(model, tuple(VIEWS), ViewOptions())
    captions = [title for block in blocks if (title := getattr(block, "title", ""))]
    assert {"Parameters by component", "Pipeline", "Memory for the weights"} <= {*captions}
    assert [caption for caption in captions if "  " in caption or "of ," in caption] == []
    assert model.name == ""
    assert isinstance(blocks[0], Facts)
    assert blocks[0].heading == "109,482,240 parameters"
    with pytest.raises(ConfigError, match="this model has no KV cache"):
        number_text(model, ("kv_cache", "512"))


def test_only_views_check_the_number_of_positions() -> None:
    model = load("gpt2")
    for option, view, count in (
        ("context", "memory", Model.cache_elements),
        ("tokens", "compute", Model.flops),
    ):
        assert count(model, 2048) > count(model, 1024)
        with pytest.raises(ConfigError, match=r"more than GPT-2 small has positions for \(at most"):
            model.show(view, **{option: 2048})


@pytest.mark.parametrize("count", [Model.flops, Model.cache_elements])
def test_a_negative_number_of_tokens_is_an_error(count: Callable[[Model, int], int]) -> None:
    assert count(load("gpt2"), 0) == 0
    with pytest.raises(ValueError, match="negative: -1"):
        count(load("gpt2"), -1)
