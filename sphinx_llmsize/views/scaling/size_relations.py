"""Sentences of the scaling view on the sizes that depend on the scaled one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.algebra import LayerSize, Quantity, Symbol
from sphinx_llmsize.blocks import Line, Variable
from sphinx_llmsize.config.symbols import H_KV, D, H
from sphinx_llmsize.differences.key_change import is_used
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.scaling.polynomial_text import coefficient, polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.key_text import is_counted, size_in_words
from sphinx_llmsize.views.shared.multiples import multiple_line
from sphinx_llmsize.views.shared.symbolic import Points, polynomial
from sphinx_llmsize.views.shared.wording import (
    filled,
    formula_line,
    joined_sentences,
    listed,
    variable,
)

HEAD_OR_LATENT = ("d", "R")
"""First letters of symbols: of head dimensions and latent ranks.

These sizes could grow with D, but usually do not.
"""
Contents = dict[str, str | Line]
"""Contents of the placeholders for the scaled size."""


def relations_line(scaled: ScaledModels) -> Line:
    """``The sizes H = D/128 and F = 7D/2 grow with the hidden dimension D; d_h stays 128.``.

    Sizes that stay are named only if D is scaled and one could expect them to follow.
    """
    x = scaled.symbol
    size = size_in_words(_(scaled.key.meaning), is_count=is_counted(scaled.key))
    contents: Contents = {"size": size, "symbol": (variable(x),)}
    growing: list[Line] = []
    shrinking: list[Line] = []
    in_steps: list[Line] = []
    for symbol, points in _dependent_sizes(scaled):
        relation = _relation(symbol, points, x)
        if not relation:
            in_steps.append((variable(symbol),))
        else:
            (growing if _grows(points) else shrinking).append(relation)
    sentences = (
        _growing(scaled, growing, contents),
        _growing_in_layers(scaled, contents),
        _shrinking(shrinking, contents),
        _changing_in_steps(in_steps, contents),
    )
    line = joined_sentences(*sentences)
    # at another factor, a model may have layers of other kinds, and their numbers
    if line or len({frozenset(_sizes(model)) for model in scaled.models.values()}) > 1:
        return line
    return filled(_("No other size grows with the {size} {symbol}."), **contents)


def relations_of(scaled: ScaledModels) -> dict[Variable, Line]:
    """For the symbol of each size that depends on the scaled one by a formula: ``H = D/128``."""
    found = {
        variable(symbol): _relation(symbol, points, scaled.symbol)
        for symbol, points in _dependent_sizes(scaled)
    }
    return {symbol: relation for symbol, relation in found.items() if relation}


def _growing(scaled: ScaledModels, relations: list[Line], contents: Contents) -> Line:
    """The sentence on the sizes that grow, and on those that stay; empty without the first."""
    if not relations:
        return ()
    number, others = len(relations), listed(relations)
    constant = _constant_sizes(scaled) if scaled.symbol == D else {}
    if not constant:
        message = ngettext(
            "The size {others} grows with the {size} {symbol}.",
            "The sizes {others} grow with the {size} {symbol}.",
            number,
        )
        return filled(message, **contents, others=others)
    message = ngettext(
        "The size {others} grows with the {size} {symbol}; {constant}.",
        "The sizes {others} grow with the {size} {symbol}; {constant}.",
        number,
    )
    return filled(message, **contents, others=others, constant=_unchanged(constant))


def _growing_in_layers(scaled: ScaledModels, contents: Contents) -> Line:
    """The sentence on sizes that layers have different values of; empty if the largest stays."""
    smallest, *_others, largest = (model for _factor, model in sorted(scaled.models.items()))
    if max(_layer_sizes(largest), default=0) <= max(_layer_sizes(smallest), default=0):
        return ()
    return filled(_("Sizes that differ between layers grow with the {size} {symbol}."), **contents)


def _unchanged(sizes: dict[Symbol, int]) -> Line:
    """``d_h stays 128``, ``d_h = 256 and d_r = 256 stay the same``."""
    if len(sizes) > 1:
        lines = [(variable(each), f" = {thousands(value)}") for each, value in sizes.items()]
        return filled(_("{sizes} stay the same"), sizes=listed(lines))
    ((symbol, value),) = sizes.items()
    return filled(_("{symbol} stays {value}"), symbol=variable(symbol), value=thousands(value))


def _shrinking(relations: list[Line], contents: Contents) -> Line:
    """The sentence on the sizes that shrink as the scaled one grows; empty without any."""
    if not relations:
        return ()
    message = ngettext(
        "The size {others} shrinks as the {size} {symbol} grows.",
        "The sizes {others} shrink as the {size} {symbol} grows.",
        len(relations),
    )
    return filled(message, **contents, others=listed(relations))


def _changing_in_steps(symbols: list[Line], contents: Contents) -> Line:
    """The sentence on the sizes that follow no formula; empty without any."""
    if not symbols:
        return ()
    message = ngettext(
        "The size {others} changes in steps with the {size} {symbol}.",
        "The sizes {others} change in steps with the {size} {symbol}.",
        len(symbols),
    )
    return filled(message, **contents, others=listed(symbols))


def _dependent_sizes(scaled: ScaledModels) -> Iterator[tuple[Symbol, Points]]:
    """The other sizes that are used, or scaled too, and not constant, each with its points.

    Of the scaled sizes, those without an effect are left out: of experts, in a model without any.
    """
    largest = scaled.models[max(scaled.models)].config.sizes
    followers = {
        str(key.symbol)
        for key in scaled.followers
        if key.symbol and is_used(scaled.base, key, largest.get(key.symbol)) is not False
    }
    if H.name in followers:  # it also stands for an equal number of key/value heads
        followers.discard(H_KV.name)
    shown = {symbol.name for symbol in _used_symbols(scaled.base)} | followers
    shown.discard(scaled.symbol.name)
    for name, points in _points(scaled).items():
        if name in shown and not _is_constant(points):
            yield Symbol(name, ""), points


def _constant_sizes(scaled: ScaledModels) -> dict[Symbol, int]:
    """The constant sizes of heads and latents that are used, with their values."""
    sizes = _sizes(scaled.base)
    used = {symbol.name for symbol in _used_symbols(scaled.base)}
    return {
        Symbol(name, ""): sizes[name]
        for name, points in _points(scaled).items()
        if _is_constant(points) and name.partition("_")[0] in HEAD_OR_LATENT and name in used
    }


def _used_symbols(model: Model) -> set[Symbol]:
    """Symbols of weights, activations, matrix products, the KV cache and repetitions."""
    symbols = {*model.architecture.symbols, *model.architecture.activation_symbols}
    for placed in model.architecture.placed_stages():
        products = (matmul.flops for matmul in placed.stage.matmuls)
        cached = (size for shape in placed.stage.caches for size in shape)
        for size in (placed.uses, *products, *cached):
            symbols |= size.symbols()
    return symbols


def _layer_sizes(model: Model) -> list[int]:
    """The sizes that layers have different values of, such as FFN dimensions."""
    return [symbol.value for symbol in _used_symbols(model) if isinstance(symbol, LayerSize)]


def _sizes(model: Model) -> dict[str, int]:
    """The value of each used or configured symbol, by the symbol's name.

    The keys are names, since a :class:`Quantity` contains its value: those of two models are
    different symbols, even if they have the same name. Symbols that are named by their value, or
    by the number of a group of layers, mean something else in another model, and are left out.
    """
    sizes = {symbol.name: value for symbol, value in model.architecture.sizes.items()}
    for symbol in sorted(_used_symbols(model), key=str):
        if isinstance(symbol, Quantity):
            sizes[symbol.name] = symbol.value
    without_kinds = (stack.layers for stack in model.architecture.stacks() if not stack.kinds)
    left_out = {str(layers) for layers in without_kinds if isinstance(layers, Quantity)}
    left_out |= {s.name for s in model.architecture.sizes if isinstance(s, LayerSize)}
    return {name: value for name, value in sizes.items() if name not in left_out}


def _points(scaled: ScaledModels) -> dict[str, Points]:
    """For each symbol's name, pairs of the scaled size and the symbol's value."""
    sizes = {scaled.value(factor): _sizes(model) for factor, model in scaled.models.items()}
    return {
        name: tuple((x, Fraction(each[name])) for x, each in sizes.items())
        for name in _sizes(scaled.base)
        if all(name in each for each in sizes.values())
    }


def _is_constant(points: Points) -> bool:
    """True for a size that is the same at every factor."""
    return len({value for _size, value in points}) == 1


def _grows(points: Points) -> bool:
    """True for a size that is larger where the scaled one is largest than where it is smallest."""
    return max(points)[1] > min(points)[1]


def _is_inverse(points: Points) -> bool:
    """True for a size that is inversely proportional to the scaled one."""
    return len({size * value for size, value in points}) == 1


def _relation(symbol: Symbol, points: Points, x: Symbol) -> Line:
    """``F = 43D/16``, ``H = D/128``, ``d_h = 768/H``; empty if there is no such formula.

    Args:
        symbol: a symbol of the model.
        points: pairs of the scaled size and the symbol's value, which isn't constant.
        x: symbol of the scaled size.
    """
    size, value = points[0]
    if _is_inverse(points):
        return formula_line((variable(symbol), f" = {coefficient(size * value)}/", variable(x)))
    is_multiple = len({value / size for size, value in points}) == 1
    if is_multiple:
        return formula_line((variable(symbol), " = ", *multiple_line(value / size, x)))
    relation = polynomial(points)
    if relation is None or relation.degree() > 1:
        return ()
    return formula_line((variable(symbol), " = ", *polynomial_line(relation, x)))
