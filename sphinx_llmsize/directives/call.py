"""Call of a directive: its name and its input, as a host has parsed them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A directive with its input.

    Attributes:
        directive: name of the directive: ``llm-size``.
        argument: text after the name, on the same line.
        options: texts of the options by name.
        body: lines below the options, without the directive's indentation.
    """

    directive: str
    argument: str
    options: Mapping[str, str]
    body: str
