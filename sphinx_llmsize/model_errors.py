"""Errors about a page's models, which every host reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model


def defined_twice(name: str) -> ConfigError:
    """Error for two models with the same name on a page."""
    message = _("model {name} is defined twice on this page", name=repr(name[:100]))
    return ConfigError(message, Problem.MODEL, _("give one of them another name"))


def unexpected_total(model: Model, expected: int | None, hint: str) -> ConfigError | None:
    """Error of the option ``expect`` if the model has another total than the expected one, if any.

    Args:
        model: the model.
        expected: the author's total; None for none.
        hint: the fix, in the host's syntax.
    """
    if expected in (None, model.total):
        return None
    message = _(
        "{name} has {total} parameters, not {expect}",
        name=model.called,
        total=model.total,
        expect=expected,
    )
    return ConfigError(message, Problem.EXPECT, hint, option="expect")
