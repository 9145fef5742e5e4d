"""Location of the templates: in the package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

FOLDER = "llmsize"
"""Folder within any templates_path that all template names begin with."""

PACKAGE = Path(__file__).parent / "templates"
_CHECKOUT = Path(__file__).parent.parent / "templates"


def checkout_folder() -> Path | None:
    """Folder of the templates in a checkout; None if the package is installed with them."""
    return None if (PACKAGE / FOLDER).is_dir() else _CHECKOUT
