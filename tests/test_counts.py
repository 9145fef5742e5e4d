"""Exact parameter counts."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.sources.preset_files import presets

TRUTH = json.loads((Path(__file__).parent / "data" / "truth.json").read_text("utf-8"))
"""Configurations with the parameter counts of the models that transformers builds from them."""
PRESET_FILES = sorted((Path(__file__).parent.parent / "sphinx_llmsize/presets").glob("*.json"))
TEXTBOOK = {"hidden_dim": 4096, "num_layers": 32, "num_heads": 32, "vocab_size": 50_000}
SMALL_LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 100,
}


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("llama-7b", 6_738_415_616),
        ("llama-13b", 13_015_864_320),
        ("llama-30b", 32_528_943_616),
        ("llama-65b", 65_285_660_672),
        ("llama-2-7b", 6_738_415_616),
        ("llama-2-13b", 13_015_864_320),
        ("llama-2-70b", 68_976_648_192),
        ("llama-3-8b", 8_030_261_248),
        ("llama-3-70b", 70_553_706_496),
        ("llama-3.1-8b", 8_030_261_248),
        ("llama-3.1-70b", 70_553_706_496),
        ("llama-3.1-405b", 405_853_388_800),
        ("llama-3.2-1b", 1_235_814_400),
        ("llama-3.2-3b", 3_212_749_824),
        ("gpt2", 124_439_808),
        ("gpt2-medium", 354_823_168),
        ("gpt2-large", 774_030_080),
        ("gpt2-xl", 1_557_611_200),
    ],
)
def test_released_models(name: str, total: int) -> None:
    assert load(name).total == total


def test_presets_have_their_published_total() -> None:
    models = {name: load(name) for name in presets()}
    published = {name: preset.total for name, preset in presets().items() if preset.total}
    assert {name: models[name].total for name in published} == published
    assert {n: model.name for n, model in models.items()} == {
        n: preset.title for n, preset in presets().items()
    }
    assert [name for name, p in presets().items() if not p.source.startswith("https://")] == []


def test_components_of_presets_add_up_to_their_total() -> None:
    models = {name: load(name) for name in presets()}
    sums = {name: sum(model.components.values()) for name, model in models.items()}
    assert sums == {name: model.total for name, model in models.items()}
    assert [name for name, model in models.items() if model.active > model.total] == []


def test_mimo_without_its_layer_for_further_tokens() -> None:
    """The released weights: 7,833,409,536, with one more layer, its projection and its norms."""
    model = load("mimo-7b")
    layer = load("mimo-7b", {"num_layers": 1}).non_embedding - 4096
    assert model.total + layer + 2 * 4096 * 4096 + 3 * 4096 == 7_833_409_536


def test_names_and_hub_ids_of_presets_are_unique() -> None:
    files = (json.loads(file.read_text("utf-8"), object_pairs_hook=list) for file in PRESET_FILES)
    entries = [(name, dict(fields)) for file in files for name, fields in file]
    names = Counter(text.casefold() for name, fields in entries for text in (name, *fields["hub"]))
    assert [name for name, count in names.items() if count > 1] == []


def test_same_as_transformers_builds() -> None:
    for entry, spelling in product(TRUTH, ("config", "config_json")):
        config = {"model_type": entry["model_type"], **entry[spelling]}
        if entry["name"].endswith("(MaskedLM)"):
            config["architectures"] = entry["config_json"]["architectures"]
        model = load(config)
        owned = {name: count for name, count in model.components.items() if count}
        if entry["model_type"] == "nemotron_h" and "mlp_down" in owned:
            # named mixer.down_proj in transformers, so the test data count it as a mixer
            owned["ssm"] += owned.pop("mlp_down")
        label = (entry["name"], spelling)
        assert (model.total, owned) == (entry["total"], entry["components"]), label
        assert model.active == (entry["active"] or entry["total"]), label


def test_textbook_decoder() -> None:
    model = load(TEXTBOOK)
    layers = model.total - model.components["token_embedding"] - model.components["lm_head"]
    assert layers == model.non_embedding == 32 * 12 * 4096**2 == 6_442_450_944
    assert model.components["token_embedding"] == model.components["lm_head"] == 204_800_000
    assert "norms" not in model.components


@pytest.mark.parametrize(
    ("changes", "layer"),
    [
        ({"num_kv_heads": 8}, (2 * 4096**2 + 2 * 4096 * 1024) + 8 * 4096**2),
        ({"head_dim": 64}, 4 * 4096 * 2048 + 8 * 4096**2),
        ({"ffn_dim": 11_008}, 4 * 4096**2 + 2 * 4096 * 11_008),
    ],
)
def test_textbook_decoder_with_optional_keys(changes: dict[str, int], layer: int) -> None:
    assert load({**TEXTBOOK, **changes}).non_embedding == 32 * layer


@pytest.mark.parametrize(
    ("config", "ffn_dim"),
    [
        ({"dim": 4096, "multiple_of": 256}, 11_008),
        ({"dim": 5120, "multiple_of": 256}, 13_824),
        ({"dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3}, 28_672),
        ({"dim": 4096, "multiple_of": 1024, "ffn_dim_multiplier": 1.3}, 14_336),
        ({"dim": 4096, "ffn_dim_multiplier": 1.3}, 14_336),
        ({"dim": 4096, "multiple_of": 256, "intermediate_size": 11_008}, 11_008),
        ({"dim": 4096}, 11_008),
    ],
)
def test_feed_forward_width_as_llama_derives_it(config: dict[str, Any], ffn_dim: int) -> None:
    model = load({"model_type": "llama", "n_layers": 1, "n_heads": 32, **config})
    assert model.components["mlp_up"] == config["dim"] * ffn_dim


def test_tied_head_has_no_parameters_of_its_own() -> None:
    tied = load({**SMALL_LLAMA, "tie_word_embeddings": True})
    assert tied.components["lm_head"] == 0
    assert load(SMALL_LLAMA).total - tied.total == 100 * 64


@pytest.mark.parametrize("model_type", ["inkling_text", "inkling2_text", "nemotron_h"])
def test_a_head_that_is_never_tied(model_type: str) -> None:
    tied = load({"model_type": model_type, "tie_word_embeddings": True})
    assert tied.total == load({"model_type": model_type}).total
    assert any("never tied" in note for note in tied.architecture.notes)


def test_grouped_queries_share_keys_and_values() -> None:
    components = load({**SMALL_LLAMA, "num_key_value_heads": 1}).components
    assert components["attn_k"] == components["attn_v"] == components["attn_q"] // 4


@pytest.mark.parametrize(
    ("flag", "biases"),
    [("attention_bias", 2 * (4 * 64)), ("mlp_bias", 2 * (128 + 128 + 64))],
)
def test_biases(flag: str, biases: int) -> None:
    assert load({**SMALL_LLAMA, flag: True}).total - load(SMALL_LLAMA).total == biases


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("LLaMA-7B", "llama-7b"),
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b"),
        ("META-LLAMA/llama-3.1-8b", "llama-3.1-8b"),
        ("openai-community/gpt2-xl", "gpt2-xl"),
    ],
)
def test_hub_ids_and_any_letter_case(name: str, preset: str) -> None:
    assert load(name) == load(preset)


def test_non_embedding_excludes_embeddings_and_head() -> None:
    model = load("gpt2")
    embeddings = model.components["token_embedding"] + model.components["position_embedding"]
    assert model.non_embedding == model.total - embeddings == 85_056_000


def test_a_billion_layers_are_not_unrolled() -> None:
    model = load("llama-7b", {"num_layers": 10**9})
    assert model.total == 10**9 * 202_383_360 + 2 * 131_072_000 + 4096


def test_nor_are_a_billion_layers_whose_heads_could_be_listed() -> None:
    openelm = {"model_type": "openelm", "num_layers": 10**9}
    one, two = (load({**openelm, "num_layers": layers}).total for layers in (1, 2))
    assert load(openelm).total == two + (10**9 - 2) * (two - one)


def test_a_preset_with_keys_changed() -> None:
    model = load("llama-7b", {"num_layers": 40})
    assert [(change.key.name, change.value) for change in model.changes] == [("num_layers", 40)]
    assert model.total - load("llama-7b").total == 8 * 202_383_360


def test_models_are_compared_by_value() -> None:
    model = load("llama-7b")
    copy = pickle.loads(pickle.dumps(model))
    assert copy.total == model.total
    assert {model: "found"}.get(copy) == "found"


def test_architectures_selects_the_family() -> None:
    config_json = {**SMALL_LLAMA, "architectures": ["LlamaForCausalLM"]}
    del config_json["model_type"]
    assert load(config_json).components == load(SMALL_LLAMA).components


def test_a_configuration_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(SMALL_LLAMA), "utf-8")
    assert load(path).name == "mine"
    assert load("other", str(path)).components == load(SMALL_LLAMA).components
