"""Commands ``llmsize show``, ``compare`` and ``diff``: views of models in the chosen format."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.commands.inputs import (
    add_options,
    add_output_arguments,
    chosen_options,
    find,
    write_report,
)
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.directives.registry import model_document
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import Report
from sphinx_llmsize.views.shared.wording import title

MODEL = "a preset, a configuration file, or - for standard input"


def add_show(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize show``."""
    parser.add_argument("model", help=MODEL)
    add_output_arguments(parser)
    add_options(parser, ShowOptions)
    parser.set_defaults(run=show)


def show(chosen: argparse.Namespace) -> str:
    """Write the views of a model."""
    model, options = find(chosen.model), chosen_options(chosen, ShowOptions)

    def build() -> Document:
        return model_document(model, options)

    if options.expect is not None:
        build()  # raises an error for another total, even if the format shows no views
    return _report(title(model), (model,), build, chosen)


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize compare``."""
    parser.add_argument("models", nargs="+", metavar="MODEL", help=MODEL)
    add_output_arguments(parser)
    add_options(parser, CompareOptions)
    parser.set_defaults(run=compare)


def compare(chosen: argparse.Namespace) -> str:
    """Write several models side by side."""
    from sphinx_llmsize.notebook import names, side_by_side

    models = tuple(map(find, chosen.models))
    options = chosen_options(chosen, CompareOptions)
    return _report(names(models), models, lambda: side_by_side(models, options), chosen)


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize diff``."""
    parser.add_argument("one", metavar="MODEL", help=MODEL)
    parser.add_argument("other", metavar="OTHER", help="another model")
    add_output_arguments(parser)
    add_options(parser, DiffOptions)
    parser.set_defaults(run=diff)


def diff(chosen: argparse.Namespace) -> str:
    """Write what changed between two models."""
    from sphinx_llmsize.notebook import difference

    one, other = find(chosen.one), find(chosen.other)
    report = difference(one, other, chosen_options(chosen, DiffOptions))
    report = replace(report, level=chosen.level, has_chosen_views=hasattr(chosen, "show"))
    return write_report(report, chosen.format)


def _report(
    title: str,
    models: tuple[Model, ...],
    build: Callable[[], Document],
    chosen: argparse.Namespace,
) -> str:
    report = Report(title, models, build, chosen.level, has_chosen_views=hasattr(chosen, "show"))
    return write_report(report, chosen.format)
