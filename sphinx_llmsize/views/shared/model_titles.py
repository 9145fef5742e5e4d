"""Titles of models, in captions and within sentences."""

from __future__ import annotations

from sphinx_llmsize.inline import Inline, Line
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.key_text import change_text
from sphinx_llmsize.views.shared.wording import capital, filled, listed_text

WITH_CHANGES = N_("{model} with {changes}")
"""Title of a changed model."""


def title(model: Model) -> str:
    """The name of the model with its changes to a preset; empty for a model without a name."""
    if model.marked_title:
        return model.marked_title
    if not model.changes:
        return model.name
    changes = listed_text([change_text(model, change) for change in model.changes])
    return _(WITH_CHANGES, model=model.label, changes=changes)


def title_in_sentence(model: Model) -> str:
    """The title, or ``this model`` for a model without a name."""
    return title(model) or model.label


def title_first(model: Model) -> str:
    """The title at the beginning of a text; ``This model`` for a model without a name."""
    return title(model) or capital(model.label)


def about(model: Model, named: str, unnamed: str, **values: object) -> str:
    """A caption with the model's title: ``Pipeline of GPT-2``; without a title, ``Pipeline``.

    Args:
        model: the model.
        named: message with the title as ``{model}``, marked with ``N_()``.
        unnamed: message for a model without a name, also marked with ``N_()``.
        values: values of the other placeholders.
    """
    shown = title(model)
    return _(named, model=shown, **values) if shown else _(unnamed, **values)


def about_line(model: Model, named: str, unnamed: str, **contents: Inline | Line) -> Line:
    """A caption as from :func:`about`, with inline content in place of its other placeholders."""
    shown = title(model)
    if shown:
        return filled(_(named), model=shown, **contents)
    return filled(_(unnamed), **contents)
