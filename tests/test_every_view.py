"""Every view of every family's defaults, and what a view says that it doesn't count."""

from __future__ import annotations

from fractions import Fraction

import pytest
from families import DEFAULTS, SOME_DEFAULTS

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.attention_heads import has_equal_heads
from sphinx_llmsize.blocks import Paragraph
from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.memory.kv_cache import cached_parts
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.shared.equal_heads import with_equal_heads
from sphinx_llmsize.views.view_options import ViewOptions

OTHERS = [view for view in VIEWS if view != "scaling"]
"""The views but the slowest, which test_scaling.py tests for every family."""
BLT = {"model_type": "blt"}
DECODER = {"model_type": "bert", "is_decoder": True, "architectures": ["BertLMHeadModel"]}


def prose(config: dict[str, object], view: str) -> str:
    blocks = document(load(config), (view,), ViewOptions())
    paragraphs = (block for block in blocks if isinstance(block, Paragraph))
    return "\n".join("".join(map(str, paragraph.content)) for paragraph in paragraphs)


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_DEFAULTS)
def test_every_view_shows_every_family(name: str) -> None:
    model = load("model", DEFAULTS[name])
    for view in OTHERS:
        assert document(model, (view,), ViewOptions()), view


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_DEFAULTS)
def test_key_value_heads_are_a_size_only_if_they_differ(name: str) -> None:
    """Equal ones are shown as H, without another number anywhere."""
    model = load("model", DEFAULTS[name])
    same = with_equal_heads(model)
    assert (H_KV in same.architecture.symbols) <= (not has_equal_heads(model.architecture))
    assert (same.components, same.active) == (model.components, model.active)
    if not model.architecture.has_unknown_lengths:
        assert same.cache_elements(99) == model.cache_elements(99)
    assert same.flops(99) == model.flops(99)


@pytest.mark.parametrize(("heads", "shows"), [(32, False), (8, True)])
def test_every_view_shows_the_same_heads(heads: int, shows: bool) -> None:
    changed = load("llama-7b", {"num_kv_heads": heads})
    for view in ("table", "formula", "shapes", "compute", "scaling", "memory"):
        text = str(document(changed, (view,), ViewOptions()))
        assert ("subscript='kv'" in text or "mathrm{kv}" in text) == shows, view


@pytest.mark.parametrize(
    ("vary", "follow", "factor"),
    [("num_kv_heads", None, Fraction(1, 2)), ("num_heads", ("none",), Fraction(2))],
)
def test_scaled_heads_have_symbols_of_their_own(
    vary: str, follow: tuple[str, ...] | None, factor: Fraction
) -> None:
    options = ViewOptions(vary=vary, follow=follow, factors=(factor,))
    assert "subscript='kv'" in str(document(load("llama-7b"), ("scaling",), options))


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_DEFAULTS)
def test_cached_parts_are_in_layers_once(name: str) -> None:
    """Equal arrays of a layer are one part; layers with shared weights cache in each use."""
    model = load("model", DEFAULTS[name])
    architecture = model.architecture
    uses = sum(architecture.count(s.layers * s.passes) for s in architecture.stacks())
    parts = cached_parts(architecture)
    assert all(architecture.count(part.layers) <= uses for part in parts)
    if model.model_type != "blt":
        assert sum(part.elements_at(architecture, 99) for part in parts) == model.cache_elements(99)


def test_two_attentions_of_a_layer_are_one_part() -> None:
    model = load({"model_type": "longcat_flash"})
    (part,) = cached_parts(model.architecture)
    assert model.architecture.count(part.layers) == 28
    # latents of 512 and rotary keys of 64, of two attentions
    assert part.elements_per_token(model.architecture) == 28 * 2 * (512 + 64)


def test_what_depends_on_patches_is_refused() -> None:
    model = load(BLT)
    with pytest.raises(ConfigError, match="depends on the text"):
        model.cache_elements(99)
    for words in (("kv_cache",), ("kv_cache", "99"), ("flops_per_token", "99")):
        with pytest.raises(ConfigError, match="depends on the text"):
            number_text(model, words)
    for view in ("memory", "compute", "scaling"):
        assert "depends on the text" in prose(BLT, view)


@pytest.mark.parametrize(
    ("config", "view", "text"),
    [
        (BLT, "compute", "T_p is assumed to be equal to T"),
        ({"model_type": "mamba"}, "compute", "Convolutions are not counted"),
        ({"model_type": "deepseek_v4"}, "memory", "fewer than 3,321,856 elements, 6.64 MB"),
        ({**DECODER, "add_cross_attention": True}, "compute", "an encoder that is not part of"),
        ({**DECODER, "add_cross_attention": True}, "memory", "an encoder that is not part of"),
    ],
)
def test_what_is_not_counted_is_said(config: dict[str, object], view: str, text: str) -> None:
    assert text in prose(config, view)


@pytest.mark.parametrize(
    ("config", "view", "text"),
    [
        ({"model_type": "llama"}, "compute", "Convolutions"),
        ({"model_type": "deepseek_v3"}, "memory", "buffered"),
        ({"model_type": "bart"}, "compute", "an encoder that is not part of"),
        (DECODER, "compute", "an encoder that is not part of"),
    ],
)
def test_nothing_is_said_that_does_not_apply(
    config: dict[str, object], view: str, text: str
) -> None:
    assert text not in prose(config, view)
