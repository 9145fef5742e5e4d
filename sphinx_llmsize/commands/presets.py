"""Command ``llmsize list``: lists the presets, filtered and sorted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from sphinx_llmsize.blocks import Column, Row, Table, cell
from sphinx_llmsize.commands.inputs import is_terminal
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.hosts import HOSTS, TERMINAL_FORMAT, host
from sphinx_llmsize.hosts.json import presets_to_json
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import Report
from sphinx_llmsize.sources.preset_files import Preset, presets
from sphinx_llmsize.translation import _, ngettext

SORT_KEYS: dict[str, Callable[[str, Model], Any]] = {
    "name": lambda name, model: name,
    "total": lambda name, model: model.total,
    "active": lambda name, model: model.active,
}
"""Functions from a preset's name and model to the value to sort by."""
PLAIN = "text"
"""Format with a line for each model, without a heading."""
TEXTBOOK = "textbook"
"""Name of the family without a ``model_type``."""
MAX_LISTED = 40
"""Maximum number of families that an error lists."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [WORD …] [OPTION …]"
    parser.add_argument(
        "filter",
        nargs="*",
        metavar="WORD",
        help="Words that are all in the name, the title or the Hub id of a model.",
    )
    parser.add_argument(
        "--family", metavar="MODEL_TYPE", help="Models of this family only, such as llama."
    )
    parser.add_argument(
        "--sort",
        choices=[f"{sign}{key}" for key in SORT_KEYS for sign in ("", "-")],
        metavar="COLUMN",
        help="Order of the models: name, total or active; a minus reverses it: -total.",
    )
    parser.add_argument(
        "--format",
        choices=(PLAIN, *HOSTS),
        help=f"Format of the output. Default: {TERMINAL_FORMAT}, or {PLAIN} in files and pipes:"
        " a line for each model, without a heading.",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> str:
    """Write the presets that fit the arguments.

    Raises:
        ConfigError: no name contains all the words, or there is no such family.
    """
    models = [
        (name, load_preset(name))
        for name, preset in presets().items()
        if _fits(preset, args.filter)
    ]
    if not models:
        message = _("no model has {text} in its name", text=repr(" ".join(args.filter)[:60]))
        known = (name for preset in presets().values() for name in preset.names)
        raise ConfigError(message, Problem.MODEL, did_you_mean(" ".join(args.filter), known))
    if args.family is not None:
        models = _in_family(models, args.family, args.filter)
    if args.sort:
        sort_key = SORT_KEYS[args.sort.removeprefix("-")]
        is_descending = args.sort.startswith("-")
        models.sort(key=lambda name_and_model: sort_key(*name_and_model), reverse=is_descending)
    format = args.format or (TERMINAL_FORMAT if is_terminal() else PLAIN)
    if format == PLAIN:
        return _plain_lines(models)
    if format == "json":
        return presets_to_json(models)
    table = _table(models)
    level = None if format == "html" else 0  # a page has its usual heading, other formats none
    return host(format)(Report(_("Language models"), (), lambda: (table,), level=level))


def _fits(preset: Preset, words: list[str]) -> bool:
    """True if every word is in a name or the title of the preset."""
    text = "\n".join((*preset.names, preset.title)).casefold()
    return all(word.casefold() in text for word in words)


def _in_family(
    models: list[tuple[str, Model]], family: str, words: list[str]
) -> list[tuple[str, Model]]:
    """The models of a family, among those whose names contain the words.

    Raises:
        ConfigError: there are none.
    """
    wanted = _without_case(family)
    members = [(name, model) for name, model in models if _without_case(family_of(model)) == wanted]
    if not members:
        known = sorted({family_of(model) for _name, model in models})
        message = _("no model of the family {name}", name=repr(family[:60]))
        if words:
            text = repr(" ".join(words)[:60])
            message = _(
                "no model with {text} in its name is of the family {name}",
                text=text,
                name=repr(family[:60]),
            )
        names = ", ".join([*known[:MAX_LISTED], *(["…"] if len(known) > MAX_LISTED else [])])
        hint = did_you_mean(family, known) or _("one of {names}", names=names)
        raise ConfigError(message, Problem.MODEL, hint)
    return members


def _without_case(family: str) -> str:
    """Name of a family in lower case, with hyphens and underscores alike."""
    return family.casefold().replace("-", "_")


def family_of(model: Model) -> str:
    """Name of a model's family in ``--family``."""
    return model.model_type or TEXTBOOK


def _table(models: list[tuple[str, Model]]) -> Table:
    """Table with a row for each model; its active parameters are shown if they are fewer."""
    rows = [
        (*_name_and_numbers(name, model), family_of(model), model.name) for name, model in models
    ]
    columns = (
        Column(_("Name")),
        Column(_("Parameters"), numeric=True),
        Column(_("Active"), numeric=True),
        Column(_("Family"), folds=True),
        Column(_("Title"), folds=True),
    )
    # columns without text, such as the active parameters of dense models, are left out
    shown = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    caption = ngettext("{n} model", "{n} models", len(models), n=len(models))
    table_rows = [Row(tuple(cell(row[i]) for i in shown)) for row in rows]
    return Table((caption,), tuple(columns[i] for i in shown), tuple(table_rows))


def _plain_lines(models: list[tuple[str, Model]]) -> str:
    """One line per model: name, total, active parameters if they are fewer, and title."""
    rows = [(*_name_and_numbers(name, model), model.name) for name, model in models]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:{widths[0]}}  {total:>{widths[1]}}  {active:>{widths[2]}}  {title}"
        for name, total, active, title in rows
    )


def _name_and_numbers(name: str, model: Model) -> tuple[str, str, str]:
    """The name, the total, and the active parameters if they are fewer."""
    active = thousands(model.active) if model.active != model.total else ""
    return name, thousands(model.total), active
