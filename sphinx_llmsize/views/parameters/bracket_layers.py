"""The layers of a bracket in a sum of parameters: as a factor, in words, and as an index."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.layer_counts import LayerCount, StackKinds, symbol_name
from sphinx_llmsize.architecture.stacks import Stack, label_of
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.shared.layer_text import component_in_layers
from sphinx_llmsize.views.shared.product_tex import Factors
from sphinx_llmsize.views.shared.symbolic import to_sympy
from sphinx_llmsize.views.shared.typeset import indexed
from sphinx_llmsize.views.shared.wording import listed_text

SYMBOL = "N"
"""Symbol of a number of parameters."""
GROUP_INDICES = {
    Group.ATTENTION: "attn",
    Group.MIXER: "mixer",
    Group.FEED_FORWARD: "FFN",
    Group.EXPERTS: "MoE",
}
"""Indices of N for the parameters of a component in one layer."""


@dataclass(frozen=True)
class BracketLayers:
    """The layers of a bracket: their number as a factor, and in words."""

    model: Model
    stacks: tuple[Stack, ...]

    @cached_property
    def layer_count(self) -> LayerCount:
        """The number in symbols, and the kinds of layers."""
        return self.model.architecture.layer_counts.of(self.stacks)

    @property
    def factors(self) -> Factors:
        """The number as a factor; none for a single layer."""
        size = self.layer_count.size
        return () if self.model.architecture.count(size) == 1 else (to_sympy(size),)

    def sum_symbol(self, group: Group | None = None, *, is_whole: bool = False) -> str:
        """TeX of the symbol for the parameters of one of the layers; empty if it needs a number.

        Its index is the kind of the layers, as in ``L_MoE N_MoE``. In a sum for all layers, it is
        the component, as in ``N_attn``, or ``layer`` for whole layers.
        """
        kinds = self.layer_count.kinds
        if len(kinds) == 1:
            return Symbol(symbol_name(kinds[0], SYMBOL), "").tex
        if group in GROUP_INDICES:
            return Symbol(f"{SYMBOL}_{GROUP_INDICES[group]}", "").tex
        return indexed(SYMBOL, pgettext("below a symbol", "layer")) if is_whole else ""

    @property
    def common_symbol(self) -> str:
        """TeX of ``N_common``, the parameters that all layers of the model have in common."""
        return indexed(SYMBOL, pgettext("below a symbol", "common"))

    def name(self, component: str = "", group: Group | None = None) -> str:
        """``× 32 layers`` or, of a component, ``FFN (3 dense layers)``."""
        count = self.model.architecture.count(self.layer_count.size)
        return component_in_layers(component, count, self._kinds_text(group))

    def heading(self, component: str, group: Group) -> str:
        """``Attention``, above a bracket that ``× 61 layers`` follows; with the kind, if any."""
        return self.name(component, group) if self._kinds_text(group) else component

    def _kinds_text(self, group: Group | None) -> str:
        """The kinds of the layers, ``dense``; empty for all layers.

        It isn't the component's own name: "Attention (4 layers)", not "(4 attention layers)".
        """
        kinds = self.layer_count.kinds
        if group:
            kinds = tuple(each for each in kinds if not _repeats_group(each, group))
        return listed_text(list(dict.fromkeys(_(label_of(each)) for each in kinds)))


def _repeats_group(kinds: StackKinds, group: Group) -> bool:
    """True for layers of a single kind, whose label would only repeat the name of the group."""
    return len(kinds) == 1 and kinds[0].group is group
