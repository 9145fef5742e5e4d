"""Several transformers in one model, each with its own section of the configuration (BLT)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Stage, stages_of
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key, size_key
from sphinx_llmsize.config.rule import Settings, int_of
from sphinx_llmsize.config.symbols import D_H, H_KV, D, F, H, L, V
from sphinx_llmsize.translation import N_

SIZES = {
    D: ("hidden_dim", "hidden_size"),
    L: ("num_layers", "num_hidden_layers"),
    H: ("num_heads", "num_attention_heads"),
    H_KV: ("num_kv_heads", "num_key_value_heads"),
    D_H: ("head_dim", "head_dim"),
    F: ("ffn_dim", "intermediate_size"),
    V: ("vocab_size", "vocab_size"),
}
"""Names of each submodel's sizes: the plain name, and the key in its section."""


@dataclass(frozen=True)
class Submodel:
    """A transformer within a model.

    Attributes:
        kind: kind of its layers; also names the submodel.
        keys: key of each size, by the generic symbol (D, L, …) that parts use.
    """

    kind: LayerKind
    keys: Mapping[Symbol, Key]

    @property
    def sizes(self) -> dict[Symbol, Size]:
        """The submodel's symbol for each generic symbol: ``D_e`` for ``D``."""
        return {symbol: key.symbol for symbol, key in self.keys.items() if key.symbol}

    def defaults(self, *values: int | None) -> dict[Key, Setting]:
        """Default values of the keys, in the order D, L, H, H_kv, F and, optionally, V."""
        keys = (key for symbol, key in self.keys.items() if symbol is not D_H)
        return dict(zip(keys, values, strict=False))

    def derive(self, settings: Settings) -> Settings:
        """Default sizes: H_kv = H, d_h = D / H, and F = 8/3 · D, rounded down."""
        hidden, heads = int_of(settings, self.keys[D]), int_of(settings, self.keys[H])
        return {
            self.keys[H_KV]: heads,
            self.keys[D_H]: hidden // heads,
            self.keys[F]: int(8 * hidden / 3),
        }

    def specialize_block(self, block: Block) -> Block:
        """Replace the generic symbols in a block by this submodel's."""
        return with_sizes(block, self.sizes)

    def specialize_stage(self, stage: Stage) -> Stage:
        """Replace the generic symbols in a stage by this submodel's."""
        (specialized,) = stages_of(self.specialize_block((stage,)))
        return specialized


def submodel(kind: LayerKind, letter: str) -> Submodel:
    """Make a submodel with keys for its section; its symbols end in ``letter``: ``D_e``."""

    def key(symbol: Symbol, plain: str, in_section: str) -> Key:
        separator = "," if "_" in symbol.name else "_"  # D becomes D_e, H_kv becomes H_kv,e
        name = symbol.name + separator + letter
        own_symbol = Symbol(name, N_("{size} of the {part}", size=symbol.meaning, part=kind.label))
        optional = symbol in (H_KV, D_H, F)
        names = f"{plain}_of_{kind.id} {kind.id}_config.{in_section}"
        return size_key(own_symbol, names, optional=optional)

    return Submodel(kind, {symbol: key(symbol, *names) for symbol, names in SIZES.items()})
