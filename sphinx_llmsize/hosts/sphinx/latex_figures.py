"""Figures in LaTeX: a diagram that is too large for a page goes on in figures of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.hosts.sphinx.nodes import chart, pipeline

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.drawing.pipeline_picture import Sketch


class DivideFigures(SphinxPostTransform):
    """Have a figure for each sheet of a diagram, the first with the caption."""

    default_priority = 500  # when the links in it are resolved
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Divide every figure that needs it."""
        for figure in list(self.document.findall(nodes.figure)):
            if figure.next_node(chart):
                _leave_in_place(figure)
            elif drawn := figure.next_node(pipeline):
                _leave_in_place(figure)
                figure.parent.insert(figure.parent.index(figure) + 1, list(_further(figure, drawn)))


def sheet(drawn: pipeline) -> Sketch:
    """The sheet of a diagram that a node shows."""
    return _sheets(drawn)[drawn.get("sheet", 0)]


def _leave_in_place(figure: nodes.figure) -> None:
    """Text does not run around a picture that is as wide as it."""
    figure.attributes.pop("align", None)


def _further(figure: nodes.figure, drawn: pipeline) -> Iterator[nodes.figure]:
    """The figures of all sheets after the first; each tells which one it is."""
    from sphinx_llmsize.hosts.sphinx.render import paragraph

    last = len(_sheets(drawn))
    if last > 1 and (caption := figure.next_node(nodes.caption)):
        caption += nodes.Text(f" (1/{last})")
    for number in range(1, last):
        part = drawn.deepcopy()
        part["sheet"] = number
        told = paragraph((f"{drawn['diagram'].title} ({number + 1}/{last})",))
        yield nodes.figure("", part, nodes.legend("", told), classes=figure["classes"])


def _sheets(drawn: pipeline) -> tuple[Sketch, ...]:
    from sphinx_llmsize.drawing.pagination import sheets

    return sheets(drawn["diagram"])


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(DivideFigures)
