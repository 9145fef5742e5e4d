"""Build hook that compiles the translation catalogues to gettext's binary format."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path("sphinx_llmsize", "locale")


class Catalogues(BuildHookInterface[Any]):
    """Hook for wheels, source distributions and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues before files are collected."""
        compile_catalogues(Path(self.root))


def compile_catalogues(root: Path) -> None:
    """Write the ``.mo`` file of each catalogue beside its ``.po`` file."""
    for source in catalogues(root):
        compiled = BytesIO()
        with source.open("rb") as messages:
            write_mo(compiled, read_po(messages))
        # in one step: another process may be reading the file
        source.with_suffix(".mo").write_bytes(compiled.getvalue())


def catalogues(root: Path) -> Iterator[Path]:
    """The ``.po`` files of all languages, sorted."""
    yield from sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po"))
