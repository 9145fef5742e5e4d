"""Class names of models in transformers, and the rule that checks a file's ``architectures``."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.tasks import ENDINGS, Task, first_class, task_of_class
from sphinx_llmsize.errors import ConfigError, Problem, nearest, suggestion
from sphinx_llmsize.translation import N_, _

CLASS_SIMILARITY = 0.88
"""Minimum similarity of a misspelt class name, without its ending, to the correct one."""


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """Class names of each ``model_type``, from ``classes.txt``."""
    text = files("sphinx_llmsize.architecture").joinpath("classes.txt").read_text("utf-8")
    lines = (line.split(": ") for line in text.splitlines())
    return {model_type: tuple(names.split()) for model_type, names in lines}


def model_type_of_class(name: str) -> str:
    """Return a ``model_type`` that has this class; empty if there is none.

    Of several, this is the first one with which the class name begins, else the first of all.
    """
    model_types = [model_type for model_type, names in classes().items() if name in names]
    for model_type in model_types:
        if letters_and_digits(name).startswith(letters_and_digits(model_type)):
            return model_type
    return model_types[0] if model_types else ""


def letters_and_digits(name: str) -> str:
    """Letters and digits of a name, in lower case: ``xlmroberta`` for ``XLM-RoBERTa``."""
    return re.sub("[^a-z0-9]", "", name.casefold())


def similar_class(name: str, known: Collection[str]) -> str:
    """Known class for a misspelt name; empty if there is none.

    The mistake is in the letters before the ending, or in the letter case of the ending.
    """
    stem, ending = _stem_and_ending(name)
    if not ending:
        return ""
    candidates = [other.removesuffix(ending) for other in known if other.endswith(ending)]
    # other classes are compared too, so that none is suggested if one of them is nearer
    others = [_stem_and_ending(other)[0] for other in known if not other.endswith(ending)]
    near = nearest(stem, (*candidates, *others), CLASS_SIMILARITY)
    if not near or near + ending not in known:
        return ""
    # a class whose letters differ only in case, such as OLMoForCausalLM, has code of its own
    is_other = near != stem and near.casefold() == stem.casefold()
    return "" if is_other else near + ending


def _stem_and_ending(name: str) -> tuple[str, str]:
    """Parts of a class name: ``Llama`` and ``ForCausalLM``; an unusual ending stays in the stem."""
    folded = name.casefold()
    ending = next((ending for ending in ENDINGS if folded.endswith(ending.casefold())), "")
    return name[: len(name) - len(ending)], ending


def class_rule(model_type: str, published: tuple[str, ...], tasks: Collection[Task]) -> Rule:
    """Rule: the first entry of ``architectures`` is a class of the family with a countable head.

    Args:
        model_type: that of the family.
        published: classes of its published models, always accepted; the first is the default.
        tasks: tasks for which the family has a head.
    """
    known = tuple(dict.fromkeys((*published, *classes().get(model_type, ()))))

    def is_countable(name: str) -> bool:
        return name in published or (name in known and task_of_class(name) in tasks)

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        name = first_class(settings)
        if name and not is_countable(name):
            countable = tuple(filter(is_countable, known))
            raise _error_of_class(parsed, name, model_type, known, countable)

    def derive(settings: Settings) -> Settings:
        return {k.ARCHITECTURES: published[:1]}

    def default_for_empty_list(settings: Settings) -> Settings:
        # an empty list names no class, so it stands for the default as null does
        return {} if first_class(settings) else derive(settings)

    return Rule(derive=derive, check=check, replace=default_for_empty_list)


def _error_of_class(
    parsed: ParsedConfig,
    name: str,
    model_type: str,
    known: Collection[str],
    countable: Collection[str],
) -> ConfigError:
    """Error for a class that cannot be counted.

    Args:
        parsed: the configuration.
        name: the class.
        model_type: that of the family.
        known: the family's classes.
        countable: those that can be counted.
    """
    one_of = N_("one of {classes}")
    if name in known:
        message, hint = N_("the head of {name} cannot be counted"), one_of
    elif model_type_of_class(name):
        message = N_("{name} is a class of {other_type}, not of {type}")
        hint = N_("correct model_type or architectures")
    else:
        message = N_("{name} is not a class of {type}")
        hint = suggestion(similar_class(name, known)) or one_of
    return parsed.error(
        message,
        k.ARCHITECTURES,
        name=name[:60],
        type=model_type or _("a textbook decoder"),
        other_type=model_type_of_class(name),
        classes=", ".join(countable),
        hint=hint,
        problem=Problem.VALUE,
    )
