"""Options of the directives, the same in every host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import VIEWS, view_names
from sphinx_llmsize.views.comparison.side_by_side import (
    COMPARISONS,
    DEFAULT_COMPARISONS,
    ComparisonOptions,
)
from sphinx_llmsize.views.difference.counted_difference import DifferenceOptions
from sphinx_llmsize.views.difference.difference_view import (
    DEFAULT_DIFFERENCE_VIEWS,
    DIFFERENCE_VIEWS,
)
from sphinx_llmsize.views.option_declarations import (
    Options,
    flag,
    only_options,
    option,
    options_of,
    read_options,
)
from sphinx_llmsize.views.option_values import read_count, read_path
from sphinx_llmsize.views.view_options import DEFAULT_VIEWS, ViewOptions

ONLY_IN_SPHINX = frozenset({"name", "class", "align", "links"})
"""Options that only the Sphinx directives have, since Markdown has no markup for them."""
INTERACTIVE = "interactive"
"""Option of ``llm-size`` that needs a script."""


def _caption() -> Any:
    """Declare the option ``caption``."""
    return option("", str, "text", "Caption that replaces that of the first table.")


@dataclass(frozen=True)
class ShowOptions(ViewOptions):
    """Options of views of one model."""

    show: tuple[str, ...] = option(
        DEFAULT_VIEWS,
        view_names,
        "views",
        f"Views to show, in order: {', '.join(VIEWS)}.",
        example="table, memory",
    )
    expect: int | None = option(
        None,
        read_count,
        "total",
        "Total that your text relies on. If the model's total differs, that is a mistake.",
        example="6,738,415,616",
    )
    caption: str = _caption()
    interactive: bool = flag(
        "Controls by which readers change the model: its sizes, tokens, batch and bytes per "
        "weight. In HTML, with a script; other outputs, and readers without scripts, have the same "
        "views without controls."
    )

    @property
    def view_options(self) -> ViewOptions:
        """The options that views declare, without those of the directive."""
        return only_options(ViewOptions, self)


@dataclass(frozen=True)
class SizeOptions(ShowOptions):
    """Options of ``llm-size``."""

    config: str = option("", read_path, "path", "Path of a configuration, relative to the page.")


@dataclass(frozen=True)
class CompareOptions(ComparisonOptions):
    """Options of ``llm-compare``."""

    show: tuple[str, ...] = option(
        DEFAULT_COMPARISONS,
        partial(view_names, views=COMPARISONS, default=DEFAULT_COMPARISONS),
        "views",
        f"Views to show, in order: {', '.join(COMPARISONS)}.",
        example="table, composition",
    )
    caption: str = _caption()

    @property
    def comparison_options(self) -> ComparisonOptions:
        """The options that views declare, without those of the directive."""
        return only_options(ComparisonOptions, self)


@dataclass(frozen=True)
class DiffOptions(DifferenceOptions):
    """Options of ``llm-diff``."""

    show: tuple[str, ...] = option(
        DEFAULT_DIFFERENCE_VIEWS,
        partial(view_names, views=DIFFERENCE_VIEWS, default=DEFAULT_DIFFERENCE_VIEWS),
        "views",
        f"Views to show, in order: {', '.join(DIFFERENCE_VIEWS)}.",
        example="table",
    )
    caption: str = _caption()

    @property
    def difference_options(self) -> DifferenceOptions:
        """The options that views declare, without those of the directive."""
        return only_options(DifferenceOptions, self)


OPTIONS: dict[str, type] = {
    "llm-size": SizeOptions,
    "llm-compare": CompareOptions,
    "llm-diff": DiffOptions,
}
"""Option class of each directive."""


def read_call_options(
    texts: Mapping[str, str], kind: type[Options], kinds: Mapping[str, type] = OPTIONS
) -> Options:
    """Parse the options of a call into an instance of ``kind``.

    Args:
        texts: text of each option by name.
        kind: dataclass that declares the directive's options.
        kinds: option class of each directive by name; the hint for an unknown option names the
            directive that has it.

    Raises:
        ConfigError: an option is unknown or its value is unusable; the error's ``option`` is its
            name.
    """
    known = options_of(kind)
    for name in texts:
        hint = "" if name in known else _unknown_option_hint(name, kinds)
        if hint:  # other unknown options are errors of read_options(), with a similar name
            message = _("unknown option {name}", name=repr(name[:60]))
            raise ConfigError(message, Problem.OPTION, hint, option=name)
    return read_options(texts, kind)


def _unknown_option_hint(name: str, kinds: Mapping[str, type]) -> str:
    """Hint for an option of another directive or of Sphinx, or for a key; empty for other names."""
    for directive, kind in kinds.items():
        if name in options_of(kind):
            return _("it is an option of {directive}", directive=directive)
    if name in ONLY_IN_SPHINX:
        return _("only the Sphinx directive has it")
    if is_known_elsewhere(name):
        return _("it is a key of a configuration: write it below the options")
    return ""
