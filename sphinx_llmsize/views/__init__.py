"""Views: functions from a model and options to blocks.

To add a view, write a module in this package and add its line to :data:`VIEWS`. Modules of views
are imported on first use, since formulas need sympy.
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
from sphinx_llmsize.views.options import check_options, read_names
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
"""Module and function of each view."""
DEFAULT_VIEWS = ("table", "formula", "diagram")


def view_names(
    text: str, views: Collection[str] = VIEWS.keys(), default: tuple[str, ...] = DEFAULT_VIEWS
) -> tuple[str, ...]:
    """The views in a comma-separated list.

    Args:
        text: the list.
        views: known views.
        default: result for an empty list.

    Raises:
        ConfigError: a view is unknown.
    """
    names = read_names(text)
    for name in names:
        if name not in views:
            words = name.split()
            hint = did_you_mean(name, views) or _("there are {names}", names=", ".join(views))
            if set(words) <= set(views):
                hint = _("write {value}", value=", ".join(words))
            raise ConfigError(_("unknown view {name}", name=repr(name[:60])), Problem.OPTION, hint)
    return names or default


@cached(1024)
def document(model: Model, views: tuple[str, ...], options: ViewOptions) -> Document:
    """The blocks of these views, in order.

    Captions state the changes to a preset; without a caption, a paragraph does.

    Raises:
        ConfigError: the model cannot have the value of an option, or a view cannot show it.
    """
    check_options(model, options)
    blocks = tuple(block for name in views for block in view(name)(model, options))
    has_captions = any(isinstance(block, (Table, Chart)) for block in blocks)
    return blocks if has_captions or not model.changes else (Paragraph((title(model),)), *blocks)


@cache
def view(name: str) -> View:
    """The function of a view, imported on first use."""
    module, _, function = VIEWS[name].partition(":")
    found: View = getattr(import_module(f"sphinx_llmsize.views.{module}"), function)
    return found
