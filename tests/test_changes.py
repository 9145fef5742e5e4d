"""Changes to a model: keys that are set, and sizes that are scaled with those that follow."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
from families import EVERY_PRESET, ONE_OF_EACH_FAMILY, SOME_PRESETS
from project import Build

from sphinx_llmsize import ConfigError, Model, load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Table
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.config.symbols import H_DEC, H_ENC, W_A, H, P
from sphinx_llmsize.data import line_text
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.formats import thousands, three_digits
from sphinx_llmsize.make_model import with_settings
from sphinx_llmsize.sources.factor_text import is_scaling, scaling_factor
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.views import document
from sphinx_llmsize.views.scaling.scaled_models import scaled_models
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.model_titles import title
from sphinx_llmsize.views.view_options import ViewOptions


def sizes(model: Model, *names: str) -> tuple[object, ...]:
    """The values of these keys."""
    return tuple(dict(model.config.settings)[model.keys[name]] for name in names)


def outcome(scaled: Callable[[], Model]) -> object:
    """Parameters by component, or the message of the error."""
    try:
        return scaled().components
    except ConfigError as error:
        return error.message


def refused(model: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(model)
    return caught.value


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_PRESETS)
@pytest.mark.parametrize("key", ["hidden_dim", "num_layers"])
def test_a_scaled_model_is_that_of_the_scaling_view(name: str, key: str) -> None:
    def in_the_view() -> Model:
        options = ViewOptions(vary=key, factors=(Fraction(2),))
        return scaled_models(load(name), options).models[Fraction(2)]

    assert outcome(lambda: load(f"{name}?{key}*2")) == outcome(in_the_view)


def test_a_model_of_every_family_can_be_scaled() -> None:
    scaled = {n: outcome(partial(load, f"{n}?hidden_dim*2")) for n in ONE_OF_EACH_FAMILY}
    assert scaled
    assert not {name: error for name, error in scaled.items() if isinstance(error, str)}


def test_sliding_layers_have_the_scaled_sizes_of_the_others() -> None:
    """The preset gives their key/value heads, too, which must be as many as in the others."""
    sizes_of_twice = {
        "hidden_dim": 8192,
        "ffn_dim": 22_528,
        "expert_dim": 2560,
        "shared_expert_dim": 2560,
        "num_heads": 128,
        "num_sliding_heads": 192,
        "num_kv_heads": 16,
    }
    written = load("step-3.5-flash", sizes_of_twice)
    twice = load("step-3.5-flash?hidden_dim*2")
    assert twice.components == written.components
    qkv_and_output = 8192 * 128 * (12 * (2 * 128 + 2 * 16) + 33 * (2 * 192 + 2 * 16))
    gates = 8192 * (12 * 128 + 33 * 192)
    assert twice.parameters_in(Group.ATTENTION) == qkv_and_output + gates
    assert load("step-3.5-flash?num_kv_heads=4").total < load("step-3.5-flash").total


@pytest.mark.parametrize("name", [*ONE_OF_EACH_FAMILY[::20], "llama-7b"])
def test_the_scaling_view_prints_the_total_of_the_scaled_model(name: str) -> None:
    blocks = document(load(name), ("scaling",), ViewOptions(factors=(Fraction(2),)))
    table = next(block for block in blocks if isinstance(block, Table))
    total, ratio = map(line_text, table.rows[-1].cells[1])
    twice = load(f"{name}?hidden_dim*2").total
    assert total == thousands(twice)
    assert ratio == f"{three_digits(Fraction(twice, load(name).total))}×"


def test_twice_the_width_in_python() -> None:
    twice = load("llama-7b?hidden_dim*2")
    assert twice.total == 26_428_841_984
    assert sizes(twice, "hidden_dim", "ffn_dim", "num_heads", "head_dim") == (8192, 22016, 64, 128)
    assert load("llama-7b", {"hidden_dim": "*2"}).total == twice.total
    assert load("llama-7b?hidden_size×2").total == twice.total


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("hidden_dim/2", {"hidden_dim": 2048, "ffn_dim": 5504, "num_heads": 16}),
        ("hidden_dim*1.5", {"hidden_dim": 6144, "ffn_dim": 16512, "num_heads": 48}),
        ("hidden_dim*3/2", {"hidden_dim": 6144, "ffn_dim": 16512, "num_heads": 48}),
        ("ffn_dim*2", {"ffn_dim": 22016}),
        ("num_layers*2&ffn_dim/2", {"num_layers": 64, "ffn_dim": 5504}),
        (
            "hidden_dim*2&num_layers*2",
            {"hidden_dim": 8192, "ffn_dim": 22016, "num_heads": 64, "num_layers": 64},
        ),
        ("hidden_dim*1", {}),
    ],
)
def test_the_same_as_all_sizes_written(changes: str, expected: dict[str, object]) -> None:
    assert load(f"llama-7b?{changes}").components == load("llama-7b", expected).components


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("ffn_dim=11008&hidden_dim*2", {"hidden_dim": 8192, "ffn_dim": 11008, "num_heads": 64}),
        # the dimension of a head is D / H as always: 4096 / 48 would not be whole
        ("hidden_dim*1.5&num_heads=48", {"hidden_dim": 6144, "ffn_dim": 16512, "num_heads": 48}),
        ("hidden_dim*2&num_heads=64", {"hidden_dim": 8192, "ffn_dim": 22016, "num_heads": 64}),
        ("hidden_dim=8192&num_heads*2", {"hidden_dim": 8192, "num_heads": 64}),
        # the key/value heads follow the heads, not the width
        (
            "hidden_dim*2&num_heads*4",
            {"hidden_dim": 8192, "ffn_dim": 22016, "num_heads": 128, "head_dim": 128},
        ),
    ],
)
def test_a_written_size_follows_no_other(changes: str, expected: dict[str, object]) -> None:
    in_other_order = "&".join(reversed(changes.split("&")))
    for each in (changes, in_other_order):
        assert load(f"llama-7b?{each}").components == load("llama-7b", expected).components


def test_lists_of_layers_are_repeated() -> None:
    model, twice = load("jamba-v0.1"), load("jamba-v0.1?num_layers*2")
    layers = [count for name, count in model.components.items() if "embedding" not in name]
    assert twice.total > model.total + sum(layers) // 2
    assert load("granite-4.0-h-micro?num_layers*2").components["attn_q"] == (
        2 * load("granite-4.0-h-micro").components["attn_q"]
    )
    # moe_layers_enum is a text of layers' numbers
    experts, twice_as_many = (
        load(name).components["experts"]
        for name in ("step-3.5-flash", "step-3.5-flash?num_layers*2")
    )
    assert twice_as_many == 2 * experts


@pytest.mark.parametrize(
    ("changes", "problem", "message"),
    [
        ("hidden_dim*x", Problem.VALUE, "write a factor such as *2, *1.5 or /2"),
        ("hidden_dim**2", Problem.VALUE, "cannot be scaled by '**2'"),
        ("hidden_dim*0", Problem.VALUE, "cannot be scaled by '*0'"),
        ("hidden_dim*-2", Problem.VALUE, "cannot be scaled by '*-2'"),
        ("hidden_dim/0", Problem.VALUE, "cannot be scaled by '/0'"),
        ("hidden_dim/1/2", Problem.VALUE, "cannot be scaled by '/1/2'"),
        ("hidden_dim*1e9", Problem.VALUE, "cannot be scaled by '*1e9'"),
        ("hidden_dim*0.3", Problem.VALUE, "nearest factors with whole sizes: 0.28125, 0.3125"),
        ("num_layers*0.001", Problem.VALUE, "nearest factors with whole sizes: 1/32"),
        ("hiden_dim*2", Problem.KEY, "did you mean 'hidden_dim'?"),
        ("hiden_dim*x", Problem.KEY, "did you mean 'hidden_dim'?"),
        ("num_experts*2", Problem.KEY, "sizes of LLaMA 7B: hidden_dim"),
        ("tie_embeddings*2", Problem.KEY, "which cannot be scaled"),
        ("num_kv_heads*2", Problem.SHAPE, "num_kv_heads × 2: 64 key/value heads do not divide"),
        ("hidden_dim*2&hidden_dim*2", Problem.KEY, "duplicate key"),
        ("hidden_dim*2&hidden_size=1", Problem.KEY, "names of the same key"),
        ("hidden_dim*2&num_layerz=3", Problem.KEY, "did you mean 'num_layers'?"),
        ("hidden_dim", Problem.NUMBER, "write key=value, key*2 or key/2"),
        ("*2", Problem.NUMBER, "write key=value, key*2 or key/2"),
    ],
)
def test_mistakes(changes: str, problem: Problem, message: str) -> None:
    error = refused(f"llama-7b?{changes}")
    assert error.problem is problem
    assert message in str(error)


def test_too_many_layers_have_an_error() -> None:
    assert "would list" in refused("granite-4.0-h-micro?num_layers*9999").message


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('num_layers: 4\nhidden_dim: "*x"', 1, "cannot be scaled"),
        ('hidden_dim: "*2"\n\nnum_layers: "*0.3"', 2, "num_layers × 0.3 is not whole"),
        ('num_layers: 4\nhidden_dim: "*2"\nnum_layerz: 4', 2, "did you mean 'num_layers'?"),
        ('num_layers: 4\nnum_kv_heads: "*3"', 1, "num_kv_heads × 3"),
        ("num_layers: 4\nhidden_dim: *2", 1, "write a factor in quotes, such as '*2'"),
        ("num_layers: 4\nhidden_dim: *1.5", 1, "write a factor in quotes, such as '*2'"),
    ],
)
def test_mistakes_in_a_body_have_the_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        apply_changes(load("llama-7b"), read_text(text))
    assert caught.value.line == line
    assert message in str(caught.value)


def test_a_name_with_braces_stays_as_it_is_in_an_error() -> None:
    model = load("Mine {key}", {"model_type": "gpt2"})
    with pytest.raises(ConfigError, match=r"^Mine \{key\} is of model_type gpt2, which"):
        apply_changes(model, read_text("model_type: llama"))


def test_a_factor_needs_a_model_to_change() -> None:
    with pytest.raises(ConfigError, match="needs a model to scale: name a released one"):
        load("own", {"hidden_dim": "*2", "num_layers": 2, "num_heads": 4, "vocab_size": 10})


def test_texts_that_begin_like_a_factor_stay_texts() -> None:
    folder = {"_name_or_path": "/models/llama", "num_layers": 40, "transformers_version": "5.0"}
    assert load("llama-7b", folder).total == load("llama-7b?num_layers=40").total


@pytest.mark.parametrize("value", [2, None, True, "", "2", "x2", "2*", ("*2",)])
def test_values_without_an_operator_are_no_factors(value: object) -> None:
    assert not is_scaling(value)
    assert scaling_factor(value) is None


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ("hidden_dim*2", "twice the hidden dimension"),
        ("hidden_dim*1.5&num_layers=40", "40 layers and 1.5 times the hidden dimension"),
        ("num_layers/2", "half the layers"),
        ("num_layers/4", "1/4 of the layers"),
        ("ffn_dim=8192&num_kv_heads=1", "FFN dimension 8,192 and 1 key/value head"),
        ("tie_embeddings=true", "a tied LM head"),
        ("attention_bias=true", "biases in attention"),
    ],
)
def test_titles_state_the_changes_as_written(changes: str, shown: str) -> None:
    assert title(load(f"llama-7b?{changes}")) == f"LLaMA 7B with {shown}"


@pytest.mark.parametrize(
    ("name", "end"),
    [
        # decoder layers follow those of the encoder
        ("umt5-xxl?num_layers=1", " with 1 encoder layer and 1 decoder layer"),
        (
            "umt5-xxl?num_encoder_layers=12&num_decoder_layers=24",
            " with 12 encoder layers and 24 decoder layers",
        ),
        ("umt5-xxl?num_layers*2", " with twice the encoder layers"),
        # the value of the preset, which would change with the hidden dimension
        (
            "gpt2?hidden_dim=1536&ffn_dim=3072",
            " with hidden dimension 1,536 and FFN dimension 3,072",
        ),
        (
            "gpt2?hidden_dim*2&ffn_dim=3072",
            " with FFN dimension 3,072 and twice the hidden dimension",
        ),
        # which would stay as it is
        ("llama-7b?num_layers=32&num_heads=64", " with 64 attention heads"),
        ("llama-7b?num_kv_heads=32", "LLaMA 7B"),
        # 24 heads don't divide the hidden dimension
        ("llama-7b?num_heads=24&head_dim=128", " with 24 attention heads and head dimension 128"),
    ],
)
def test_titles_name_what_makes_models_different(name: str, end: str) -> None:
    assert title(load(name)).endswith(end)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("mixtral-8x7b?num_experts_per_token=1", " with 1 expert per token"),
        ("deepseek-v3?num_first_dense_layers=1", " with 1 dense layer at the start"),
        ("gpt2?num_layers=1", " with 1 layer"),
    ],
)
def test_titles_have_the_singular_of_one_thing(name: str, end: str) -> None:
    assert title(load(name)).endswith(end)


def test_titles_name_no_lm_head_of_models_without_one() -> None:
    untied = with_settings(load("e5-small-v2"), section_of({"tie_embeddings": False}))
    assert title(untied).endswith(" with untied embeddings")
    assert title(load("gpt2?tie_embeddings=false")).endswith(" an LM head of its own")


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("bert-base-uncased?is_decoder=true", " with causal attention"),
        ("bloom-1b7?add_to_norms=true", " with residual additions to the norms' outputs"),
        ("arctic?dense_residual=false", " with no FFN in parallel with the experts"),
        ("opus-mt-en-de?shares_embeddings=false", " with a token embedding for each stack"),
        ("phi-3.5-moe-instruct?lm_head_bias=false", " with no bias on the LM head"),
        ("falcon-7b?has_alibi=true", " with ALiBi in place of rotary positions"),
        ("xlm-mlm-en-2048?num_languages=17", " with 17 languages"),
        ("openelm-270m?ffn_dim_divisor=128", " with divisor of the FFN dimension set to 128"),
    ],
)
def test_names_of_keys_fit_into_titles(name: str, end: str) -> None:
    assert title(load(name)).endswith(end)


def test_a_title_states_the_lack_of_a_size() -> None:
    model = load("mistral-7b-v0.1?sliding_window=null")
    assert title(model) == "Mistral 7B v0.1 with tokens in an attention window set to none"


@pytest.mark.parametrize(
    "views",
    [
        ("table", "formula"),
        ("formula", "rule"),
        ("diagram",),
        ("diagram", "table"),
        ("memory", "compute"),
        ("features",),
        ("shapes",),
        ("composition",),
        ("scaling",),
    ],
)
def test_a_note_on_sizes_that_stayed_is_below_the_first_view(views: tuple[str, ...]) -> None:
    blocks = document(load("llama-7b?hidden_dim=8192"), views, ViewOptions())
    first = document(load("llama-7b?hidden_dim=8192"), views[:1], ViewOptions())
    texts = ["".join(map(str, getattr(block, "content", ()))) for block in blocks]
    assert [text.startswith("Unchanged, although they usually") for text in texts].count(True) == 1
    position = next(n for n, text in enumerate(texts) if text.startswith("Unchanged"))
    if len(views) == 1:
        assert position == len(blocks) - 1
    else:
        assert 0 < position < len(blocks) - 1
        assert blocks[position] == first[-1]
        assert type(blocks[position - 1]) is type(first[-2])


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        (
            "llama-7b?hidden_dim*2",
            "Scaled with the hidden dimension (2×): attention heads (64) and FFN "
            "dimension (22,016).",
        ),
        (
            "llama-7b?hidden_dim=8192",
            "Unchanged, although they usually change with the hidden dimension: attention heads "
            "(32) and FFN dimension (11,008).",
        ),
        (
            "llama-7b?hidden_dim=8192&num_layers*2",
            "Unchanged, although they usually change with the hidden dimension: attention heads "
            "(32) and FFN dimension (11,008).",
        ),
        ("llama-7b?hidden_dim=8192&ffn_dim=22016&num_heads=64", ""),
        ("llama-7b?num_layers=40", ""),
        ("llama-7b?num_layers*2", ""),
        # GPT-2's FFN dimension is 4D by its family's rule
        (
            "gpt2?n_embd=1536",
            "Unchanged, although they usually change with the hidden dimension: attention heads "
            "(12).",
        ),
    ],
)
def test_notes_name_the_sizes_that_follow_or_stay(name: str, notes: str) -> None:
    assert " ".join(change_notes(load(name))) == notes


PAGE = """
T
=

