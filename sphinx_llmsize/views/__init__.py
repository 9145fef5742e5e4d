"""Views: each is a function that takes a model and options and returns blocks.

To add a view, write a module in this package and add its line to :data:`VIEWS`. Modules of views
are imported on first use, because sympy, which formulas need, is slow to import.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from sphinx_llmsize.blocks import Block, Document, Heading, Note, Paragraph, Table, with_ids
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.option_declarations import check_options
from sphinx_llmsize.views.option_values import read_names
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.equal_heads import with_equal_heads
from sphinx_llmsize.views.shared.identifiers import with_code
from sphinx_llmsize.views.shared.model_titles import title
from sphinx_llmsize.views.shared.resolved_labels import resolved_labels
from sphinx_llmsize.views.view_options import DEFAULT_VIEWS, ViewOptions

View = Callable[[Model, ViewOptions], tuple[Block, ...]]
"""Function of a view; raises ConfigError if an option does not fit the model."""


class ViewEntry(NamedTuple):
    """Entry of a view.

    Attributes:
        function: its module and function: ``compute.compute:compute``.
        heading: its name above its blocks, see :func:`headings`.
        is_traceable: an interactive page computes its numbers again for other sizes; otherwise, it
            shows the view for the model's own sizes only.
    """

    function: str
    heading: str
    is_traceable: bool = False


VIEWS: dict[str, ViewEntry] = {
    "table": ViewEntry("parameters.breakdown:breakdown", N_("Parameters"), is_traceable=True),
    "formula": ViewEntry("parameters.formula:formula", N_("Derivation"), is_traceable=True),
    "rule": ViewEntry("parameters.rule_view:rule", N_("Rule of thumb"), is_traceable=True),
    "diagram": ViewEntry("pipeline.pipeline:pipeline", N_("Pipeline"), is_traceable=True),
    "shapes": ViewEntry("shapes.shapes:shapes", N_("Shapes"), is_traceable=True),
    "compute": ViewEntry("compute.compute:compute", N_("Compute"), is_traceable=True),
    "scaling": ViewEntry("scaling.scaling:scaling", N_("Scaling")),
    "composition": ViewEntry("comparison.composition:composition", N_("Composition")),
    "memory": ViewEntry("memory.memory:memory", N_("Memory"), is_traceable=True),
    "features": ViewEntry("features.features:features", N_("Features")),
    "name": ViewEntry("naming.naming:naming", N_("Name")),
}
"""The views by name."""
TRACEABLE_VIEWS = frozenset(name for name, entry in VIEWS.items() if entry.is_traceable)
"""Names of the views whose numbers an interactive page computes again."""
CAPTIONED = (Table, Chart)
"""Blocks with a caption; the first one of a view names the model."""


def view_names(
    text: str, views: Collection[str] = VIEWS.keys(), default: tuple[str, ...] = DEFAULT_VIEWS
) -> tuple[str, ...]:
    """Parse a comma-separated list of views.

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
            raise _unknown_view(name, views)
    return names or default


def _unknown_view(name: str, views: Collection[str]) -> ConfigError:
    """Error for a name that is not one of these views."""
    words = name.split()
    if set(words) <= set(views):  # spaces in place of commas
        message = _("{names} are several views", names=repr(name[:60]))
        return ConfigError(message, Problem.OPTION, _("write {value}", value=", ".join(words)))
    error = unknown_word(N_("unknown view {name}"), name, views, Problem.OPTION)
    if name in VIEWS:  # a view of llm-size in another directive
        hint = _("llm-size shows it; here: {names}", names=", ".join(views))
        return error.replace(hint=hint)
    return error


@cached(1024)
def document(model: Model, views: tuple[str, ...], options: ViewOptions) -> Document:
    """The blocks of these views, in order.

    The first caption of a view names the model and its changes. If a model is changed and no block
    has a caption, a paragraph with the model's title comes first.

    Raises:
        ConfigError: an option's value is invalid for the model, or a view cannot show the model.
    """
    check_options(model, options)
    options = replace(options, labels=resolved_labels(model, options.labels), shown=views)
    by_view = {name: tuple(with_ids(name, view(name)(model, options))) for name in views}
    heading_of = headings(by_view)
    blocks = tuple(
        block for name in by_view for block in (*heading_of.get(name, ()), *by_view[name])
    )
    has_caption = any(isinstance(block, CAPTIONED) for block in blocks)
    if model.changes and not has_caption:
        return (Paragraph((title(model),)), *blocks)
    return blocks


def headings(blocks_by_view: Mapping[str, Sequence[Block]]) -> dict[str, tuple[Heading, ...]]:
    """Headings of views by name: of the first view with several captions and all views after it.

    Captions alone would not show which tables belong together. Views before it, with at most one
    caption each, and a view alone on its part of the page have no heading.
    """
    found: dict[str, tuple[Heading, ...]] = {}
    for name, blocks in blocks_by_view.items():
        captions = [block for block in blocks if isinstance(block, CAPTIONED)]
        if len(blocks_by_view) > 1 and (found or len(captions) > 1):
            found[name] = (Heading((_(VIEWS[name].heading),)),)
    return found


def parts_of_view(name: str) -> tuple[View, ...]:
    """The functions that make the parts of a view, in order.

    They are ``PARTS`` of the view's module or, if it has none, only the view's own function.
    """
    module, _function = _import_view(name)
    parts: tuple[View, ...] = getattr(module, "PARTS", ())
    if not parts:
        return (view(name),)
    *others, last = map(_for_equal_heads, parts)
    return (*others, _with_change_notes(name, last))


def view(name: str) -> View:
    """The function of a view, imported on first use."""
    module, function = _import_view(name)
    return _with_change_notes(name, _for_equal_heads(getattr(module, function)))


def _for_equal_heads(function: View) -> View:
    """Wrap the function of a view to show H in place of H_kv if both have the same value."""

    @wraps(function)
    def view_with_equal_heads(model: Model, options: ViewOptions) -> tuple[Block, ...]:
        return function(with_equal_heads(model), options)

    return view_with_equal_heads


def _with_change_notes(name: str, function: View) -> View:
    """Wrap the function of a view: the first one shown ends with notes on the model's changes."""

    @wraps(function)
    def view_with_change_notes(model: Model, options: ViewOptions) -> tuple[Block, ...]:
        blocks = function(model, options)
        if options.shown[:1] != (name,):
            return blocks
        notes = (Note(with_code(note), is_of_preset=True) for note in change_notes(model))
        return (*blocks, *notes)

    return view_with_change_notes


def _import_view(name: str) -> tuple[ModuleType, str]:
    """Import the module of a view; return it with the name of the view's function."""
    module, _colon, function = VIEWS[name].function.partition(":")
    return import_module(f"sphinx_llmsize.views.{module}"), function
