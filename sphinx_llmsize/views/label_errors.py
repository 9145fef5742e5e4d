"""Errors of labels and notes whose ids a model doesn't have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import Labels, placed_stage_ids
from sphinx_llmsize.views.numbers.part_selection import GROUP_IDS

ENDS = ("tokens", "decoder_tokens", "encoder_states", "logits", "states")
"""Ids of the boxes at both ends of a diagram, which aren't stages: the model's input and output."""
TOTAL_ROWS = ("total", "active", "non_embedding")
"""Ids of the rows at the end of the parameter table."""


def check_labels(model: Model, labels: Labels, option: str) -> None:
    """Raise ConfigError for a label or note whose id the model doesn't have.

    Args:
        model: the model.
        labels: the author's labels.
        option: name of the option, for the error.
    """
    if error := next(label_errors(model, labels, option), None):
        raise error


def label_errors(model: Model, labels: Labels, option: str) -> Iterator[ConfigError]:
    """An error for each label whose id the model doesn't have; arguments as in check_labels."""
    placed_stages = tuple(model.architecture.placed_stages())
    main_ids = [placed.stage.id for placed in placed_stages]
    main_ids += [group.value for group in Group if group in model.architecture.groups]
    ids_of_stages = {id for placed in placed_stages for id in placed_stage_ids(placed)}
    ids_of_stages -= _components_of_several(placed_stages)
    known = {*main_ids, *TOTAL_ROWS, *ENDS, *ids_of_stages}
    message = N_("{name} has no {other} to label")
    if option == "notes":
        message = N_("{name} has no {other} that could have a note")
    for id, _label in labels:
        if id not in known:
            text = _(message, name=model.label, other=repr(id[:60]))
            names = ", ".join(dict.fromkeys(main_ids))
            hint = did_you_mean(id, sorted(known)) or _("there are {names}", names=names)
            yield ConfigError(text, Problem.OPTION, hint, option=option)


def _components_of_several(placed_stages: Iterable[PlacedStage]) -> set[str]:
    """Components of several stages, which therefore don't identify a stage: ``shared_experts``.

    Ids of groups are left out, both as components and as stages.
    """
    stage_ids: dict[str, set[str]] = {}
    for placed in placed_stages:
        for tensor in placed.stage.tensors:
            if placed.stage.id not in GROUP_IDS:
                stage_ids.setdefault(tensor.component, set()).add(placed.stage.id)
    return {component for component, ids in stage_ids.items() if len(ids) > 1} - set(GROUP_IDS)