:llm-size:`llama-7b?hidden_dim*2 / llama-7b` :llm-size:`own?hidden_dim*2:hidden_dim`

.. llm-size:: llama-7b?hidden_dim*2
   :show: table

.. llm-size:: llama-7b
   :show: table

   hidden_dim: "*2"

.. llm-size:: own
   :show: table

   {hidden_dim: 64, num_layers: 2, num_heads: 4, vocab_size: 100}

.. llm-compare:: llama-7b?hidden_dim*2, llama-7b?hidden_dim=8192
   :columns: total:exact

.. llm-template::

   {{ model("llama-7b?hidden_dim*2").total }} {{ model("llama-7b", hidden_dim="*2").total }}
"""


def test_everywhere_on_a_page(build: Build) -> None:
    project = build({"index.rst": PAGE}, "text")
    assert project.log == ""
    text = " ".join(project.output("index.txt").split())
    assert "3.92× 128" in text
    assert text.count("LLaMA 7B with twice the hidden dimension: 26,428,841,984 parameters") == 2
    assert text.count("Scaled with the hidden dimension (2×): attention heads (64)") == 2
    assert "LLaMA 7B with hidden dimension 8,192: unchanged, although they usually" in text
    assert "26428841984 26428841984" in text


def test_mistakes_on_a_page_have_their_lines(build: Build) -> None:
    compared = ".. llm-compare::\n\n   gpt2\n   gpt2?n_head*5\n"
    page = f"T\n=\n\nIt has :llm-size:`gpt2?n_embd*x`.\n\n{compared}"
    warned = [(each.line, each.type) for each in build({"index.rst": page}).warned]
    assert warned == [(4, "llmsize.value"), (9, "llmsize.shape")]


@pytest.mark.parametrize(
    "name",
    [
        "openelm-3b?tie_embeddings=false",  # another key ties them
        "openelm-3b?num_layers=30&tie_embeddings=false",
        "e5-small-v2?tie_embeddings=false",  # there is no LM head
        "xlstm-7b?tie_embeddings=true",  # its LM head is never tied
        "falcon-rw-1b?grouped_kv_heads=true",  # as many as the query heads
        "glm-5.2?num_kv_heads=1",  # latent attention has none
        "gpt2?num_kv_heads=12",
        "llama-2-13b?context_length=1000",
        "llama-2-13b?rope_theta=3",
        "llama-2-13b?num_layers*2&context_length=1000",
        "grok-1?ffn_dim*2",  # all layers have experts
        "grok-1?num_layers*2&ffn_dim*2",
        "nemotron-h-4b?num_experts*2",
        "plamo-13b?num_kv_heads=10",  # the family computes it
        "plamo-13b?num_kv_heads*2",
        "plamo-13b?vocab_size=50000&num_kv_heads=8",
        "bert-base-uncased?num_labels=3",  # its class has no such head
        "mpt-7b?alibi=false",  # another family's key
        "llama-7b?num_experts=0",
    ],
)
def test_keys_without_effect_are_refused(name: str) -> None:
    key = re.split("[?&]", name)[-1].replace("*", "=").partition("=")[0]
    with pytest.raises(ConfigError, match=f"{key} has no effect in") as caught:
        load(name)
    assert caught.value.hint == "remove it"


def numbers(model: Model) -> tuple[object, ...]:
    """Parameters, FLOPs and KV cache."""
    tokens = 1_000_000  # more than any window
    has_text = not model.architecture.has_unknown_lengths
    cache = model.cache_elements(tokens) if has_text else None
    return model.components, model.active, model.flops(tokens), cache


@pytest.mark.presets
def test_every_changed_size_is_used_or_refused() -> None:
    without_cost = {P, H, H_ENC, H_DEC, W_A}  # heads divide a width, an encoder caches no window
    ignored = []
    for name in ONE_OF_EACH_FAMILY if EVERY_PRESET else SOME_PRESETS:
        model = load(name)
        before = numbers(model)
        for key in dict.fromkeys(model.family.vocabulary.values()):
            size = dict(model.config.settings).get(key)
            if not key.symbol or key.symbol in without_cost:
                continue
            for value in (2 * size, size // 2, 10) if isinstance(size, int) and size else (1, 64):
                change = section_of({model.family.name_of(key): value})
                with contextlib.suppress(ConfigError):
                    changed = apply_changes(model, change)
                    if changed.config[key] != value or numbers(changed) == before:
                        ignored.append(f"{name}?{key.name}={value}")
                    break
    assert not ignored


def test_keys_without_effect_are_ignored_in_saved_configurations() -> None:
    saved = {"rope_theta": 3, "max_position_embeddings": 9, "architectures": ["LlamaForCausalLM"]}
    assert load("llama-2-13b", saved).total == load("llama-2-13b").total
    assert load("llama-2-13b?tie_embeddings=true").total < load("llama-2-13b").total
    assert load("deepseek-v3.2?num_next_token_layers=2").changes  # in the view `name`
    assert not load("glm-5.2", {"architectures": [], "num_key_value_heads": 1}).changes
    assert not load("plamo-13b", {"architectures": [], "num_key_value_heads": 40}).changes


def test_a_null_value_of_a_key_that_the_model_has_not_set_is_no_change() -> None:
    model = load("gemma-4-31b", {"num_labels": None})
    assert "labels" not in model.name
