"""Options of the directives that every host has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import DEFAULT_VIEWS, VIEWS, view_names
from sphinx_llmsize.views.comparison.side_by_side import (
    COMPARISONS,
    DEFAULT_COMPARISONS,
    ComparisonOptions,
)
from sphinx_llmsize.views.difference.difference_options import DifferenceOptions
from sphinx_llmsize.views.difference.difference_view import DEFAULT_DIFFERENCES, DIFFERENCES
from sphinx_llmsize.views.options import (
    Options,
    flag,
    only_options,
    option,
    options_of,
    read_count,
    read_options,
    read_path,
)
from sphinx_llmsize.views.view_options import ViewOptions

ONLY_IN_SPHINX = frozenset({"name", "class", "align", "links"})
"""Options of the Sphinx directives that Markdown has no markup for."""


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
    caption: str = option("", str, "text", "Caption that replaces that of the first table.")
    interactive: bool = flag(
        "Controls by which readers change the model: its sizes, tokens, batch and bytes per "
        "weight. In HTML, with a script; other outputs, and readers without scripts, have the same "
        "views without controls."
    )

    @property
    def view(self) -> ViewOptions:
        """The options that the views read."""
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
        "Views to show, in order: table, composition.",
        example="table, composition",
    )
    caption: str = option("", str, "text", "Caption that replaces that of the first table.")

    @property
    def comparison(self) -> ComparisonOptions:
        """The options that the views read."""
        return only_options(ComparisonOptions, self)


@dataclass(frozen=True)
class DiffOptions(DifferenceOptions):
    """Options of ``llm-diff``."""

    show: tuple[str, ...] = option(
        DEFAULT_DIFFERENCES,
        partial(view_names, views=DIFFERENCES, default=DEFAULT_DIFFERENCES),
        "views",
        "Views to show, in order: text, table, diagram.",
        example="table",
    )
    caption: str = option("", str, "text", "Caption that replaces that of the first table.")

    @property
    def difference(self) -> DifferenceOptions:
        """The options that the views read."""
        return only_options(DifferenceOptions, self)


OPTIONS: dict[str, type] = {
    "llm-size": SizeOptions,
    "llm-compare": CompareOptions,
    "llm-diff": DiffOptions,
}
"""Option class of each directive."""


def read(
    texts: Mapping[str, str], kind: type[Options], kinds: Mapping[str, type] = OPTIONS
) -> Options:
    """Parse the texts of options, by name, into an instance of ``kind``.

    Args:
        texts: what the author wrote.
        kind: dataclass that declares the directive's options.
        kinds: option class of each directive, for hints.

    Raises:
        ConfigError: an option is unknown or its value is unusable; the error's ``option`` is its
            name.
    """
    for name in texts:
        if name not in options_of(kind) and (hint := _hint_for(name, kinds)):
            message = _("unknown option {name}", name=repr(name[:60]))
            raise ConfigError(message, Problem.OPTION, hint, option=name)
    return read_options(texts, kind)


def _hint_for(name: str, kinds: Mapping[str, type]) -> str:
    """Hint for an option of another directive or host, or a configuration key; else empty."""
    for directive, kind in kinds.items():
        if name in options_of(kind):
            return _("it is an option of {directive}", directive=directive)
    if name in ONLY_IN_SPHINX:
        return _("only the Sphinx directive has it")
    if is_known_elsewhere(name):
        return _("it is a key of a configuration: write it below the options")
    return ""
