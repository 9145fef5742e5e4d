"""Errors that several hosts report, so that the words are the same in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _, ngettext

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model


def defined_twice(name: str) -> ConfigError:
    """Error for two models with the same name on a page."""
    message = _("model {name} is defined twice on this page", name=repr(name[:100]))
    return ConfigError(message, Problem.MODEL, _("give one of them another name"))


def option_given_twice(option: str) -> ConfigError:
    """Error for a directive that has an option twice."""
    message = _("option {option} is given twice", option=option)
    return ConfigError(message, Problem.OPTION, _("keep one of them"))


def not_two_models(number: int, example: str) -> ConfigError:
    """Error for a difference of more or fewer than two models.

    Args:
        number: number of models.
        example: two models in the host's syntax.
    """
    message = ngettext("only {n} model is named", "{n} models are named", number, n=number)
    hint = _("write two, with a comma between: {example}", example=example)
    return ConfigError(message, Problem.MODEL, hint)


def unexpected_total(model: Model, expected: int | None, hint: str) -> ConfigError | None:
    """Error if the model's total isn't that of the option ``expect``, else None.

    Args:
        model: the model.
        expected: the author's total; None if the option isn't set.
        hint: the fix, in the host's syntax.
    """
    if expected in (None, model.total):
        return None
    message = _(
        "{name} has {total} parameters, not {expect}",
        name=model.label,
        total=model.total,
        expect=expected,
    )
    return ConfigError(message, Problem.EXPECT, hint, option="expect")
