"""The views: each turns a model into blocks.

A new view is a file beside this one and its line in :data:`VIEWS`; no host changes.
Views import when they are first asked for, since formulas bring sympy with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module

from sphinx_llmsize.blocks import Block, Document, Paragraph, Table
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, cached
from sphinx_llmsize.views.scaling.scaled_models import scaled_keys
from sphinx_llmsize.views.shared.wording import title
from sphinx_llmsize.views.view_options import ViewOptions

View = Callable[[Model, ViewOptions], tuple[Block, ...]]

VIEWS: dict[str, str] = {
    "table": "parameters.breakdown:breakdown",
    "formula": "parameters.formula:formula",
    "diagram": "pipeline:pipeline",
    "shapes": "shapes.shapes:shapes",
    "compute": "compute.compute:compute",
    "scaling": "scaling.scaling:scaling",
    "composition": "comparison.composition:composition",
    "memory": "memory.memory:memory",
}
DEFAULT_VIEWS = ("table", "formula", "diagram")


def view_names(
    text: str, views: Collection[str] = VIEWS.keys(), default: tuple[str, ...] = DEFAULT_VIEWS
) -> tuple[str, ...]:
    """The views that a comma-separated list names.

    Args:
        text: the list.
        views: those that there are.
        default: what an empty list means.

    Raises:
        ConfigError: one of them does not exist.
    """
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in views:
            hint = _commas(name, views) or did_you_mean(name, views)
            hint = hint or _("there are {names}", names=", ".join(views))
            raise ConfigError(_("unknown view {name}", name=repr(name[:60])), Problem.OPTION, hint)
    return names or default


def _commas(name: str, views: Collection[str]) -> str:
    words = name.split()
    told = set(words) <= set(views)
    return _("write {value}", value=", ".join(words)) if told else ""


@cached(1024)
def document(model: Model, views: tuple[str, ...], options: ViewOptions) -> Document:
    """What these views say about a model, in their order.

    What was changed of a released one stands in captions, or before everything where none are.
    """
    if "scaling" not in views and (options.follow or options.vary != ViewOptions.vary):
        scaled_keys(model, options)  # wrong keys are mistakes even if no view uses them
    blocks = tuple(block for name in views for block in view(name)(model, options))
    has_captions = any(isinstance(block, (Table, Chart)) for block in blocks)
    return blocks if has_captions or not model.changes else (Paragraph((title(model),)), *blocks)


@cache
def view(name: str) -> View:
    """The view of that name, which is imported when first asked for."""
    module, _, function = VIEWS[name].partition(":")
    found: View = getattr(import_module(f"sphinx_llmsize.views.{module}"), function)
    return found
