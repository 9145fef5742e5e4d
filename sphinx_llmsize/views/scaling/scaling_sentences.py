"""Sentences of the scaling view: repeated lists of layers, and the effect of doubling a size."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from sphinx_llmsize.blocks import Line
from sphinx_llmsize.changes.followers import layer_lists
from sphinx_llmsize.changes.scale_sizes import sizes_of
from sphinx_llmsize.config.symbols import D, L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import percent, significant
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.scaling.polynomial_text import exact_text
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels, scaled_models
from sphinx_llmsize.views.shared.model_titles import title_in_sentence
from sphinx_llmsize.views.view_options import ViewOptions

DOUBLE = Fraction(2)
HALF = Fraction(1, 2)
NOTICEABLE = Fraction(11, 10)
"""Growth up to this ratio, or its inverse, is shown in percent."""
SENTENCES = {
    DOUBLE: (
        N_("With twice the {size}, {model} would have {grown}."),
        N_(
            "With twice the {size}, {model} would have {grown}; "
            "with twice the {other}, {other_grown}."
        ),
    ),
    HALF: (
        N_("With half the {size}, {model} would have {grown}."),
        N_(
            "With half the {size}, {model} would have {grown}; "
            "with half the {other}, {other_grown}."
        ),
    ),
}
"""For two factors, the sentence on one size, and that on two sizes."""
OTHER_FACTOR = (
    N_("With {factor} times the {size}, {model} would have {grown}."),
    N_(
        "With {factor} times the {size}, {model} would have {grown}; "
        "with {factor} times the {other}, {other_grown}."
    ),
)
"""The two sentences for any other factor."""
COUNTERPARTS = {D: L, L: D}
"""Depth for width, and width for depth: the two usual ways to make a model larger."""


class Growth(NamedTuple):
    """Texts for the number of parameters of a scaled model, compared with the unchanged one.

    Attributes:
        same: text for an equal number.
        more: text for a number that is a few percent larger.
        fewer: text for a number that is a few percent smaller.
        times: text for any other number.
    """

    same: str
    more: str
    fewer: str
    times: str


FULL_GROWTH = Growth(
    N_("as many parameters as before"),
    N_("{percent} more parameters"),
    N_("{percent} fewer parameters"),
    N_("{ratio} times the parameters"),
)
SHORT_GROWTH = Growth(
    N_("as many as before"), N_("{percent} more"), N_("{percent} fewer"), N_("{ratio} times")
)
"""Texts for the second size in a sentence, without the word "parameters"."""


def layers_line(scaled: ScaledModels) -> Line:
    """A sentence on lists of layer kinds, which are repeated; empty without such lists."""
    if not layer_lists(scaled.base, scaled.key):
        return ()
    return (_("The pattern of layer kinds is repeated."),)


def doubling_line(scaled: ScaledModels) -> Line:
    """``With twice the hidden dimension, LLaMA 7B would have 3.92 times the parameters; with …``.

    If 2 isn't among the factors, the sentence is about the smallest factor other than 1.
    """
    others = [factor for factor in scaled.factors if factor != 1]
    factor = DOUBLE if DOUBLE in others else others[0]
    alone, with_other = SENTENCES.get(factor, OTHER_FACTOR)
    values = {
        "factor": exact_text(factor),
        "size": _(scaled.key.meaning),
        "model": title_in_sentence(scaled.base),
        "grown": _growth_text(scaled, factor, FULL_GROWTH),
    }
    other = _counterpart(scaled, factor)
    if not other:
        return (_(alone, **values),)
    other_growth = _growth_text(other, factor, SHORT_GROWTH)
    return (_(with_other, **values, other=_(other.key.meaning), other_grown=other_growth),)


def _counterpart(scaled: ScaledModels, factor: Fraction) -> ScaledModels | None:
    """The model with depth scaled instead of width, or vice versa; None if that is invalid."""
    other = COUNTERPARTS.get(scaled.symbol)
    keys = [key for key in sizes_of(scaled.base) if key.symbol == other]
    if not keys:
        return None
    try:
        return scaled_models(scaled.base, ViewOptions(vary=keys[0].name, factors=(factor,)))
    except ConfigError:
        return None


def _growth_text(scaled: ScaledModels, factor: Fraction, texts: Growth) -> str:
    """``3.92 times the parameters``, ``5.3% more parameters``: the parameters at a factor."""
    ratio = Fraction(scaled.models[factor].total, scaled.base.total)
    if ratio == 1:
        return _(texts.same)
    if 1 < ratio < NOTICEABLE:
        return _(texts.more, percent=percent(float(ratio - 1)))
    if 1 / NOTICEABLE < ratio < 1:
        return _(texts.fewer, percent=percent(float(1 - ratio)))
    return _(texts.times, ratio=significant(ratio))
