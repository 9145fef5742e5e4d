"""Presets: released models by name, read from the files ``presets/*.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sphinx_llmsize.errors import NEAR, Problem, UnknownModel, nearest, suggestion
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.translation import _


@dataclass(frozen=True)
class Preset:
    """A released model.

    Attributes:
        name: short name.
        title: display name.
        hub: ids on the Hugging Face Hub, which are accepted as names too.
        size: advertised size, such as ``7B``.
        context: maximum context in tokens.
        source: URL of the published configuration.
        section: configuration.
        total: published exact number of parameters, if any.
        note: remark for readers, such as why a published total differs.
    """

    name: str
    title: str
    hub: tuple[str, ...]
    size: str
    context: int
    source: str
    section: Section
    total: int | None = None
    note: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Short name and Hub ids."""
        return (self.name, *self.hub)


@cache
def presets() -> dict[str, Preset]:
    """Presets by name, in the order of the files."""
    entries: dict[str, Preset] = {}
    folder = files("sphinx_llmsize") / "presets"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            for name, fields in json.loads(file.read_text("utf-8")).items():
                section = section_of(fields.pop("config"))
                hub = tuple(fields.pop("hub"))
                entries[name] = Preset(name, hub=hub, section=section, **fields)
    return entries


def find_preset(name: str) -> Preset | None:
    """Find a preset by name or Hub id, in any letter case."""
    return _by_any_name().get(name.casefold())


def preset_names() -> tuple[str, ...]:
    """Names and Hub ids of all presets."""
    return tuple(name for preset in presets().values() for name in preset.names)


def unknown_model(name: str, known: Iterable[str] = ()) -> UnknownModel:
    """Error for an unknown model; the hint suggests the nearest known name or preset."""
    name, names = name[:100], tuple(known) or preset_names()
    near = _shorter_or_longer(name, names) or nearest(name, names, NEAR)
    return UnknownModel(
        _("unknown model {name}", name=repr(name)),
        Problem.MODEL,
        suggestion(near) or _("add a configuration, or choose a name from 'llmsize list'"),
    )


def _shorter_or_longer(name: str, known: Iterable[str]) -> str:
    """Find a known name that is a longer or shorter form of ``name``; empty if there is none.

    Both ``llama-3`` and ``llama-3-8b-my-finetune`` find ``llama-3-8b``.
    """
    wanted = _words(name)
    words = {other: _words(other.rpartition("/")[2]) for other in known}
    longer = [other for other, parts in words.items() if parts[: len(wanted)] == wanted]
    if longer and wanted:
        return min(longer, key=lambda other: len(words[other]))
    # a known name of a single word is skipped: it is only the name of a family
    shorter = [
        other for other, parts in words.items() if len(parts) > 1 and wanted[: len(parts)] == parts
    ]
    return max(shorter, key=lambda other: len(words[other]), default="")


def _words(name: str) -> list[str]:
    """Split into words and numbers: ``Llama-3-8B`` is llama, 3, 8, b."""
    return re.findall(r"[^\W\d_]+|\d+", name.casefold())


@cache
def _by_any_name() -> dict[str, Preset]:
    """Presets by short name and by Hub id, both casefolded."""
    return {name.casefold(): preset for preset in presets().values() for name in preset.names}
