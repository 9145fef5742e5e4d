"""Explorer: views of a model as texts in expressions, for all values that its controls allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.interactive.exploration import Exploration
from sphinx_llmsize.interactive.option_controls import static_options
from sphinx_llmsize.interactive.variants import Message, Variant, marked_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import Trace
from sphinx_llmsize.views.shared.mixer_names import with_mixer_name
from sphinx_llmsize.views.view_options import ViewOptions


@dataclass(frozen=True)
class Explorer:
    """Interactive views of a model.

    Attributes:
        model: the model.
        trace: expressions and texts.
        controls: what a reader can set.
        views: the variants of each part of a view, in order; the first is the static one. The
            first part has the name of the view.
        errors: messages for sizes that contradict each other.
        results: the total in words, for different structures of the model.
    """

    model: Model
    trace: Trace
    controls: tuple[Control, ...]
    views: Mapping[str, tuple[Variant, ...]]
    errors: tuple[Message, ...]
    results: tuple[Message, ...]

    def with_blocks(self, blocks: Mapping[str, tuple[Document, ...]]) -> Explorer:
        """The explorer with other blocks for the variants of some views."""
        changed = {
            name: tuple(
                replace(variant, blocks=found)
                for variant, found in zip(self.views[name], documents, strict=True)
            )
            for name, documents in blocks.items()
        }
        return replace(self, views={**self.views, **changed})


def explore(model: Model, names: tuple[str, ...], options: ViewOptions) -> Explorer:
    """Trace the views of a model wherever its controls allow.

    Args:
        model: the model.
        names: names of the views.
        options: options of the views.
    """
    options = static_options(model, names, options)
    options = replace(options, labels=with_mixer_name(model, options.labels))
    exploration = Exploration(model, names, options)
    exploration.run()
    while excess := exploration.structural or _unused(exploration):
        without = (*exploration.without, *excess)
        exploration = Exploration(model, names, options, without)
        exploration.run()
    views = {
        f"{part.view}-{part.number}" if part.number else part.view: tuple(variants)
        for part, variants in exploration.variants.items()
    }
    errors = tuple(exploration.errors)
    results = tuple(exploration.results)
    return Explorer(model, exploration.trace, exploration.controls, views, errors, results)


def _unused(exploration: Exploration) -> tuple[str, ...]:
    """Names of sizes on which no number on the page depends, in any variant."""
    variants = (each for variants in exploration.variants.values() for each in variants)
    texts = (
        *(marked_text(each.blocks) for each in variants),
        *(each.text for each in exploration.results),
    )
    used = exploration.trace.variables_in("".join(texts))
    for control in exploration.controls:
        if control.name in used and control.follows is not None:
            used |= exploration.trace.variables_of([control.follows])
    return tuple(each.name for each in exploration.controls if each.key and each.name not in used)
