"""Pages with all views and comparisons, and with hostile names."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

from sphinx_llmsize.views import VIEWS

TWO_THEMES = ("pydata_sphinx_theme", "sphinx_rtd_theme")
"""A theme with a dark mode and one without; both wrap tables in elements that scroll."""
THEMES = TWO_THEMES if os.environ.get("LLMSIZE_EVERY_THEME") else TWO_THEMES[:1]
"""Themes to test; ``nox -s themes`` tests both."""
CORPUS = Path(__file__).parents[1] / "data" / "corpus" / "rst"
_MODELS = ("qwen3-next-80b-a3b", "t5-small", "gpt2")
_KINDS = ("table", "diagram", "shapes", "scaling", "composition")
_SMALL = "   hidden_dim: 48\n   num_layers: 3\n   num_heads: 4\n   vocab_size: 1000\n"
_COMPARISONS = f"""\
.. llm-compare:: {", ".join(_MODELS)}
   :columns: hidden_dim, num_layers, num_heads, vocab_size, total, active, mlp:share

.. llm-compare:: {", ".join(_MODELS)}
   :show: composition

.. llm-compare:: {", ".join(_MODELS)}
   :show: composition
   :scale: percent

.. llm-size:: gpt2
   :show: diagram
   :direction: LR
   :links: embedding: https://example.org

.. note::

   .. llm-size:: gpt2
      :show: composition
"""


def every_view() -> str:
    """A page with every view of one model, the table again, and every comparison."""
    first, second, third = _MODELS
    views = _size(first, VIEWS) + _size(second, ("diagram",)) + _size(third, ("table",)) * 2
    return f"Views\n=====\n\n{views}{_COMPARISONS}"


def names() -> list[str]:
    """Hostile names of the corpus."""
    found = (
        re.findall(r"llm-size:: (.*)", page.read_text("utf-8"))
        for page in sorted(CORPUS.glob("n_*"))
    )
    return [name for (name,) in found]


def every_name() -> str:
    """A page with MathJax and every kind of output for each name, a plain one first."""
    sizes = "".join(_size(name, _KINDS, _SMALL) for name in ("plain", *names()))
    return f"Names\n=====\n\n:math:`x`\n\n{sizes}{_comparison('plain')}{_comparison()}"


def _size(name: str, views: Iterable[str], body: str = "") -> str:
    return f".. llm-size:: {name}\n   :show: {', '.join(views)}\n\n{body}\n"


def _comparison(instead: str = "") -> str:
    """A comparison with each name as a model and as a value, or another name in its place."""
    rows = (
        f"   {instead or name}: {{hidden_dim: {json.dumps(instead or name, ensure_ascii=False)}}}\n"
        for name in names()
        if not {"{", "}"} & set(name)
    )
    return f".. llm-compare::\n   :columns: hidden_dim\n\n{''.join(rows)}\n"
