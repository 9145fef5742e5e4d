"""The directive's options, from text to values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from docutils.parsers.rst import Directive, directives

from sphinx_llmsize.charts import Scale
from sphinx_llmsize.config.parsed import is_known_elsewhere
from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.hosts.sphinx.links import parse_links
from sphinx_llmsize.hosts.sphinx.locate import doubled_option
from sphinx_llmsize.sources.located import plain_scalar
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import DEFAULT_VIEWS, view_names
from sphinx_llmsize.views.comparison.side_by_side import (
    COMPARISONS,
    DEFAULT_COMPARISONS,
    ComparisonOptions,
)
from sphinx_llmsize.views.shared.data_size import bits_of
from sphinx_llmsize.views.view_options import (
    Detail,
    ViewOptions,
    read_factors,
    read_names,
    read_tokens,
)

Choice = TypeVar("Choice", bound=Enum)


@dataclass(frozen=True)
class Options:
    """What an author asked of one use of a directive."""

    show: tuple[str, ...] = DEFAULT_VIEWS
    detail: Detail = Detail.COMPONENT
    direction: Direction = Direction.TB
    tokens: int | None = None
    context: int | None = None
    dtype: str = ""
    vary: str = "hidden_dim"
    factors: tuple[Fraction, ...] = ()
    follow: tuple[str, ...] | None = None
    config: str = ""
    expect: int | None = None
    links: tuple[tuple[str, str], ...] = ()
    caption: str = ""
    name: str = ""
    align: str = ""
    classes: tuple[str, ...] = ()
    compare: tuple[str, ...] = DEFAULT_COMPARISONS
    columns: tuple[str, ...] = ()
    sort: str = ""
    scale: Scale = Scale.ABSOLUTE

    @property
    def view(self) -> ViewOptions:
        """Those that change what a view says."""
        return ViewOptions(**{each.name: getattr(self, each.name) for each in fields(ViewOptions)})

    @property
    def comparison(self) -> ComparisonOptions:
        """Those that change what a comparison says."""
        return ComparisonOptions(self.columns, self.sort, self.scale)


Readers = dict[str, tuple[str, Callable[[str], Any]]]
"""The options of a directive: for each the field it fills, and what reads it."""


def of(directive: Directive, readers: Readers) -> Options:
    """The values of a directive's options.

    Raises:
        ConfigError: an option is given twice, does not exist, or its value is unusable.
    """
    if doubled := doubled_option(directive):
        message = _("option {option} is given twice", option=doubled)
        raise ConfigError(message, Problem.OPTION, _("keep one of them"), option=doubled)
    return read(directive.options, readers)


def read(texts: dict[str, str], readers: Readers) -> Options:
    """The options' values.

    Raises:
        ConfigError: an option does not exist, or its value is unusable; ``option`` says which.
    """
    values: dict[str, Any] = {}
    for option, text in texts.items():
        if option not in readers:
            hint = did_you_mean(option, readers) or _("there are {names}", names=", ".join(readers))
            if is_known_elsewhere(option):
                hint = _("it is a key of a configuration: write it below the options")
            raise ConfigError(
                _("unknown option {option}", option=repr(option[:60])),
                Problem.OPTION,
                hint,
                option=option,
            )
        field, reader = readers[option]
        try:
            values[field] = reader(" ".join((text or "").split()))
        except ConfigError as error:
            raise error.at(option=option) from None
    return Options(**values)


def _choice(kind: type[Choice]) -> Callable[[str], Choice]:
    def reader(text: str) -> Choice:
        by_name = {str(member.value).casefold(): member for member in kind}
        if text.casefold() not in by_name:
            names = ", ".join(str(member.value) for member in kind)
            raise ConfigError(
                _("unknown value {text}", text=repr(text[:60])),
                Problem.OPTION,
                _("one of {names}", names=names),
            )
        return by_name[text.casefold()]

    return reader


class _Align(Enum):
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


def _align(text: str) -> str:
    return _choice(_Align)(text).value


def _count(text: str) -> int:
    value = plain_scalar(text.replace(",", "_"))
    if not isinstance(value, int) or isinstance(value, bool):
        hint = _("write digits only, such as 6738415616 or 6,738,415,616")
        raise ConfigError(
            _("{text} is not a whole number", text=repr(text[:60])), Problem.OPTION, hint
        )
    return value


def _dtype(text: str) -> str:
    try:
        bits_of(text)
    except ConfigError as error:
        raise ConfigError(error.message, Problem.OPTION, error.hint) from None
    return text


def _path(text: str) -> str:
    if not text:
        raise ConfigError(_("no file is named"), Problem.OPTION, _("write its path"))
    return text


def _classes(text: str) -> tuple[str, ...]:
    try:
        return tuple(directives.class_option(text))
    except ValueError as error:
        raise ConfigError(str(error)[:200], Problem.OPTION) from None


_ANYWHERE: Readers = {
    "caption": ("caption", str),
    "name": ("name", str),
    "align": ("align", _align),
    "class": ("classes", _classes),
}
OF_SIZE: Readers = {
    "show": ("show", view_names),
    "detail": ("detail", _choice(Detail)),
    "direction": ("direction", _choice(Direction)),
    "tokens": ("tokens", read_tokens),
    "context": ("context", read_tokens),
    "dtype": ("dtype", _dtype),
    "vary": ("vary", str),
    "factors": ("factors", read_factors),
    "follow": ("follow", read_names),
    "config": ("config", _path),
    "expect": ("expect", _count),
    "links": ("links", parse_links),
    **_ANYWHERE,
}
"""Those of ``llm-size``."""
OF_COMPARISON: Readers = {
    "show": ("compare", partial(view_names, views=COMPARISONS, default=DEFAULT_COMPARISONS)),
    "columns": ("columns", read_names),
    "sort": ("sort", str),
    "scale": ("scale", _choice(Scale)),
    **_ANYWHERE,
}
"""Those of ``llm-compare``."""
