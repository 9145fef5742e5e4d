"""Settings of the extension, as in ``markdown_extensions`` of ``mkdocs.yml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.option_declarations import choice, option, options_of, read_options
from sphinx_llmsize.views.option_values import read_path

INLINE, NOWHERE = "inline", "none"
"""Values of the settings ``stylesheet`` and ``script``; any other is an address."""


class Math(Enum):
    """Ways to write formulas."""

    MATHML = "mathml"
    """MathML, which browsers typeset without a script."""
    TEX = "tex"
    """TeX for MathJax or KaTeX, as pymdownx.arithmatex writes it with ``generic: true``."""


class DiagramFormat(Enum):
    """Ways to show pipeline diagrams."""

    SVG = "svg"
    """A drawing in the page."""
    MERMAID = "mermaid"
    """Source of Mermaid, in the markup that Material for MkDocs draws."""


def _read_place(text: str) -> str:
    """Place of a stylesheet or script: ``inline``, ``none`` or an address.

    Raises:
        ConfigError: the text is empty.
    """
    if not text:
        hint = _("write inline, none or an address")
        raise ConfigError(_("the address is missing"), Problem.OPTION, hint)
    return text


def _read_switch(text: str) -> bool:
    """Value of ``true`` or ``false``, in upper or lower case, as YAML and TOML write it.

    Raises:
        ConfigError: it is another text.
    """
    if text.casefold() not in {"true", "false"}:
        message = _("{text} is neither true nor false", text=repr(text[:60]))
        raise ConfigError(message, Problem.OPTION)
    return text.casefold() == "true"


@dataclass(frozen=True)
class Settings:
    """Settings of the extension."""

    math: Math = choice(Math, "Formulas as MathML, or as TeX.", Math.MATHML)
    diagram: DiagramFormat = choice(
        DiagramFormat, "Diagrams drawn as SVG, or by Mermaid.", DiagramFormat.SVG
    )
    stylesheet: str = option(
        INLINE,
        _read_place,
        "inline, none or address",
        "Stylesheet in every page that needs it, or in none, or at an address.",
    )
    script: str = option(
        INLINE,
        _read_place,
        "inline, none or address",
        "Script in every page with an interactive directive, or in none, or at an address.",
    )
    base_path: str = option(
        ".",
        read_path,
        "path",
        "Folder to which paths in config are relative if the page's path is unknown.",
    )
    strict: bool = option(
        False, _read_switch, "true or false", "Stop the build at pages with mistakes."
    )


def read_settings(values: Mapping[str, object]) -> Settings:
    """Read settings from their texts, or from values of other types; null is an empty text.

    Raises:
        ValueError: a setting is unknown, or its value is unusable.
    """
    texts = {name: "" if value is None else str(value) for name, value in values.items()}
    try:
        return read_options(texts, Settings)
    except ConfigError as error:
        # the message on an unknown setting already has its name
        name = f"{error.option}: " if error.option in options_of(Settings) else ""
        raise ValueError(f"sphinx_llmsize: {name}{error}") from None
