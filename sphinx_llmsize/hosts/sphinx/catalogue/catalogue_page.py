"""Page of a model in a catalogue: the data that its template shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.escaping import escape_rst
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.makers import maker_of
from sphinx_llmsize.sources.preset_files import Preset
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import comma_separated

MAX_BYTES = 200
"""Maximum length of the name of a file without its suffix; file systems allow 255 bytes."""
HUB = "https://huggingface.co/"
"""Address before the Hub ids of models."""
HEADINGS = {
    "features": N_("Special features"),
    "pipeline": N_("Pipeline"),
    "memory": N_("Memory"),
    "name": N_("Advertised size"),
    "difference": N_("Compared with {model}"),
    "source": N_("Source of the numbers"),
}
"""Headings of the sections, by their names in the template."""


@dataclass(frozen=True)
class CataloguePage:
    """A model's page.

    Attributes:
        name: the model's name.
        preset: the released model; None for a model of the project.
        total: number of parameters of a released model, else 0.
        predecessor: model of an earlier version, if it has a page too.
        successors: models of later versions that have a page too.
        error: message of an internal error, due to which the page has none of these.
    """

    name: str
    preset: Preset | None = None
    total: int = 0
    predecessor: Model | None = None
    successors: Sequence[Preset] = ()
    error: str = ""

    @property
    def title(self) -> str:
        """The model's display name."""
        return self.preset.title if self.preset else self.name

    @property
    def difference_label(self) -> str:
        """Label of the section on the difference from the predecessor."""
        return difference_label(self.name)

    @property
    def headings(self) -> dict[str, str]:
        """The headings in the language of the project."""
        predecessor = self.predecessor.name if self.predecessor else ""
        return {name: _(text, model=predecessor) for name, text in HEADINGS.items()}

    @property
    def relatives(self) -> str:
        """Maker, predecessor and successors, in reStructuredText; empty if there are none."""
        return " · ".join(self._relatives())

    @property
    def origin(self) -> tuple[str, ...]:
        """Sentences in reStructuredText on the source of the numbers; none for project models."""
        return tuple(_origin(self.preset, self.total)) if self.preset else ()

    def _relatives(self) -> Iterator[str]:
        """Maker, predecessor and successors, each in reStructuredText."""
        if maker := maker_of(self.preset) if self.preset else "":
            yield escape_rst(maker)
        if self.predecessor and self.predecessor.preset:
            yield _("preceded by {models}", models=_link(self.predecessor.preset))
        if self.successors:
            yield _("followed by {models}", models=comma_separated(map(_link, self.successors)))


def difference_label(name: str) -> str:
    """Label of the section that compares a model with its predecessor."""
    return f"llm-diff-{file_name(name)}".casefold()


def file_name(name: str) -> str:
    """Name of a model's page without its suffix."""
    composed = unicodedata.normalize("NFC", name)  # as some file systems do
    file = re.sub(r"[^\w.-]+", "-", composed).strip(".") or "model"
    return file.encode()[:MAX_BYTES].decode(errors="ignore")


def _link(preset: Preset) -> str:
    """Reference to a preset's page, in reStructuredText."""
    return f":llm:model:`{preset.name}`"


def _origin(preset: Preset, total: int) -> Iterator[str]:
    """Sentences on the published configuration, the counted total and the models on the Hub."""
    yield _(
        "The sizes are those of the configuration published at {source}.",
        source=f"`{preset.source.removeprefix('https://')} <{preset.source}>`__",
    )
    if preset.total == total:
        yield _(
            "The sum over all tensors is {number} parameters, which is the published number.",
            number=thousands(total),
        )
    else:
        yield _("The sum over all tensors is {number} parameters.", number=thousands(total))
    if preset.hub:
        ids = comma_separated(f"`{id} <{HUB}{id}>`__" for id in preset.hub)
        yield _("Models on the Hugging Face Hub with these sizes: {ids}.", ids=ids)
