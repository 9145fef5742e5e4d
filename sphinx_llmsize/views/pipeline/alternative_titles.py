"""Titles of boxes in alternatives, which must not be alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Branch
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import Labels
from sphinx_llmsize.views.shared.wording import capital


def with_kinds(
    branches: Sequence[Branch], kinds: Sequence[str], labels: Labels
) -> Iterator[Branch]:
    """The branches; a title in several of them is followed by the kind of the branch's layers.

    Args:
        branches: alternatives.
        kinds: kind of the layers of each branch, empty if it has no name. Further branches have
            none.
        labels: the author's labels, which stay as they are.
    """
    titles = Counter(title for branch in branches for title in {b.title for b in branch.boxes})
    alike = {title for title, number in titles.items() if number > 1}
    alike -= {label for _id, label in labels}
    for branch, kind in zip_longest(branches, kinds, fillvalue=""):
        assert isinstance(branch, Branch)  # there are at most as many kinds
        parts = tuple(
            replace(part, title=_with_kind(part.title, kind))
            if kind and isinstance(part, Box) and part.title in alike
            else part
            for part in branch.parts
        )
        yield replace(branch, parts=parts)


def _with_kind(title: str, kind: str) -> str:
    """``Attention (own-KV)``; ``Full attention`` if the kind ends with the title."""
    if not kind.casefold().endswith(title.casefold()):
        return _("{step} ({kind})", step=title, kind=kind)
    adjective, noun = kind[: -len(title)], kind[-len(title) :]
    return capital(adjective.replace("-", " ") + noun)
