"""Explorer: views of a model as expressions, for all values that its controls allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sphinx_llmsize.blocks import Block, Document, Paragraph
from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.interactive.exploration import Exploration
from sphinx_llmsize.interactive.option_controls import initial_options
from sphinx_llmsize.interactive.traced_model import marked_title
from sphinx_llmsize.interactive.variants import (
    Message,
    Part,
    Variant,
    marked_text,
    never,
)
from sphinx_llmsize.marks import without_marks
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import Trace, variable
from sphinx_llmsize.views import CAPTIONED, headings
from sphinx_llmsize.views.shared.model_titles import title
from sphinx_llmsize.views.shared.resolved_labels import resolved_labels
from sphinx_llmsize.views.view_options import ViewOptions


@dataclass(frozen=True)
class Explorer:
    """Interactive views of a model.

    Attributes:
        model: the model.
        trace: expressions and texts.
        controls: the numbers and options that a reader can set.
        views: the variants of each part of a view, by the part's name: ``memory`` for the first
            part, ``memory-1`` for the second. The first variant is the one that a page shows
            without the script; its conditions never hold if the controls start with another number
            of tokens than the author's options.
        errors: messages for sizes that contradict each other.
        results: the text with the model's total, for each structure that sizes can give it.
    """

    model: Model
    trace: Trace
    controls: tuple[Control, ...]
    views: Mapping[str, tuple[Variant, ...]]
    errors: tuple[Message, ...]
    results: tuple[Message, ...]

    def with_blocks(self, blocks: Mapping[str, tuple[Document, ...]]) -> Explorer:
        """The explorer with other blocks for the variants of some views."""
        views = dict(self.views)
        for name, documents in blocks.items():
            pairs = zip(views[name], documents, strict=True)
            views[name] = tuple(replace(variant, blocks=document) for variant, document in pairs)
        return replace(self, views=views)


def explore(model: Model, names: tuple[str, ...], options: ViewOptions) -> Explorer:
    """Trace the views of a model for the values that its controls allow.

    Args:
        model: the model.
        names: names of the views.
        options: options of the views.
    """
    static_options = replace(options, labels=resolved_labels(model, options.labels))
    options = initial_options(model, names, static_options)
    exploration = Exploration(model, names, options)
    exploration.run()
    # sizes get no control if they often change the structure, or change no number on the page
    while useless_sizes := exploration.structural_sizes or _unused_sizes(exploration):
        excluded = (*exploration.excluded, *useless_sizes)
        exploration = Exploration(model, names, options, excluded)
        exploration.run()
    views = _title(exploration)
    blocks_by_view: dict[str, list[Block]] = {}
    for part, variants in exploration.variants.items():
        blocks_by_view.setdefault(part.view, []).extend(variants[0].blocks)
        name = f"{part.view}-{part.number}" if part.number else part.view
        views[name] = (*_static_variant(exploration, part, static_options), *variants)
    for name, heading in headings(blocks_by_view).items():
        views[name] = tuple(replace(each, blocks=(*heading, *each.blocks)) for each in views[name])
    errors = tuple(exploration.errors)
    results = tuple(exploration.results)
    return Explorer(model, exploration.trace, exploration.controls, views, errors, results)


def _title(exploration: Exploration) -> dict[str, tuple[Variant, ...]]:
    """An extra view with the title, if no other view has a caption that names the model's changes.

    At the model's own sizes it is empty, or the title if the author has changed the model. At all
    other sizes, which the second variant is for, it is the title with the reader's changes.
    """
    own_views = [variants[0].blocks for variants in exploration.variants.values()]
    if any(isinstance(block, CAPTIONED) for blocks in own_views for block in blocks):
        return {}
    model = exploration.model
    with exploration.trace.recording() as conditions:
        for control in exploration.controls:
            if control.key:  # records its value as a condition
                int(variable(exploration.trace, control.name, control.value))
    own_title = (Paragraph((title(model),)),) if model.changes else ()
    # an author's own model has no title, also in the copied directive
    changed = (Paragraph((marked_title(model, exploration.trace),)),) if model.preset else ()
    return {"title": (Variant(dict(conditions), own_title), Variant({}, changed))}


def _static_variant(
    exploration: Exploration, part: Part, static_options: ViewOptions
) -> tuple[Variant, ...]:
    """The part for pages without the script; none if the first variant has the same text."""
    blocks = part.function(exploration.model, static_options)
    first = exploration.variants[part][0]
    if marked_text(blocks) == without_marks(marked_text(first.blocks)):
        return ()
    return (Variant(never(exploration.trace), blocks),)


def _unused_sizes(exploration: Exploration) -> tuple[str, ...]:
    """Names of sizes on which no number on the page depends, in any variant."""
    texts = [result.text for result in exploration.results]
    for variants in exploration.variants.values():
        texts += [marked_text(variant.blocks) for variant in variants]
    used = exploration.trace.variables_in("".join(texts))
    for control in exploration.controls:
        # until a reader sets it, a used size may follow from further sizes: these are used, too
        if control.name in used and control.follows is not None:
            used |= exploration.trace.variables_of([control.follows])
    return tuple(each.name for each in exploration.controls if each.key and each.name not in used)
