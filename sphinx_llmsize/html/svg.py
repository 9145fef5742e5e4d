"""Charts and diagrams as SVG, inline or in files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.html.class_names import HIDDEN, NARROW_CLASS, WIDE_CLASS
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.template_files import template_name
from sphinx_llmsize.translation import cached

if TYPE_CHECKING:
    from sphinx_llmsize.charts import Chart
    from sphinx_llmsize.diagram import Diagram

PAPER = "#fff"
"""Background of a picture in its own file, whose lines are black on dark pages too."""
FILE_ID = "llmsize"
"""Prefix of ids in a picture's own file."""
Links = tuple[tuple[str, str], ...]
"""Pairs of a box's id and a URL."""


@cached(512)
def draw_svg(
    block: Chart | Diagram,
    template: str,
    search_path: tuple[str, ...] = (),
    version: str = "",
    *,
    width: int = WIDE,
    links: Links = (),
    id: str = "",
    background: str = "",
) -> str:
    """A chart or diagram as SVG.

    Args:
        block: the data.
        template: name of the template, such as ``llmsize/chart.svg.jinja``.
        search_path: folders whose template of that name takes precedence over the package's.
        version: hash of the template and what it includes; a new hash loads the template again.
        width: width of the column, ``WIDE`` or ``NARROW``.
        links: pairs of a box's id and a URL.
        id: prefix of ids in the SVG.
        background: background colour; empty for a transparent one.

    Raises:
        ConfigError: the project's own template fails.
    """
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    context = {"links": dict(links), "id": id, "background": background}
    return render(template, search_path, version, picture=draw(block, width), **context)


def has_two_widths(block: Chart | Diagram) -> bool:
    """True for a chart, and for a diagram that is too wide for a narrow column and can wrap."""
    from sphinx_llmsize.drawing import draw

    wide, narrow = draw(block, WIDE).width, draw(block, NARROW).width
    return wide > NARROW and narrow < wide


def in_two_widths(wide: str, narrow: str) -> Markup:
    """Both pictures: the stylesheet shows the one that fits the column."""
    pictures = (
        element("div", Markup(wide), class_=WIDE_CLASS),
        element("div", Markup(narrow), class_=NARROW_CLASS, hidden=HIDDEN),
    )
    return join(pictures, Markup("\n"))


def svg_file(block: Chart | Diagram) -> str:
    """A chart or diagram as the content of an SVG file."""
    return draw_svg(block, template_name(block.kind, "svg"), id=FILE_ID, background=PAPER)
