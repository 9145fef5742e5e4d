"""Options of the directives: declaration and parsing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TypeVar

from docutils.parsers.rst import Directive, directives

from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.links import parse_links
from sphinx_llmsize.hosts.sphinx.locate import duplicate_option
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import DEFAULT_VIEWS, view_names
from sphinx_llmsize.views.comparison.side_by_side import (
    COMPARISONS,
    DEFAULT_COMPARISONS,
    ComparisonOptions,
)
from sphinx_llmsize.views.options import (
    choice,
    only_options,
    option,
    options_of,
    read_count,
    read_options,
    read_path,
)
from sphinx_llmsize.views.view_options import ViewOptions

Options = TypeVar("Options")


class Align(Enum):
    """Alignment of tables and figures."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


def _classes(text: str) -> tuple[str, ...]:
    try:
        return tuple(directives.class_option(text))
    except ValueError as error:
        raise ConfigError(str(error)[:200], Problem.OPTION) from None


@dataclass(frozen=True)
class PageOptions:
    """Options of every directive that shows blocks; subclasses declare ``show`` and ``links``."""

    show: tuple[str, ...] = ()
    caption: str = option(
        "",
        str,
        "text",
        "Caption that replaces the generated one, for the first table or figure. It may contain "
        "inline markup.",
    )
    name: str = option(
        "",
        str,
        "label",
        "Label for ``:ref:`` and ``:numref:``, attached to the first table or figure. If neither "
        "is shown, it is attached to the whole output, and references need an explicit text.",
    )
    align: Align | None = choice(Align, "Alignment of tables and figures.")
    class_: tuple[str, ...] = option(
        (), _classes, "names", "Classes of the container around the output."
    )
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SizeOptions(ViewOptions, PageOptions):
    """Options of ``llm-size``."""

    show: tuple[str, ...] = option(
        DEFAULT_VIEWS, view_names, "views", "Views to show, in order.", example="table, memory"
    )
    config: str = option(
        "",
        read_path,
        "path",
        "Path of a Hugging Face ``config.json`` or a YAML file, relative to the page or, with a "
        "leading ``/``, to the source directory. The file must be inside the source directory or "
        "a folder of :confval:`llmsize_config_roots`.",
        example="/models/config.json",
    )
    expect: int | None = option(
        None,
        read_count,
        "total",
        "Total that your text relies on. If the model's total differs, the build warns.",
        example="6,738,415,616",
    )
    links: tuple[tuple[str, str], ...] = option(
        (),
        parse_links,
        "box: target, box: target …",
        "Links for boxes of the diagram. A target is a URL, or a document or label of the "
        "project. The boxes of a decoder are ``tokens``, ``embedding``, ``position``, "
        "``attention_norm``, ``qkv``, ``scores``, ``attention_output``, ``ffn_norm``, "
        "``ffn_up``, ``ffn_down``, ``final_norm``, ``lm_head`` and ``logits``, if the model "
        "has them.",
        example="qkv: attention, lm_head: https://example.org",
    )

    @property
    def view(self) -> ViewOptions:
        """The options that the views read, without those of the page."""
        return only_options(ViewOptions, self)


@dataclass(frozen=True)
class CompareOptions(ComparisonOptions, PageOptions):
    """Options of ``llm-compare``."""

    show: tuple[str, ...] = option(
        DEFAULT_COMPARISONS,
        partial(view_names, views=COMPARISONS, default=DEFAULT_COMPARISONS),
        "views",
        "Views to show, in order: table, composition.",
        example="table, composition",
    )

    @property
    def comparison(self) -> ComparisonOptions:
        """The options that the views read, without those of the page."""
        return only_options(ComparisonOptions, self)


def from_directive(directive: Directive, kind: type[Options]) -> Options:
    """Read the options of a directive.

    Args:
        directive: the directive.
        kind: dataclass that declares the options.

    Raises:
        ConfigError: an option is given twice or unknown, or its value is unusable.
    """
    if duplicate := duplicate_option(directive):
        raise option_given_twice(duplicate).at(option=duplicate)
    return read(directive.options, kind)


def read(texts: Mapping[str, str], kind: type[Options]) -> Options:
    """Parse the texts of options, by name, into an instance of ``kind``.

    Raises:
        ConfigError: an option is unknown or its value is unusable; the error's ``option`` is its
            name.
    """
    for name in texts:
        if name not in options_of(kind) and (hint := _hint_for(name)):
            message = _("unknown option {name}", name=repr(name[:60]))
            raise ConfigError(message, Problem.OPTION, hint, option=name)
    return read_options(texts, kind)


def _hint_for(name: str) -> str:
    """Hint for an unknown option that another directive has, or that is a key; or empty."""
    for directive, kind in (("llm-size", SizeOptions), ("llm-compare", CompareOptions)):
        if name in options_of(kind):
            return _("it is an option of {directive}", directive=directive)
    if is_known_elsewhere(name):
        return _("it is a key of a configuration: write it below the options")
    return ""
