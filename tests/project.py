"""Sphinx projects in temporary folders."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from docutils import nodes
from sphinx.testing.util import SphinxTestApp

NOT_IN_TOCTREE = re.compile(r"^.*document isn't included in any toctree.*\n", re.MULTILINE)
"""Warning that tests ignore; before Sphinx 8.2 it has no type to suppress it by."""
EXTENSIONS = ["sphinx_llmsize", "myst_parser"]
SMALL_THEME = {
    "theme.toml": '[theme]\ninherit = "none"\nstylesheets = []\n',
    "page.html": "{% for file in css_files %}{{ css_tag(file) }}\n{% endfor %}"
    "{% for file in script_files %}{{ js_tag(file) }}\n{% endfor %}{{ title }}\n{{ body }}\n",
    "search.html": "",
}
"""Files of a theme that shows a page's body, stylesheets and scripts, and nothing else."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LOCATED = re.compile(
    r"^(?P<file>.+?)(?::(?P<line>\d+))?: (?:WARNING|ERROR): (?P<message>.*?)"
    r" \[(?P<type>[\w.]+)\]$",
    re.MULTILINE,
)


def make_fifo(path: Path) -> None:
    """Create a FIFO; skip the test on systems without them."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs FIFOs")
    os.mkfifo(path)


@dataclass(frozen=True)
class Warned:
    """A warning as an author sees it; ``file`` is relative to the source directory."""

    file: str
    line: int
    type: str
    message: str


@dataclass(frozen=True)
class Project:
    """A project that was built."""

    app: SphinxTestApp

    @property
    def log(self) -> str:
        """All warnings as text."""
        return NOT_IN_TOCTREE.sub("", _COLOUR.sub("", self.app.warning.getvalue()))

    @property
    def warned(self) -> list[Warned]:
        """The warnings of this extension."""
        root = f"{self.app.srcdir}/"
        return [
            Warned(
                found["file"].removeprefix(root),
                int(found["line"] or 0),
                found["type"],
                found["message"],
            )
            for found in _LOCATED.finditer(self.log)
            if found["type"].startswith("llmsize")
        ]

    def resolved(self, docname: str) -> nodes.document:
        """Doctree of a page after post-transforms, in the same way for all releases of Sphinx."""
        page = self.app.env.get_doctree(docname)
        self.app.env.apply_post_transforms(page, docname)
        return page

    def output(self, name: str) -> str:
        """A file that the builder wrote."""
        return (Path(self.app.outdir) / name).read_text("utf-8")


class Build(Protocol):
    """Build files, given by name and text, with settings for ``conf.py``."""

    def __call__(
        self, files: dict[str, str], builder: str = "html", **settings: Any
    ) -> Project: ...


def write_conf(folder: Path, **settings: Any) -> None:
    """Write a ``conf.py`` with these settings, and our extensions by default."""
    chosen = {"extensions": EXTENSIONS, "show_warning_types": True, **settings}
    lines = (f"{name} = {value!r}\n" for name, value in chosen.items())
    (folder / "conf.py").write_text("".join(lines), "utf-8")


def small_theme(folder: Path) -> dict[str, Any]:
    """Settings for projects of many pages; their theme, in the folder, is faster than real ones."""
    theme = folder / "_theme" / "small"
    theme.mkdir(parents=True)
    for name, text in SMALL_THEME.items():
        (theme / name).write_text(text, "utf-8")
    return {
        "html_theme": "small",
        "html_theme_path": ["_theme"],
        "html_copy_source": False,
        "html_use_index": False,
    }
