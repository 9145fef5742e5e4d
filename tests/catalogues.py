"""Catalogues of translations, made from the messages in the source.

``python tests/catalogues.py``: update every catalogue; further arguments are new languages.
``python tests/catalogues.py --check``: fail if a catalogue lacks a message or a translation.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "sphinx_llmsize"
LOCALE = PACKAGE / "locale"


@cache
def template() -> Catalog:
    """Every message of the package: arguments of ``_``, ``N_`` …, and the notes of presets."""
    found = Catalog()
    for _file, _line, message, _comments, context in extract_from_dir(PACKAGE):
        found.add(message, context=context)
    for file in sorted(PACKAGE.glob("presets/*.json")):
        for preset in json.loads(file.read_text("utf-8")).values():
            if note := preset.get("note"):
                found.add(note)
    return found


def catalogue(language: str) -> Catalog:
    """A language's catalogue; an empty one for a new language."""
    path = path_of(language)
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language)


def languages() -> list[str]:
    """Languages with a catalogue."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/*.po"))


def path_of(language: str) -> Path:
    """Path of a catalogue."""
    return LOCALE / language / "LC_MESSAGES" / "sphinx_llmsize.po"


def update(language: str) -> None:
    """Add new messages to a catalogue and remove those that no longer exist."""
    translated = catalogue(language)
    translated.update(template(), no_fuzzy_matching=True)
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    with path_of(language).open("wb") as file:
        write_po(file, translated, no_location=True, sort_output=True, ignore_obsolete=True)


def is_translated(message: Message) -> bool:
    """True if a message has a confirmed translation of every plural form."""
    forms = [message.string] if isinstance(message.string, str) else message.string
    return all(forms) and not message.fuzzy


def incomplete(language: str) -> Iterator[str]:
    """Messages of the source without a translation, and translations without a message."""
    translated, wanted = catalogue(language), template()
    for message in wanted:
        found = translated.get(message.id, message.context)
        if message.id and not (found and is_translated(found)):
            yield f"{language}: not translated: {message.id!r}"
    for message in translated:
        if message.id and not wanted.get(message.id, message.context):
            yield f"{language}: not in the source: {message.id!r}"


def main(arguments: list[str]) -> str | None:
    """Update or check; returns an error message, or None."""
    if arguments == ["--check"]:
        return "\n".join(line for each in languages() for line in incomplete(each)) or None
    for language in {*languages(), *arguments}:
        update(language)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
