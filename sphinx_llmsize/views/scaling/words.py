"""Scaling in sentences: what grows with what, and what doubling costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import D, L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import percent, significant
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.scaling.expressions import coefficient, ratio_line
from sphinx_llmsize.views.scaling.followers import told_by_layer
from sphinx_llmsize.views.scaling.growth import Growth, Relation, used_symbols
from sphinx_llmsize.views.scaling.scaled import ONE, Scaled, scaled, sizes_of
from sphinx_llmsize.views.shared.wording import capital, filled, joined, listed, sentences, variable
from sphinx_llmsize.views.view_options import ViewOptions

DOUBLE = Fraction(2)
HALF = Fraction(1, 2)
NOTICED = Fraction(11, 10)
"""Where a growth is told by how many times, not by how much more."""
OTHER = {D: L, L: D}
"""What a size is compared with: the two ways to make a model larger."""
OF_ONE_HEAD, LATENT = "d", "R"
"""Symbols of what could grow with the hidden dimension, and usually does not."""


def relations_line(growth: Growth) -> Line:
    """What is scaled, and with it: ``F = 2.6875·D and H = D/128 follow; d_h stays``."""
    x = growth.x
    moving = [line for symbol, line in _moving(growth) if symbol != x]
    opening = filled(_("Scaled: the {size} {symbol}."), size=_(x.meaning), symbol=variable(x))
    if not moving:
        return sentences(opening, (_("All other sizes stay as they are."),))
    follow = ngettext("{sizes} follows", "{sizes} follow", len(moving))
    rest = filled(follow, sizes=listed(moving))
    if stays := [(variable(symbol),) for symbol in _staying(growth)] if x == D else []:
        message = ngettext("{sentence}; {sizes} stays", "{sentence}; {sizes} stay", len(stays))
        rest = filled(message, sentence=rest, sizes=listed(stays))
    return sentences(opening, joined((*rest, _("."))))


def layers_line(growth: Growth) -> Line:
    """That what is told layer by layer comes again; nothing where nothing is."""
    lists = told_by_layer(growth.scaled.base, growth.scaled.key, ONE)
    if not lists:
        return ()
    names = listed([(key.name,) for key in lists])
    return filled(_("The kinds of layers come again in the same order: {keys}."), keys=names)


def doubling_line(scaling: Scaled) -> Line:
    """``Twice the hidden dimension: 3.92 times the parameters; twice the layers: …``."""
    others = [step.factor for step in scaling.steps if step.factor != 1]
    factor = DOUBLE if DOUBLE in others else others[0]
    text = _scaled_text(scaling, factor)
    if other := _counterpart(scaling, factor):
        text = _("{sentence}; {next}", sentence=text, next=_scaled_text(other, factor))
    return (capital(text) + _("."),)


def _scaled_text(scaling: Scaled, factor: Fraction) -> str:
    size, grown = _(scaling.key.meaning), _grown(_ratio(scaling, factor))
    if factor == DOUBLE:
        return _("twice the {size}: {grown}", size=size, grown=grown)
    if factor == HALF:
        return _("half the {size}: {grown}", size=size, grown=grown)
    times = coefficient(factor)
    return _("{factor} times the {size}: {grown}", factor=times, size=size, grown=grown)


def _moving(growth: Growth) -> Iterator[tuple[Symbol, Line]]:
    """The sizes that are not as they were, and how."""
    told = {*used_symbols(growth.scaled.base), *_followers(growth.scaled)}
    for symbol, relation in growth.relations.items():
        if symbol in told and not (relation and relation.is_constant):
            yield symbol, _relation_line(symbol, relation, growth.x)


def _relation_line(symbol: Symbol, relation: Relation | None, x: Symbol) -> Line:
    if relation is None:
        return filled(_("{symbol} in steps"), symbol=variable(symbol))
    if relation.over:
        return (variable(symbol), f" = {coefficient(relation.over)}/", variable(x))
    if not relation.start:
        return ratio_line(symbol, relation.slope, x)
    sign = "+" if relation.start > 0 else "−"
    return (*ratio_line(symbol, relation.slope, x), f" {sign} {coefficient(abs(relation.start))}")


def _staying(growth: Growth) -> Iterator[Symbol]:
    """Dimensions of heads and latents: what does not grow with the width."""
    used = used_symbols(growth.scaled.base)
    for symbol, relation in growth.relations.items():
        kind = symbol.name.partition("_")[0]
        if symbol in used and kind in (OF_ONE_HEAD, LATENT) and relation and relation.is_constant:
            yield symbol


def _followers(scaling: Scaled) -> Iterator[Symbol]:
    return (key.symbol for key in scaling.followers if key.symbol)


def _counterpart(scaling: Scaled, factor: Fraction) -> Scaled | None:
    """The same factor on the layers beside the width, or the other way round, where it can be."""
    other = OTHER.get(scaling.key.symbol) if scaling.key.symbol else None
    model: Model = scaling.base
    key = next((key for key in sizes_of(model) if key.symbol == other), None)
    if key is None:
        return None
    try:
        return scaled(model, ViewOptions(vary=key.name, factors=(factor,)))
    except ConfigError:
        return None


def _ratio(scaling: Scaled, factor: Fraction) -> Fraction:
    after = next(step.model for step in scaling.steps if step.factor == factor)
    return Fraction(after.total, scaling.base.total)


def _grown(ratio: Fraction) -> str:
    """``3.92 times the parameters``; a growth that rounds to nothing in percent."""
    if ratio == 1:
        return _("as many parameters")
    if 1 < ratio < NOTICED:
        return _("{percent} more parameters", percent=percent(float(ratio - 1)))
    return _("{ratio} times the parameters", ratio=significant(ratio))
