"""Released models by name: data in ``presets/*.json``, one file for each family."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from sphinx_llmsize.errors import NEAR, Problem, UnknownModel, nearest, suggestion
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Preset:
    """A released model.

    Attributes:
        name: what authors write.
        title: what readers see.
        hub: its ids on the Hugging Face Hub, which name it as well.
        size: as advertised, such as ``7B``.
        context: tokens it was released for.
        source: where the configuration is published.
        total: the exact number of parameters that was published, where one was.
        note: what a reader must know, such as why a published figure is another.
        section: its configuration.
    """

    name: str
    title: str
    hub: tuple[str, ...]
    size: str
    context: int
    source: str
    total: int | None
    note: str
    section: Section

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that names it, the short name first."""
        return (self.name, *self.hub)


@lru_cache(maxsize=1)
def presets() -> dict[str, Preset]:
    """Every preset by its name, in the order of the files."""
    entries: dict[str, Preset] = {}
    folder = files("sphinx_llmsize") / "presets"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            for name, fields in json.loads(file.read_text("utf-8")).items():
                entries[name] = _preset(name, fields)
    return entries


def find_preset(name: str) -> Preset | None:
    """The preset of that name or Hub id, in any letter case."""
    return _by_any_name().get(name.casefold())


def preset_names() -> tuple[str, ...]:
    """Every name and Hub id that :func:`find_preset` knows, as they are spelt."""
    return tuple(name for preset in presets().values() for name in preset.names)


def unknown_model(name: str, known: Iterable[str] = ()) -> UnknownModel:
    """The error for a name that is neither a preset nor described by a configuration."""
    name, names = name[:100], tuple(known) or preset_names()
    near = _cut_or_drawn_out(name, names) or nearest(name, names, NEAR)
    return UnknownModel(
        _("unknown model {name}", name=repr(name)),
        Problem.MODEL,
        suggestion(near) or _("give a configuration, or a name that 'llmsize list' shows"),
    )


def _cut_or_drawn_out(name: str, known: Iterable[str]) -> str:
    """The name that another begins, or begins with, word by word: nearer than mere likeness."""
    wanted = _words(name)
    words = {other: _words(other.rpartition("/")[2]) for other in known}
    begun = [other for other, its in words.items() if its[: len(wanted)] == wanted]
    if begun and wanted:
        return min(begun, key=lambda other: len(words[other]))
    # one word is a family's name at most
    ends = [other for other, its in words.items() if len(its) > 1 and wanted[: len(its)] == its]
    return max(ends, key=lambda other: len(words[other]), default="")


def _words(name: str) -> list[str]:
    """``Llama-3-8B`` is llama, 3, 8, b."""
    return re.findall(r"[^\W\d_]+|\d+", name.casefold())


@lru_cache(maxsize=1)
def _by_any_name() -> dict[str, Preset]:
    return {name.casefold(): preset for preset in presets().values() for name in preset.names}


def _preset(name: str, fields: dict[str, Any]) -> Preset:
    return Preset(
        name,
        fields["title"],
        tuple(fields["hub"]),
        fields["size"],
        fields["context"],
        fields["source"],
        fields.get("total"),
        fields.get("note", ""),
        section_of(fields["config"]),
    )
