"""Sentences of the scaling view: sizes that grow together, and the effect of doubling one."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.changes.followers import layer_lists
from sphinx_llmsize.changes.scale_sizes import sizes_of
from sphinx_llmsize.config.symbols import H_KV, D, H, L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import percent, significant
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.scaling.polynomial_text import coefficient, exact_text, polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels, scaled_models
from sphinx_llmsize.views.shared.multiples import multiple_line
from sphinx_llmsize.views.shared.symbolic import Points, polynomial
from sphinx_llmsize.views.shared.wording import (
    filled,
    joined,
    listed,
    title_in_sentence,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

DOUBLE = Fraction(2)
HALF = Fraction(1, 2)
NOTICEABLE = Fraction(11, 10)
"""Growth from 1 to this ratio is shown in percent."""
SENTENCES = {
    DOUBLE: (
        N_("With twice the {size}, {model} has {grown}."),
        N_("With twice the {size}, {model} has {grown}; with twice the {other}, {other_grown}."),
    ),
    HALF: (
        N_("With half the {size}, {model} has {grown}."),
        N_("With half the {size}, {model} has {grown}; with half the {other}, {other_grown}."),
    ),
}
"""For two factors, the sentence on one size, and that on two sizes."""
OTHER_FACTOR = (
    N_("With {factor} times the {size}, {model} has {grown}."),
    N_(
        "With {factor} times the {size}, {model} has {grown}; "
        "with {factor} times the {other}, {other_grown}."
    ),
)
"""The two sentences for any other factor."""
COUNTERPARTS = {D: L, L: D}
"""Depth for width, and width for depth: the two usual ways to make a model larger."""
HEAD_OR_LATENT = ("d", "R")
"""First letters of symbols: of head dimensions and latent ranks.

These sizes could grow with D, but usually do not.
"""


class Growth(NamedTuple):
    """Texts for the number of parameters of a scaled model, compared with the unchanged one.

    Attributes:
        same: text for an equal number.
        more: text for a number that is a few percent larger.
        times: text for any other number.
    """

    same: str
    more: str
    times: str


FULL_GROWTH = Growth(
    N_("as many parameters as before"),
    N_("{percent} more parameters"),
    N_("{ratio} times the parameters"),
)
SHORT_GROWTH = Growth(N_("as many as before"), N_("{percent} more"), N_("{ratio} times"))
"""Texts for the second size in a sentence, without the word "parameters"."""


def relations_line(scaled: ScaledModels) -> Line:
    """``The sizes H = D/128 and F = 7D/2 change with the hidden dimension D, but not d_h.``.

    Fixed sizes are named only if D is scaled and one could expect them to follow.
    """
    x = scaled.symbol
    used_names = {symbol.name for symbol in _used_symbols(scaled.base)}
    followers = {str(key.symbol) for key in scaled.followers}
    if H.name in followers:  # it also stands for an equal number of key/value heads
        followers.discard(H_KV.name)
    varying: list[Line] = []
    constant: list[Line] = []
    for name, points in _points(scaled).items():
        symbol = Symbol(name, "")
        relation = _relation(symbol, points, x)
        if relation and name != x.name and name in {*used_names, *followers}:
            varying.append(relation)
        elif not relation and name in used_names and name.partition("_")[0] in HEAD_OR_LATENT:
            constant.append((variable(symbol),))
    scaled_size: dict[str, str | Line] = {"size": _(x.meaning), "symbol": (variable(x),)}
    if not varying:
        return filled(_("No other size changes with the {size} {symbol}."), **scaled_size)
    if not constant or x != D:
        message = ngettext(
            "The size {others} changes with the {size} {symbol}.",
            "The sizes {others} change with the {size} {symbol}.",
            len(varying),
        )
        return filled(message, **scaled_size, others=listed(varying))
    message = ngettext(
        "The size {others} changes with the {size} {symbol}, but not {constant}.",
        "The sizes {others} change with the {size} {symbol}, but not {constant}.",
        len(varying),
    )
    return filled(message, **scaled_size, others=listed(varying), constant=listed(constant))


def layers_line(scaled: ScaledModels) -> Line:
    """A sentence on lists of layer kinds, which are repeated; empty without such lists."""
    if not layer_lists(scaled.base, scaled.key):
        return ()
    return (_("The pattern of layer kinds is repeated."),)


def doubling_line(scaled: ScaledModels) -> Line:
    """``With twice the hidden dimension, LLaMA 7B has 3.92 times the parameters; with …``.

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


def _used_symbols(model: Model) -> set[Symbol]:
    """Symbols of weights, activations, matrix products, the KV cache and repetitions."""
    symbols = {*model.architecture.symbols, *model.architecture.activation_symbols}
    for placed in model.architecture.placed_stages():
        products = (matmul.flops for matmul in placed.stage.matmuls)
        cached = (size for shape in placed.stage.caches for size in shape)
        for size in (placed.uses, *products, *cached):
            symbols |= size.symbols()
    return symbols


def _sizes(model: Model) -> dict[str, int]:
    """The value of each used or configured symbol, by the symbol's name.

    The keys are names, since a :class:`Quantity` contains its value: those of two models are
    different symbols, even if they have the same name.
    """
    sizes = {symbol.name: value for symbol, value in model.architecture.sizes.items()}
    for symbol in sorted(_used_symbols(model), key=str):
        if isinstance(symbol, Quantity):
            sizes[symbol.name] = symbol.value
    return sizes


def _points(scaled: ScaledModels) -> dict[str, Points]:
    """For each symbol's name, pairs of the scaled size and the symbol's value."""
    sizes = {scaled.value(factor): _sizes(model) for factor, model in scaled.models.items()}
    return {
        name: tuple((x, Fraction(each.get(name, 0))) for x, each in sizes.items())
        for name in _sizes(scaled.base)
    }


def _relation(symbol: Symbol, points: Points, x: Symbol) -> Line:
    """``F = 43D/16``, ``H = D/128``, ``d_h = 768/H``, ``F_a in steps``; empty if constant.

    Args:
        symbol: a symbol of the model.
        points: pairs of the scaled size and the symbol's value.
        x: symbol of the scaled size.
    """
    is_constant = len({value for _size, value in points}) == 1
    if is_constant:
        return ()
    products = {size * value for size, value in points}
    is_inverse = len(products) == 1
    if is_inverse:
        return (variable(symbol), f" = {coefficient(products.pop())}/", variable(x))
    ratios = {value / size for size, value in points}
    is_multiple = len(ratios) == 1
    if is_multiple:
        return (variable(symbol), " = ", *multiple_line(ratios.pop(), x))
    relation = polynomial(points)
    if relation is None or relation.degree() > 1:
        return filled(_("{symbol} in steps"), symbol=variable(symbol))
    return joined((variable(symbol), " = ", *polynomial_line(relation, x)))


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
    return _(texts.times, ratio=significant(ratio))
