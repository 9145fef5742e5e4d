"""FLOPs as figures: of a forward pass, and of one more token."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sphinx_llmsize.architecture.cost import ForwardPass, forward, next_token
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.compute.counts import flops_of, flops_text
from sphinx_llmsize.views.numbers.memory_numbers import Amount
from sphinx_llmsize.views.shared.lengths import check_tokens, generates
from sphinx_llmsize.views.view_options import read_tokens

FORMATS: dict[str, Callable[[int], str]] = {"short": flops_text, "exact": thousands}


def pass_flops(model: Model, how: list[str]) -> Amount:
    """Of so many tokens that pass at once: ``["5"]``, ``["5", "exact"]``.

    Raises:
        ConfigError: the words are others, or the model has no positions for them.
    """
    return _amount(model, how, forward)


def token_flops(model: Model, how: list[str]) -> Amount:
    """Of one more token, with so many in context: ``["4096"]``, ``["4096", "exact"]``.

    Raises:
        ConfigError: the words are others, or the model does not generate.
    """
    if not generates(model):
        hint = _("all tokens pass at once: ask for flops")
        raise ConfigError(_("{name} generates no tokens", name=model.name), Problem.FIGURE, hint)
    return _amount(model, how, next_token)


FLOPS = {"flops": pass_flops, "flops_per_token": token_flops}
"""By the word that asks for them."""


def _amount(model: Model, how: list[str], run: Callable[[int], ForwardPass]) -> Amount:
    if not how:
        raise ConfigError(
            _("FLOPs of how many tokens?"), Problem.FIGURE, _("write them after it: 4096")
        )
    tokens = check_tokens(model, read_tokens(how[0], Problem.FIGURE), Problem.FIGURE)
    form, *rest = how[1:] or ("short",)
    if rest or form not in FORMATS:
        wrong = rest[0] if rest else form
        hint = did_you_mean(wrong, FORMATS) or _("one of {names}", names=", ".join(FORMATS))
        raise ConfigError(
            _("{wrong} is no way to write it", wrong=repr(wrong[:60])), Problem.FIGURE, hint
        )
    total = flops_of(model.architecture, run(tokens)).total
    return Amount(Fraction(total), FORMATS[form](total))
