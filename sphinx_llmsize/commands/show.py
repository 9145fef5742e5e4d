"""Commands ``llmsize show``, ``compare`` and ``diff``: views of models in the chosen format."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sphinx_llmsize.commands.inputs import (
    add_options,
    add_output_arguments,
    find_model,
    options_from,
    report_text,
)
from sphinx_llmsize.commands.parser import Parser
from sphinx_llmsize.directives.options import CompareOptions, DiffOptions, ShowOptions
from sphinx_llmsize.report import Report, comparison_of, difference_of, report_of
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import VIEWS

MODEL_HELP = (
    "A preset, such as llama-7b, a configuration file, a folder with a config.json,"
    " or - for standard input."
)
"""Help of arguments that name a model."""


def add_show(parser: Parser) -> None:
    """Declare the arguments of ``llmsize show``."""
    parser.hint_for_extra = _hint_for_extra
    parser.usage = "%(prog)s MODEL [OPTION …]"
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    add_options(parser, ShowOptions)
    add_output_arguments(parser)
    parser.set_defaults(run=show)


def show(args: argparse.Namespace) -> str:
    """Text of the views of a model."""
    options = options_from(args, ShowOptions)
    report = report_of(find_model(args.model), options)
    if options.expect is not None:
        report.check()  # the total, even if the format shows no views
    return _text_of(report, args)


def _hint_for_extra(argument: str) -> str:
    """Hint for a second model, or a second view after ``--show``."""
    if argument in VIEWS:
        return _("write views with commas: {example}", example="--show table,formula")
    return _("llmsize compare shows several models")


def add_compare(parser: Parser) -> None:
    """Declare the arguments of ``llmsize compare``."""
    parser.usage = "%(prog)s MODEL … [OPTION …]"
    parser.add_argument("models", nargs="+", metavar="MODEL", help=MODEL_HELP)
    add_options(parser, CompareOptions)
    add_output_arguments(parser)
    parser.set_defaults(run=compare)


def compare(args: argparse.Namespace) -> str:
    """Text of several models side by side."""
    models = tuple(map(find_model, args.models))
    options = options_from(args, CompareOptions)
    report = comparison_of(models, options, is_exact=args.format == "csv")
    return _text_of(report, args)


def add_diff(parser: Parser) -> None:
    """Declare the arguments of ``llmsize diff``."""
    parser.usage = "%(prog)s MODEL OTHER [OPTION …]"
    parser.add_argument("one", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument(
        "other", metavar="OTHER", help="Model to compare it with, written like MODEL."
    )
    add_options(parser, DiffOptions)
    add_output_arguments(parser)
    parser.set_defaults(run=diff)


def diff(args: argparse.Namespace) -> str:
    """Text of the changes between two models."""
    one, other = find_model(args.one), find_model(args.other)
    options = options_from(args, DiffOptions)
    report = difference_of(one, other, options, is_exact=args.format == "csv")
    return _text_of(report, args)


def _text_of(report: Report, args: argparse.Namespace) -> str:
    """Text of a report in the format and with the heading that the arguments select."""
    has_chosen_views = hasattr(args, "show")  # absent unless set: see add_options()
    report = replace(report, level=args.level, has_chosen_views=has_chosen_views)
    return report_text(report, args.format)
