"""Location of the templates: in the installed package, or in a source checkout beside it."""

from __future__ import annotations

from pathlib import Path

FOLDER = "llmsize"
"""Folder that all template names begin with, in the package and in ``templates_path``."""

PACKAGE = Path(__file__).parent / "templates"
"""Folder of the templates in an installed package."""
_CHECKOUT = Path(__file__).parent.parent / "templates"


def template_name(kind: str, language: str) -> str:
    """Name of the template for a kind of picture, in ``svg`` or ``tex``."""
    return f"{FOLDER}/{kind}.{language}.jinja"


def checkout_folder() -> Path | None:
    """Folder of the templates in a source checkout; None if they are in the package."""
    return None if (PACKAGE / FOLDER).is_dir() else _CHECKOUT
