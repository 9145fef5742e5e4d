"""Notes on sizes in a comparison: those that a model lacks, and those of a part of it."""

from __future__ import annotations

from sphinx_llmsize.algebra import LayerSize, Symbol
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import F_DEC, F_E, F_ENC, H_DEC, H_ENC, L_DEC, L_ENC, R_KV, F, H
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _

SIZES_OF_PARTS = (k.NUM_HEADS, k.NUM_KV_HEADS, k.FFN_DIM)
"""Keys of sizes that may differ between layers, or between encoder and decoder."""
ENCODER_SIZES = {H: H_ENC, F: F_ENC}
"""Sizes, and the same of an encoder, if the decoder has another one."""
DECODER_SIZES = {L_ENC: L_DEC, H_ENC: H_DEC, F_ENC: F_DEC}
"""Sizes of an encoder, and the same of its decoder."""


def about_missing_size(model: Model, name: str) -> str:
    """Note on a number that a model doesn't have."""
    if name in k.NUM_KV_HEADS.names and R_KV in model.architecture.sizes:
        return _("Latent attention caches a latent vector in place of key/value heads.")
    for key in SIZES_OF_PARTS:
        if name not in key.names or not key.symbol:
            continue
        if _differs_between_layers(model, key.symbol):
            return _("The size differs between layers.")
        if note := _about_encoder_and_decoder(model, key.symbol):
            return note
    return _("The model has no such part or size.")


def about_size(model: Model, name: str) -> str:
    """Note on a size of a part of the model, or of each expert; empty for others."""
    key = model.keys.get(name)
    if key == k.FFN_DIM:
        return _about_ffn_dim(model)
    return _about_encoder(model, key) if key else ""


def _differs_between_layers(model: Model, symbol: Symbol) -> bool:
    """True if layers of the model have different values of a size."""
    by_layer = (size for size in model.architecture.symbols if isinstance(size, LayerSize))
    return any(size.replaces(symbol) for size in by_layer)


def _about_encoder_and_decoder(model: Model, symbol: Symbol) -> str:
    """Note on a size of which encoder and decoder have one each; empty for others."""
    of_encoder = ENCODER_SIZES.get(symbol)
    if of_encoder is None or of_encoder not in model.architecture.sizes:
        return ""
    sizes = of_encoder, DECODER_SIZES[of_encoder]
    number, other = (thousands(model.architecture.count(size)) for size in sizes)
    if number == other:
        return _("Encoder and decoder have {number} each.", number=number)
    return _("The encoder has {number}, the decoder {other}.", number=number, other=other)


def _about_encoder(model: Model, key: Key) -> str:
    """Note on a size of the encoder whose decoder has a size of its own; empty for others."""
    of_decoder = DECODER_SIZES.get(key.symbol) if key.symbol else None
    if of_decoder is None or of_decoder not in model.architecture.sizes:
        return ""
    number = thousands(model.architecture.count(of_decoder))
    return _("Of the encoder; the decoder has {number}.", number=number)


def _about_ffn_dim(model: Model) -> str:
    """Note on the feed-forward dimension of a model with experts."""
    dense = _ffn_dims(model, Group.FEED_FORWARD)
    experts = _ffn_dims(model, Group.EXPERTS)
    if experts == {F} and not dense:
        return _("Dimension of each expert.")
    if experts == {F_E} and dense:
        number = thousands(model.architecture.count(F_E))
        return _("Only in dense layers; experts have {number}.", number=number)
    return ""


def _ffn_dims(model: Model, group: Group) -> set[Symbol]:
    """The symbols of the feed-forward dimension, F and F_e, in the shapes of a group's tensors."""
    stages = (placed.stage for placed in model.architecture.placed_stages())
    tensors = (tensor for stage in stages if stage.group is group for tensor in stage.tensors)
    symbols = {symbol for tensor in tensors for side in tensor.shape for symbol in side.symbols()}
    return symbols & {F, F_E}
