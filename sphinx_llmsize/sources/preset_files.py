"""Presets: released models by name, read from the files ``presets/*.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sphinx_llmsize.errors import Problem, UnknownModel, did_you_mean, suggestion
from sphinx_llmsize.near_names import correction, names_of_line, same_letters, words
from sphinx_llmsize.sources.closed_models import is_closed
from sphinx_llmsize.sources.composed_names import (
    hint_for_composed,
    hint_for_part_of_name,
    several_names,
)
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.translation import _

_ENDING = re.compile("-(it|pt|instruct|chat|hf|base)$")
"""Endings that do not change a model's sizes."""


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
        with_vision_tower: number of parameters with the vision tower, if it has one that isn't part
            of the configuration.
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
    with_vision_tower: int | None = None
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


def similar_preset(name: str) -> str:
    """Preset that an unknown name may mean; empty if there is none."""
    known = preset_names()
    return same_letters(name, known) or _shorter_or_longer(name, known) or correction(name, known)


def unknown_model(name: str, own: Sequence[str] = ()) -> UnknownModel:
    """Error for an unknown model; the hint suggests one of the project, or else a preset.

    Args:
        name: the unknown name.
        own: names of the models that the page and the project describe.
    """
    name = name[:100]
    if not did_you_mean(name, own) and is_closed(name):
        message = _("the size of {name} is not published", name=repr(name))
        hint = _("describe it in llm-compare: {example}", example=f"{name}: {{total: undisclosed}}")
        return UnknownModel(message, Problem.MODEL, hint)
    hint = (
        hint_for_composed(name, lambda part: part in own or find_preset(part) is not None)
        or hint_for_part_of_name(name, own)
        or did_you_mean(name, own)
        or suggestion(similar_preset(name))
        or names_of_line(name, preset_names())
        or _("add a configuration, or choose a name from 'llmsize list'")
    )
    return UnknownModel(_("unknown model {name}", name=repr(name)), Problem.MODEL, hint)


def several_presets(text: str) -> list[str]:
    """The names in a text of several names; empty for any other text.

    With commas between them, these may be any names; otherwise they are names of presets.
    """
    return several_names(text, lambda name: find_preset(name) is not None)


def _shorter_or_longer(name: str, known: Iterable[str]) -> str:
    """Find a known name that is a longer or shorter form of ``name``; empty if there is none.

    Both ``llama-3`` and ``llama-3-8b-my-finetune`` find ``llama-3-8b``. A name without a number has
    no longer forms: it names a line of many models.
    """
    wanted = words(name)
    by_words = {other: words(other) for other in known}
    longer = [other for other, parts in by_words.items() if parts[: len(wanted)] == wanted]
    if longer and any(word.isdigit() for word in wanted):
        return min(longer, key=lambda other: len(by_words[other]))
    # a known name of a single word is skipped: it is only the name of a family
    shorter = [
        other
        for other, parts in by_words.items()
        if len(parts) > 1 and wanted[: len(parts)] == parts
    ]
    return max(shorter, key=lambda other: len(by_words[other]), default="")


@cache
def _by_any_name() -> dict[str, Preset]:
    """Presets by each of their names, in lower case.

    Besides short names and Hub ids these are Hub ids without the organisation, names without a
    usual ending (``gemma-3-27b``), and short names with the ending of a Hub id
    (``llama-3-8b-instruct``), unless they mean models of different sizes.
    """
    exact = {name.casefold(): preset for preset in presets().values() for name in preset.names}
    others: dict[str, list[Preset]] = {}
    for name, preset in exact.items():
        model = name.rpartition("/")[2]
        match = _ENDING.search(model)
        ending = match[0] if match else ""
        for form in {model, model.removesuffix(ending), f"{preset.name}{ending}".casefold()}:
            others.setdefault(form, []).append(preset)
    unambiguous = {
        form: found[0]
        for form, found in others.items()
        if all(preset.section == found[0].section for preset in found)
    }
    return {**unambiguous, **exact}
