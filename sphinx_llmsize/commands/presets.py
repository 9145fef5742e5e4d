"""Command ``llmsize list``: the presets, filtered and sorted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.hosts.json import presets_to_json as to_json
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.presets import Preset, presets
from sphinx_llmsize.translation import _

SORT_KEYS: dict[str, Callable[[str, Model], Any]] = {
    "name": lambda name, model: name,
    "total": lambda name, model: model.total,
    "active": lambda name, model: model.active,
}
"""Functions from a preset's name and model to the value to sort by."""
TEXTBOOK = "textbook"
"""Name of the family without a ``model_type``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "filter",
        nargs="*",
        metavar="FILTER",
        help="words that the name, the title or the Hub id of a model contain, all of them",
    )
    parser.add_argument("--family", metavar="MODEL_TYPE", help="models of this family only")
    parser.add_argument(
        "--sort",
        choices=[f"{sign}{key}" for key in SORT_KEYS for sign in ("", "-")],
        help="order of the models, with a minus from the last: --sort=-total",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="columns of text, or JSON"
    )
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> str:
    """The chosen presets, a line for each or as JSON.

    Raises:
        ConfigError: no name contains all the words, or there is no such family.
    """
    found = [
        (name, load_preset(name))
        for name, preset in presets().items()
        if _fits(preset, chosen.filter)
    ]
    if not found:
        message = _("no model has {text} in its name", text=repr(" ".join(chosen.filter)[:60]))
        known = (name for preset in presets().values() for name in preset.names)
        raise ConfigError(message, Problem.MODEL, did_you_mean(" ".join(chosen.filter), known))
    if chosen.family is not None:
        found = _of_family(found, chosen.family)
    if chosen.sort:
        sort_key = SORT_KEYS[chosen.sort.removeprefix("-")]
        found.sort(key=lambda named: sort_key(*named), reverse=chosen.sort.startswith("-"))
    return to_json(found) if chosen.format == "json" else _columns(found)


def _fits(preset: Preset, words: list[str]) -> bool:
    text = "\n".join((*preset.names, preset.title)).casefold()
    return all(word.casefold() in text for word in words)


def _of_family(found: list[tuple[str, Model]], family: str) -> list[tuple[str, Model]]:
    """The models of a family, or ConfigError if there are none."""
    chosen = [each for each in found if _family(each[1]) == family.casefold().replace("-", "_")]
    if not chosen:
        known = sorted({_family(model) for _name, model in found})
        message = _("no model of the family {name}", name=repr(family[:60]))
        hint = did_you_mean(family, known) or _("one of {names}", names=", ".join(known[:40]))
        raise ConfigError(message, Problem.MODEL, hint)
    return chosen


def _family(model: Model) -> str:
    return model.model_type or TEXTBOOK


def _columns(found: list[tuple[str, Model]]) -> str:
    """Lines with the name, the total, active parameters if fewer, and the title."""
    rows = [
        (
            name,
            thousands(model.total),
            thousands(model.active) if model.active != model.total else "",
            model.name,
        )
        for name, model in found
    ]
    width = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:{width[0]}}  {total:>{width[1]}}  {active:>{width[2]}}  {title}"
        for name, total, active, title in rows
    )
