"""Commands ``llmsize show``, ``compare`` and ``diff``: views of models in the chosen format."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sphinx_llmsize.commands.inputs import (
    add_options,
    add_output_arguments,
    chosen_options,
    find,
    written,
)
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.report import Report, comparison_of, difference_of, report_of

MODEL = "a preset, a configuration file, or - for standard input"


def add_show(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize show``."""
    parser.add_argument("model", help=MODEL)
    add_output_arguments(parser)
    add_options(parser, ShowOptions)
    parser.set_defaults(run=show)


def show(chosen: argparse.Namespace) -> str:
    """Write the views of a model."""
    options = chosen_options(chosen, ShowOptions)
    report = report_of(find(chosen.model), options)
    if options.expect is not None:
        report.blocks  # noqa: B018 - raises an error for another total, even if no views are shown
    return _written(report, chosen)


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize compare``."""
    parser.add_argument("models", nargs="+", metavar="MODEL", help=MODEL)
    add_output_arguments(parser)
    add_options(parser, CompareOptions)
    parser.set_defaults(run=compare)


def compare(chosen: argparse.Namespace) -> str:
    """Write several models side by side."""
    models = tuple(map(find, chosen.models))
    return _written(comparison_of(models, chosen_options(chosen, CompareOptions)), chosen)


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``llmsize diff``."""
    parser.add_argument("one", metavar="MODEL", help=MODEL)
    parser.add_argument("other", metavar="OTHER", help="another model")
    add_output_arguments(parser)
    add_options(parser, DiffOptions)
    parser.set_defaults(run=diff)


def diff(chosen: argparse.Namespace) -> str:
    """Write what changed between two models."""
    one, other = find(chosen.one), find(chosen.other)
    return _written(difference_of(one, other, chosen_options(chosen, DiffOptions)), chosen)


def _written(report: Report, chosen: argparse.Namespace) -> str:
    """The report in the chosen format and with the chosen heading."""
    report = replace(report, level=chosen.level, has_chosen_views=hasattr(chosen, "show"))
    return written(report, chosen.format)
