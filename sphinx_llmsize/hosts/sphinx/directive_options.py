"""Options of the Sphinx directives: declaration and parsing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from docutils.parsers.rst import Directive, directives

from sphinx_llmsize.directives import options
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.links import Targets, parse_links
from sphinx_llmsize.hosts.sphinx.locate import duplicate_option
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.views.option_declarations import Options, choice, option
from sphinx_llmsize.views.option_values import read_path


class Align(Enum):
    """Alignment of tables and figures."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


def _classes(text: str) -> tuple[str, ...]:
    """Class names as docutils reads them; raises ConfigError if one is invalid."""
    try:
        return tuple(directives.class_option(text))
    except ValueError as error:
        raise ConfigError(str(error)[:200], Problem.OPTION) from None


@dataclass(frozen=True)
class PageOptions:
    """Options of every Sphinx directive that shows blocks."""

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
    links: Targets = ()
    """Targets of boxes; only ``llm-size`` has it as an option."""


@dataclass(frozen=True)
class SizeOptions(PageOptions, options.SizeOptions):
    """Options of ``llm-size``."""

    config: str = option(
        "",
        read_path,
        "path",
        "Path of a Hugging Face ``config.json`` or a YAML file, relative to the page or, with a "
        "leading ``/``, to the source directory. The file must be inside the source directory or "
        "a folder of :confval:`llmsize_config_roots`.",
        example="/models/config.json",
    )
    links: Targets = option(
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


@dataclass(frozen=True)
class CompareOptions(PageOptions, options.CompareOptions):
    """Options of ``llm-compare``."""


@dataclass(frozen=True)
class DiffOptions(PageOptions, options.DiffOptions):
    """Options of ``llm-diff``."""


class CatalogueList(Enum):
    """Contents of an ``llm-catalogue``."""

    TABLE = "table"
    LINEAGE = "lineage"
    PIPELINES = "pipelines"


@dataclass(frozen=True)
class CatalogueOptions:
    """Options of ``llm-catalogue``."""

    show: CatalogueList = choice(
        CatalogueList,
        "The models in a table, by series and version, or one pipeline diagram of each family.",
        CatalogueList.TABLE,
    )
    name: str = option("", str, "label", "Label for ``:ref:``.")


OPTIONS: dict[str, type] = {
    "llm-size": SizeOptions,
    "llm-compare": CompareOptions,
    "llm-diff": DiffOptions,
    "llm-catalogue": CatalogueOptions,
}
"""Option class of each directive."""


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
    return options.read_call_options(texts, kind, OPTIONS)
