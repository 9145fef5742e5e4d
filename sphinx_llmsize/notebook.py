"""Views of models in Python: notebooks show them as HTML, consoles as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from numbers import Number
from pathlib import Path
from typing import Any

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.errors import ConfigError, Problem, UnknownModel
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.html.embedded import embed, embed_for_marimo
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.loading import ConfigSource, in_quotes, load
from sphinx_llmsize.model import Model
from sphinx_llmsize.model_errors import not_two_models
from sphinx_llmsize.report import comparison_of, difference_of, report_of
from sphinx_llmsize.sources.preset_files import several_presets
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.option_declarations import Options, read_options

ModelSource = Model | Mapping[str, object] | str | Path
"""A model, or a name, mapping or path that :func:`~sphinx_llmsize.load` loads."""
ModelSources = ModelSource | list[ModelSource] | tuple[ModelSource, ...]
"""One of these, or several of them."""


@dataclass(frozen=True, repr=False)
class NotebookOutput:
    """Views of models as output: HTML in notebooks, Markdown in books, text in consoles.

    Attributes:
        blocks: the views.
    """

    blocks: Document

    def __repr__(self) -> str:
        """The views as plain text."""
        from sphinx_llmsize.terminal.documents import plain_text

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
        text = repr(self)
        return {
            "text/html": embed(self.blocks, text),
            "text/markdown": to_markdown(self.blocks).strip(),
            "text/plain": text,
        }

    def _mime_(self) -> tuple[str, str]:
        """Media type and HTML for marimo."""
        return "text/html", embed_for_marimo(self.blocks)


def show(model: Model, *views: str | Iterable[str], **options: object) -> NotebookOutput:
    """Views of a model: ``show(model, "memory", context=8192)``.

    Args:
        model: the model.
        views: names of views, in order, or a list of them; by default those of the directive
            ``llm-size``.
        options: options of the directive, as numbers, texts, or lists or mappings of them.

    Raises:
        ConfigError: a view or an option is unknown, or doesn't fit the model.
        TypeError: a view or an option is neither a text nor a number, nor a list of them.
    """
    return NotebookOutput(report_of(model, _read(views, options, ShowOptions)).blocks)


def compare(*models: ModelSources, **options: object) -> NotebookOutput:
    """Models side by side: ``compare("gpt2", "gpt2-xl", columns="total, mlp:share")``.

    Args:
        models: names of models, or models; or a list of them.
        options: options of the directive ``llm-compare``; ``show`` selects its views.

    Raises:
        ConfigError: a model or an option is unknown, or they don't fit each other.
    """
    loaded = _loaded(models)
    if not loaded:
        hint = _("write their names: {example}", example='compare("gpt2", "gpt2-xl")')
        raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
    return NotebookOutput(comparison_of(loaded, _read((), options, CompareOptions)).blocks)


def diff(*models: ModelSources, **options: object) -> NotebookOutput:
    """Changes from one model to another: ``diff("llama-2-7b", "llama-3-8b")``.

    Args:
        models: names of the two models, or the models; or a list of them.
        options: options of the directive ``llm-diff``; ``show`` selects its views.

    Raises:
        ConfigError: there are not two models, a model or an option is unknown, or they don't fit
            each other.
    """
    loaded = _loaded(models)
    if len(loaded) != 2:  # noqa: PLR2004 - two models
        raise not_two_models(len(loaded), 'diff("llama-2-7b", "llama-3-8b")')
    report = difference_of(*loaded, _read((), options, DiffOptions))
    return NotebookOutput(report.blocks)


def _loaded(sources: Iterable[ModelSources]) -> tuple[Model, ...]:
    """The models of arguments, each of which is one model or several."""
    models: list[Model] = []
    for source in sources:
        if isinstance(source, Model):
            models.append(source)
        elif isinstance(source, (list, tuple)):
            models += _loaded(source)
        else:
            models.append(_load(source))
    return tuple(models)


def _load(source: ConfigSource) -> Model:
    """Load a model; the hint for several names in one text shows how to separate them."""
    try:
        return load(source)
    except UnknownModel as error:
        names = several_presets(source) if isinstance(source, str) else []
        if not names:
            raise
        hint = _("put each name in quotes of its own: {names}", names=in_quotes(names))
        raise error.replace(hint=hint) from None


def _read(views: tuple[object, ...], options: Mapping[str, object], kind: type[Options]) -> Options:
    """Read options from Python values; the views, if there are any, are the option ``show``.

    Raises:
        ConfigError: an option is unknown or its value is unusable, or a list of views is empty.
        TypeError: a value is of a type that options don't have.
    """
    values = {**options, "show": views} if views else options
    texts = {name: _text(name, value) for name, value in values.items()}
    if texts.get("show") == "":
        hint = _("leave out {option} for the usual ones", option="show")
        raise ConfigError(_("no views to show"), Problem.OPTION, hint, option="show")
    return read_options(texts, kind)


def _text(name: str, value: object) -> str:
    """An option's value as an author writes it: ``4096``, ``table, formula``, ``qkv: "my words"``.

    Raises:
        TypeError: it is of a type that options don't have.
    """
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Mapping):
        return ", ".join(f'{key}: "{text}"' for key, text in value.items())
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return ", ".join(_text(name, each) for each in value)
    if not isinstance(value, (str, Number)):
        raise TypeError(f"{name} is a text, a number or a list of them, not {type(value).__name__}")
    return str(value)
