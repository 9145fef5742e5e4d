"""Views of models in Python: notebooks show them as HTML, consoles as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.directives.registry import shown, shown_difference, shown_side_by_side
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.html.embedded import embedded
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.loading import load
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import Report
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.comparison.compared_rows import compared
from sphinx_llmsize.views.difference.counted_difference import counted
from sphinx_llmsize.views.difference.difference_data import difference_data
from sphinx_llmsize.views.options import Options, read_options
from sphinx_llmsize.views.shared.wording import listed_text, title, title_in_sentence

ModelSource = Model | Mapping[str, object] | str | Path
"""A model, or a name, mapping or path that :func:`~sphinx_llmsize.load` loads."""


class Shown(Report):
    """Views of models, which notebooks show as HTML, books as Markdown, and consoles as text."""

    def __repr__(self) -> str:
        """The views as plain text."""
        from sphinx_llmsize.terminal.printed import plain_text

        return plain_text(self.blocks)

    def widget(self) -> Any:
        """The views as a widget of anywidget, if they were shown with ``interactive=True``.

        Raises:
            ConfigError: they weren't, or anywidget isn't installed.
        """
        from sphinx_llmsize.html.widget import widget

        if not isinstance(self.blocks, InteractiveDocument):
            hint = _("write {value}", value="show(interactive=True)")
            raise ConfigError(_("these views aren't interactive"), Problem.OPTION, hint)
        return widget(self.blocks)

    def _repr_mimebundle_(
        self, include: Collection[str] = (), exclude: Collection[str] = ()
    ) -> dict[str, str]:
        """The views in every format that a notebook may show; it selects by media type."""
        return {
            "text/html": embedded(self.blocks),
            "text/markdown": to_markdown(self.blocks).strip(),
            "text/plain": repr(self),
        }


def show(model: Model, *views: str, **options: object) -> Shown:
    """Views of a model: ``show(model, "memory", context=8192)``.

    Args:
        model: the model.
        views: names of views, in order; by default those of the directive ``llm-size``.
        options: options of the directive, as numbers, texts, or lists or mappings of them.

    Raises:
        ConfigError: a view or an option is unknown, or doesn't fit the model.
    """
    document = shown(model, _read(views, options, ShowOptions))
    return Shown(title(model), (model,), lambda: document)


def compare(*models: ModelSource, **options: object) -> Shown:
    """Models side by side: ``compare("gpt2", "gpt2-xl", columns="total, mlp:share")``.

    Args:
        models: names of models, or models.
        options: options of the directive ``llm-compare``; ``show`` selects its views.

    Raises:
        ConfigError: a model or an option is unknown, or they don't fit each other.
    """
    if not models:
        hint = _("write their names: {example}", example='compare("gpt2", "gpt2-xl")')
        raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
    loaded = tuple(map(_loaded, models))
    document = side_by_side(loaded, _read((), options, CompareOptions))
    return Shown(names(loaded), loaded, lambda: document)


def diff(one: ModelSource, other: ModelSource, **options: object) -> Shown:
    """What changed between two models: ``diff("llama-2-7b", "llama-3-8b")``.

    Args:
        one: name of the first model, or the model.
        other: the same for the second one.
        options: options of the directive ``llm-diff``; ``show`` selects its views.

    Raises:
        ConfigError: a model or an option is unknown, or they don't fit each other.
    """
    chosen = _read((), options, DiffOptions)
    report = difference(_loaded(one), _loaded(other), chosen)
    report.blocks  # noqa: B018 - raises the errors of the options here
    return report


def difference(one: Model, other: Model, options: DiffOptions) -> Shown:
    """The views of two models' difference that the options select.

    Building the views raises ConfigError if an option doesn't fit the models.
    """
    return Shown(
        _("From {one} to {other}", one=title_in_sentence(one), other=title_in_sentence(other)),
        (one, other),
        lambda: shown_difference(one, other, options),
        numbers=lambda: {"difference": difference_data(counted(one, other, options.difference))},
    )


def side_by_side(models: Iterable[Model], options: CompareOptions) -> Document:
    """The views of several models that the options select.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    return shown_side_by_side([compared(model) for model in models], options)


def names(models: Iterable[Model]) -> str:
    """Titles of models in words: ``GPT-2, GPT-2 Medium and GPT-2 XL``."""
    return listed_text([compared(model).name for model in models])


def _loaded(model: ModelSource) -> Model:
    return model if isinstance(model, Model) else load(model)


def _read(views: Iterable[str], options: Mapping[str, object], kind: type[Options]) -> Options:
    """Read options from Python values; ``views`` is the option ``show``."""
    texts = {name: _text(value) for name, value in options.items()}
    chosen = ", ".join(views)
    return read_options({**texts, "show": chosen} if chosen else texts, kind)


def _text(value: object) -> str:
    """A value as an author writes it: ``4096``, ``table, formula``, ``qkv: "my words"``."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return ", ".join(f'{key}: "{text}"' for key, text in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_text, value))
    return str(value)
