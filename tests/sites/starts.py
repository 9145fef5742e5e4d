"""Files of a site, from the start in a page of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(
    r"^(?P<mark>`{3,})\{code-block\} \w+\n:caption: (?P<name>.*)\n\n(?P<text>(?:.*\n)*?)(?P=mark)$",
    re.MULTILINE,
)


def files_of(page: str) -> dict[str, str]:
    """Texts of the files in a page of the docs, by name."""
    text = (DOCS / page).read_text("utf-8")
    return {found["name"]: found["text"] for found in BLOCK.finditer(text)}


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files, with their folders."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
