"""What is made when the package is built: the catalogues in the form that gettext reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path("sphinx_llmsize", "locale")


class Catalogues(BuildHookInterface[Any]):
    """Compiles them, for wheels, for source distributions, and for a checkout in use."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before files are collected."""
        compile_catalogues(Path(self.root))


def compile_catalogues(root: Path) -> None:
    """Write each catalogue's ``.mo`` beside it."""
    for source in catalogues(root):
        with source.open("rb") as messages, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(messages))


def catalogues(root: Path) -> Iterator[Path]:
    """Every language's catalogue."""
    yield from sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po"))
