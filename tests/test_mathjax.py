"""MathJax ignores all text of the extension except formulas."""

from __future__ import annotations

from docutils import nodes
from project import Build

from sphinx_llmsize.hosts.sphinx.page_assets import MATHJAX_OFF, MATHJAX_ON

PAGE = r"""
.. llm-size:: $$\frac{1}{2}$$
   :caption: of size :math:`x^2`

   hidden_dim: 64
   num_layers: 2
   num_heads: 4
   vocab_size: 100

Of the author: :math:`y`, :math:`z`.
"""


def test_only_formulas_are_typeset(build: Build) -> None:
    page = build({"index.rst": PAGE}).resolved("index")
    (ours,) = (node for node in page.findall(nodes.container) if "llmsize" in node["classes"])
    assert set(MATHJAX_OFF) <= set(ours["classes"])
    caption, *formulas = [*ours.findall(nodes.math), *ours.findall(nodes.math_block)]
    assert caption.astext() == "x^2"
    assert formulas
    for math in (caption, *formulas):
        assert set(MATHJAX_ON) <= set(math["classes"])


def test_math_of_the_author_is_unchanged(build: Build) -> None:
    page = build({"index.rst": PAGE}).resolved("index")
    assert [math["classes"] for math in page.findall(nodes.math)][1:] == [[], []]
