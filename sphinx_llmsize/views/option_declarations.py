"""Declarations of options, shared by directives, the command line and the documentation.

An option is a field of a dataclass, made by :func:`option` or :func:`choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, TypeVar

from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import plain_scalar
from sphinx_llmsize.translation import N_, _

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
    names = {"": True, "yes": True, "true": True, "no": False, "false": False}

    def read(text: str) -> bool:
        if text.casefold() in names:
            return names[text.casefold()]
        raise unknown_word(N_("unknown value {name}"), text, ("yes", "no"), Problem.OPTION)

    declared = Option(read, "yes or no", help, example="yes")
    return field(default=False, metadata={_KEY: declared})


def choice(kind: type[Enum], help: str, default: Enum | None = None) -> Any:
    """Declare an option that takes the values of an Enum."""
    members = {str(member.value).casefold(): member for member in kind}
    names = tuple(str(member.value) for member in kind)

    def read(text: str) -> Enum:
        if text.casefold() in members:
            return members[text.casefold()]
        raise unknown_word(N_("unknown value {name}"), text, names, Problem.OPTION)

    declared = Option(read, f"{', '.join(names[:-1])} or {names[-1]}", help, choices=names)
    return field(default=default, metadata={_KEY: declared})


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


def read_names(text: str) -> tuple[str, ...]:
    """The parts of a comma-separated list."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def whole_number(text: str) -> int | None:
    """A whole number, with or without commas: ``6,738,415,616``; None for any other text."""
    value = plain_scalar(text.replace(",", "_"))  # reads 6_738 as YAML does
    return None if isinstance(value, bool) or not isinstance(value, int) else value


def read_count(text: str) -> int:
    """A whole number, with or without commas.

    Raises:
        ConfigError: it is not a whole number.
    """
    value = whole_number(text)
    if value is None:
        hint = _("write digits only, such as 6738415616 or 6,738,415,616")
        message = _("{text} is not a whole number", text=repr(text[:60]))
        raise ConfigError(message, Problem.OPTION, hint)
    return value


def read_path(text: str) -> str:
    """A path.

    Raises:
        ConfigError: the text is empty.
    """
    if not text:
        raise ConfigError(_("the path is missing"), Problem.OPTION, _("write the path of a file"))
    return text


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
