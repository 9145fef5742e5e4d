"""Encoders since DeBERTa: totals that transformers 5.23 counts for released models."""

from __future__ import annotations

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.config.symbols import D, F, Length, T
from sphinx_llmsize.views.shared.layer_text import stack_text

BARE_MODELS = (
    ("modernbert-base", 149_014_272),
    ("deberta-base", 138_601_728),
    ("deberta-v2-xlarge", 884_593_152),
    ("deberta-v3-small", 141_304_320),
    ("eurobert-610m", 607_874_688),
    ("jina-embeddings-v3", 559_364_096),
    ("esm2-650m", 651_040_661),
    ("longformer-base", 148_659_456),
    ("mobilebert-uncased", 24_581_888),
    ("conv-bert-base", 105_680_520),
    ("funnel-small", 130_973_184),
    ("funnel-medium-base", 115_611_648),
    ("funnel-xlarge", 468_021_248),
    ("switch-base-8", 619_339_008),
    ("nllb-moe-54b", 54_500_569_088),
)
"""Presets with the class that they are counted as by default."""
WITH_HEADS = (
    ("modernbert-base", "ModernBertForMaskedLM", 149_655_232),
    ("modernbert-base", "ModernBertForSequenceClassification", 149_606_402),
    ("deberta-v3-base", "DebertaV2ForSequenceClassification", 184_423_682),
    ("deberta-base", "DebertaForMaskedLM", 139_244_121),
    ("eurobert-210m", "EuroBertForMaskedLM", 310_266_624),
    ("jina-embeddings-v3", "JinaEmbeddingsV3ForMaskedLM", 559_616_146),
    ("esm2-8m", "EsmForMaskedLM", 7_512_474),
    ("longformer-base", "LongformerForSequenceClassification", 148_660_994),
    ("mobilebert-uncased", "MobileBertForPreTraining", 36_597_564),
    ("conv-bert-base", "ConvBertForTokenClassification", 105_682_058),
    ("funnel-small", "FunnelForMaskedLM", 131_003_706),
    ("funnel-small", "FunnelForSequenceClassification", 116_203_778),
)
"""Presets with other classes."""


@pytest.mark.parametrize(("name", "total"), BARE_MODELS)
def test_total(name: str, total: int) -> None:
    assert load(name).total == total


@pytest.mark.parametrize(("name", "class_name", "total"), WITH_HEADS)
def test_total_with_head(name: str, class_name: str, total: int) -> None:
    assert load(name, {"architectures": [class_name]}).total == total


@pytest.mark.parametrize("name", [name for name, _total in BARE_MODELS[:13]])
def test_encoders_have_no_cache(name: str) -> None:
    assert load(name).cache_elements(100) == 0


def test_jina_with_adapters() -> None:
    """The published count includes LoRA adapters of rank 4 for 5 tasks, as the note says."""
    model = load("jina-embeddings-v3")
    matrices = ((1024, 3072), (1024, 1024), (1024, 4096), (4096, 1024))  # QKV, output, up, down
    in_layers = 24 * sum(rows + columns for rows, columns in matrices)
    outside = (250_002 + 1024) + (1 + 1024) + (1024 + 1024)  # both embeddings and the pooler
    adapters = 5 * 4 * (in_layers + outside)
    assert (adapters, model.total + adapters) == (12_946_300, 572_310_396)
    assert all(f"{number:,}" in model.notes[0] for number in (adapters, model.total + adapters))


def test_relative_positions_of_deberta_are_limited() -> None:
    """Each of 512 positions in both directions has a product with each token, not more."""
    model = load("deberta-base")
    longer, shorter = (model.flops(2 * tokens) - 2 * model.flops(tokens) for tokens in (1024, 64))
    content, relative = 4 * 12 * 768, 8 * 12 * 768  # FLOPs per pair of tokens
    projections = 12 * 2 * 2 * 1024 * 768 * 768
    assert shorter == 2 * 64**2 * (content + relative)
    assert longer == 2 * 1024**2 * content - projections


def test_layers_of_a_stack_that_are_used_several_times() -> None:
    """Funnel's second block: 2 layers, each run twice."""
    architecture = load("funnel-medium").architecture
    texts = [stack_text(stack, architecture) for stack in architecture.stacks()]
    assert "× 4 block-2 layers, each set of weights used 2 times" in texts


def test_funnel_pools_every_block() -> None:
    """Blocks after the first are on half and a quarter of the tokens, rounded up."""
    sizes = (
        placed.stage.output[0] for placed in load("funnel-small-base").architecture.placed_stages()
    )
    lengths = {size.name: size for size in sizes if isinstance(size, Length)}
    assert [lengths["T_2"].of(tokens) for tokens in (9, 10, 512)] == [5, 5, 256]
    assert [lengths["T_4"].of(tokens) for tokens in (9, 10, 512)] == [3, 3, 128]


@pytest.mark.parametrize("name", ["medium", "intermediate", "large", "xlarge"])
def test_funnel_base_lacks_the_decoder(name: str) -> None:
    """The published models without decoder have 2 layers less and the same blocks."""
    whole, base = load(f"funnel-{name}"), load(f"funnel-{name}-base")
    width, ffn = (whole.config.count(size) for size in (D, F))
    attention = 5 * width**2 + 8 * width  # 3 of 4 biases on matrices, 5 vectors of D
    feed_forward = 2 * width * ffn + ffn + width
    assert whole.total - base.total == 2 * (attention + feed_forward + 4 * width)


@pytest.mark.parametrize(
    ("model_type", "class_name"),
    [
        ("t5", "T5EncoderModel"),
        ("t5", "T5ForTokenClassification"),
        ("switch_transformers", "SwitchTransformersEncoderModel"),  # its layers differ
    ],
)
def test_an_encoder_alone_has_one_sequence(model_type: str, class_name: str) -> None:
    """Embedding, layers and head have T vectors; T_src is for encoders beside a decoder."""
    model = load({"model_type": model_type, "architectures": [class_name]})
    symbols = model.architecture.activation_symbols
    assert {symbol for symbol in symbols if isinstance(symbol, Length)} == {T}


@pytest.mark.parametrize(
    ("is_concatenated", "ids"),
    [
        (True, ("shape", "pronunciation", "embedding_projection", "position", "embedding_norm")),
        (False, ("position", "token_type", "embedding_norm", "shape", "pronunciation")),
    ],
)
def test_rocbert_adds_or_concatenates_embeddings(
    is_concatenated: bool, ids: tuple[str, ...]
) -> None:
    """Those of shape and pronunciation are averaged with the norm's output, or projected first."""
    model = load({"model_type": "roc_bert", "concat_input": is_concatenated})
    order = [placed.stage.id for placed in model.architecture.placed_stages()]
    assert [id for id in order if id in ids] == [*ids]
