"""The project that the browser opens, and the expected contents of its page."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Document, Table
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import DEFAULT_VIEWS, ViewOptions

THEMES = ("furo", "alabaster", "pydata_sphinx_theme", "sphinx_rtd_theme")
HOSTILE = (
    '"] click A href "javascript:alert(1)" B["x <img src=x onerror=alert(1)> '
    "</pre><script>alert(1)</script> direction TB"
)


@dataclass(frozen=True)
class Use:
    """One use of the directive."""

    name: str
    config: dict[str, int | str] = field(default_factory=dict)
    views: tuple[str, ...] = DEFAULT_VIEWS
    direction: Direction = Direction.TB

    def markup(self) -> str:
        """The directive."""
        options = f"   :show: {', '.join(self.views)}\n   :direction: {self.direction.value}\n"
        body = "".join(f"   {key}: {value}\n" for key, value in self.config.items())
        return f".. llm-size:: {self.name}\n{options}\n{body}\n"

    def blocks(self) -> Document:
        """The expected contents."""
        model = load(self.name, self.config or None)
        return document(model, self.views, ViewOptions(direction=self.direction))


_SMALL: dict[str, int | str] = {
    "hidden_dim": 48,
    "num_layers": 3,
    "num_heads": 4,
    "vocab_size": 1000,
}
USES = (
    Use("llama-7b"),
    Use(
        "grouped",
        {**_SMALL, "model_type": "llama", "num_kv_heads": 2, "ffn_dim": 176},
        ("diagram",),
        Direction.LR,
    ),
    Use(HOSTILE, _SMALL, ("table", "diagram")),
)

_HEADING = "Sizes\n=====\n\n"
_MERMAID = "vendor/mermaid/mermaid.esm.min.mjs"
_MATHJAX = "vendor/mathjax/tex-svg.js"
PACKAGE_FILES = ("mermaid/dist/mermaid.esm.min.mjs", "mathjax/es5/tex-svg.js")
"""Files from npm packages for a project without a CDN, beside Mermaid's chunks."""


@cache
def diagrams() -> tuple[Diagram, ...]:
    """The diagrams of the page, in order."""
    blocks = (block for use in USES for block in use.blocks())
    return tuple(block for block in blocks if isinstance(block, Diagram))


@cache
def captions() -> tuple[str, ...]:
    """The captions of the page's tables, in order."""
    blocks = (block for use in USES for block in use.blocks())
    return tuple(block.title for block in blocks if isinstance(block, Table))


def markup() -> str:
    """The page with all uses."""
    return _HEADING + "".join(use.markup() for use in USES)


def build(folder: Path, theme: str, packages: Path, page: str, **settings: str) -> Path:
    """Build a project of one page; a warning fails.

    Args:
        folder: folder for source and output.
        theme: name of the HTML theme.
        packages: folder of npm packages.
        page: reStructuredText of the page.
        settings: additional settings for ``conf.py``.

    Returns:
        Folder of the HTML pages.
    """
    source, pages = folder / "source", folder / "pages"
    vendor = source / "_static" / "vendor"
    shutil.copytree(
        packages / "mermaid/dist/chunks/mermaid.esm.min",
        vendor / "mermaid/chunks/mermaid.esm.min",
        ignore=shutil.ignore_patterns("*.map"),
    )
    shutil.copy(packages / "mermaid/dist/mermaid.esm.min.mjs", vendor / "mermaid")
    (vendor / "mathjax").mkdir()
    shutil.copy(packages / "mathjax/es5/tex-svg.js", vendor / "mathjax")
    (source / "conf.py").write_text(_conf(theme, settings), "utf-8")
    (source / "index.rst").write_text(page, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(source), str(pages)]
    subprocess.run(command, check=True)
    return pages


def _conf(theme: str, more: dict[str, str]) -> str:
    settings = {
        "project": "Sizes",
        "extensions": ["sphinx_llmsize"],
        "html_theme": theme,
        "html_static_path": ["_static"],
        "html_context": {"default_mode": "auto"},  # without it, pydata reports an error
        "mermaid_use_local": _MERMAID,
        "mathjax_path": _MATHJAX,
        **more,
    }
    return "".join(f"{name} = {value!r}\n" for name, value in settings.items())
