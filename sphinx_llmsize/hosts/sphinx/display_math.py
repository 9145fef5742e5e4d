"""HTML of displayed equations and sums, and LaTeX of sums.

In HTML, they are pieces of inline math, between which lines break on a phone. The project's math
renderer typesets the pieces, or they are written as MathML.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx.guards import guarded_visitor
from sphinx_llmsize.hosts.sphinx.nodes import display_formula, display_sum, is_book, runs_scripts
from sphinx_llmsize.hosts.sphinx.settings import MATHML
from sphinx_llmsize.html.class_names import DISPLAY_CLASS
from sphinx_llmsize.html.markup import Markup, join

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.blocks import Tex
    from sphinx_llmsize.html.math_elements import WriteMath


def visit_html(self: Any, node: display_formula) -> None:
    """Write the equations or the sum."""
    from sphinx_llmsize.html.math_elements import display_math

    self.body.append(self.starttag(node, "div", CLASS=DISPLAY_CLASS))
    self.body.append(display_math(node["block"], _math_writer(self, node)))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _math_writer(translator: Any, node: display_formula) -> WriteMath:
    """Function that writes math for the builder: as MathML, as text, or by the project's renderer.

    Books (EPUB) get text in place of MathML, since Sphinx doesn't declare that their pages contain
    any; where no scripts run, as in books and feeds, text replaces MathJax. Other renderers make
    images, which work everywhere.
    """
    from sphinx_llmsize.html.mathml import mathml

    builder = translator.builder
    if translator.config.llmsize_math == MATHML:
        return _as_text if is_book(builder) else mathml
    is_mathjax = builder.math_renderer_name == "mathjax"
    if is_mathjax and not runs_scripts(builder, translator.document):
        return _as_text
    style = "" if isinstance(node, display_sum) else r"\displaystyle "
    return partial(_render, translator, style)


def _as_text(pieces: Tex) -> Markup:
    """Pieces of TeX as text."""
    # imported here, since it imports the views, which a build without numbers doesn't need
    from sphinx_llmsize.views.shared.tex_as_text import joined_as_text

    return join((joined_as_text(pieces),))


def _render(translator: Any, style: str, pieces: Tex) -> Markup:
    r"""Each piece as inline math, so that lines can break between them.

    Args:
        translator: the HTML writer.
        style: TeX before each piece, such as ``\displaystyle``.
        pieces: TeX of the pieces.
    """
    from sphinx_llmsize.html.math_elements import signed_tex

    return join((_inline_math(translator, f"{style}{signed_tex(piece)}") for piece in pieces), " ")


def _inline_math(translator: Any, tex: str) -> Markup:
    """Inline math by the project's renderer."""
    start = len(translator.body)
    tex = f"{{{tex}}}"  # MathJax 4 breaks no line within braces
    nodes.math(tex, tex).walkabout(translator)
    html = Markup("".join(translator.body[start:]))
    del translator.body[start:]
    return html


def visit_sum_latex(self: Any, node: display_sum) -> None:
    """Write a sum in the font size of tables, on the page of the paragraph that leads to it."""
    formula = f"\\mbox{{\\footnotesize${node.astext()}$}}"
    self.body.append(f"\n\\nopagebreak\\begin{{equation*}}{formula}\\end{{equation*}}\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the visitors; other writers display the node's TeX."""
    app.add_node(display_formula, html=(guarded_visitor(visit_html), None))
    app.add_node(display_sum, latex=(guarded_visitor(visit_sum_latex), None))
