"""Call of a directive: its name and its input, as a host has read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A directive with its input.

    Attributes:
        directive: its name: ``llm-size``.
        argument: text before the options.
        options: texts of the options by name.
        body: lines below the first, as in the directive.
    """

    directive: str
    argument: str
    options: Mapping[str, str]
    body: str
