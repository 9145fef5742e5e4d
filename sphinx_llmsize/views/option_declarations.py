"""Declarations of options, shared by directives, the command line and the documentation.

An option is a field of a dataclass, made by :func:`option` or :func:`choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, TypeVar

from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_

Check = Callable[[Model, Any, str], None]
"""Raises ConfigError if a model cannot have a value; the last argument is the option's name."""
_KEY = "llmsize_option"
"""Key of the declaration in the metadata of a dataclass field."""
Options = TypeVar("Options")


@dataclass(frozen=True)
class Option:
    """Declaration of an option.

    Attributes:
        read: function that parses the value; raises ConfigError if the text is invalid.
        metavar: word for the value in help texts, such as ``number``.
        help: effect of the option, as plain text.
        example: a value, as written on a page.
        choices: the allowed values; empty if they are not listed one by one.
        check: function that checks an explicit value against the model, even if it is unused.
        field: name of the dataclass field.
        default: value if the option is not given.
    """

    read: Callable[[str], Any]
    metavar: str
    help: str
    example: str = ""
    choices: tuple[str, ...] = ()
    check: Check | None = None
    field: str = ""
    default: Any = None

    @property
    def help_text(self) -> str:
        """The help text, followed by the default unless that is empty or None."""
        default = self.default
        if isinstance(default, Enum):
            default = default.value
        elif isinstance(default, tuple):
            default = ", ".join(map(str, default))
        return f"{self.help} Default: {default}." if default else self.help


def option(
    default: Any,
    read: Callable[[str], Any],
    metavar: str,
    help: str,
    *,
    example: str = "",
    check: Check | None = None,
) -> Any:
    """Declare an option as a dataclass field; the arguments are those of :class:`Option`."""
    declared = Option(read, metavar, help, example=example, check=check)
    return field(default=default, metadata={_KEY: declared})


def flag(help: str) -> Any:
    """Declare an option that is set without a value; ``no`` unsets it."""
    values = {"": True, "yes": True, "true": True, "no": False, "false": False}
    declared = Option(_reader_of(values, ("yes", "no")), "yes or no", help, example="yes")
    return field(default=False, metadata={_KEY: declared})


def choice(kind: type[Enum], help: str, default: Enum | None = None) -> Any:
    """Declare an option that takes the values of an Enum."""
    members = {str(member.value).casefold(): member for member in kind}
    names = tuple(str(member.value) for member in kind)
    metavar = f"{', '.join(names[:-1])} or {names[-1]}"
    declared = Option(_reader_of(members, names), metavar, help, choices=names)
    return field(default=default, metadata={_KEY: declared})


def _reader_of(values: Mapping[str, Any], names: Collection[str]) -> Callable[[str], Any]:
    """Function that reads one of several values.

    Args:
        values: the values, by their texts in lower case.
        names: the texts that the error for another text suggests.
    """

    def read(text: str) -> Any:
        if text.casefold() in values:
            return values[text.casefold()]
        raise unknown_word(N_("unknown value {name}"), text, names, Problem.OPTION)

    return read


def options_of(kind: Any) -> dict[str, Option]:
    """The options that a dataclass declares, by name; ``class_`` is the option ``class``."""
    return {
        each.name.rstrip("_"): replace(each.metadata[_KEY], field=each.name, default=each.default)
        for each in fields(kind)
        if _KEY in each.metadata
    }


def check_options(model: Model, values: Any) -> None:
    """Check option values that differ from their defaults against a model.

    Args:
        model: model to check against.
        values: instance of a dataclass that declares options.

    Raises:
        ConfigError: a value does not fit the model; ``option`` is the name of the option.
    """
    for name, declared in options_of(values).items():
        value = getattr(values, declared.field)
        if declared.check and value != declared.default:
            declared.check(model, value, name)


def read_options(texts: Mapping[str, str], kind: type[Options]) -> Options:
    """Parse the texts of options, by name, into an instance of ``kind``.

    Raises:
        ConfigError: an option is unknown or its value is unusable; the error's ``option`` is its
            name.
    """
    declared = options_of(kind)
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in declared:
            error = unknown_word(N_("unknown option {name}"), name, declared, Problem.OPTION)
            raise error.at(option=name)
        one_line = " ".join((text or "").split())
        try:
            values[declared[name].field] = declared[name].read(one_line)
        except ConfigError as error:
            raise error.at(option=name) from None
    return kind(**values)


def only_options(kind: type[Options], values: object) -> Options:
    """An instance of ``kind``, with the values of its options taken from ``values``."""
    names = (declared.field for declared in options_of(kind).values())
    return kind(**{name: getattr(values, name) for name in names})
