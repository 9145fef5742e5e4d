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
from sphinx_llmsize.errors import Problem, nearest, suggestion
from sphinx_llmsize.translation import N_

CLASS_SIMILARITY = 0.88
"""Minimum similarity of a misspelt class name, without its ending, to the correct one."""


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """Class names of each ``model_type``, from ``classes.txt``."""
    text = files("sphinx_llmsize.architecture").joinpath("classes.txt").read_text("utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    return {model_type: tuple(names.split()) for model_type, _, names in lines}


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
    ending = next((ending for ending in ENDINGS if name.casefold().endswith(ending.casefold())), "")
    if not ending:
        return ""
    stem = name[: -len(ending)]
    # all classes are compared, so that none is suggested if one with another ending is nearer
    known_stems = [class_name[: -len(ending)] for class_name in known]
    near = nearest(stem, known_stems, CLASS_SIMILARITY)
    if not near or near + ending not in known:
        return ""
    # a class whose letters differ only in case, such as OLMoForCausalLM, has code of its own
    is_other = near != stem and near.casefold() == stem.casefold()
    return "" if is_other else near + ending


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
        if not name or is_countable(name):
            return
        message, hint = _mistake(name, known)
        raise parsed.error(
            message,
            k.ARCHITECTURES,
            name=name[:60],
            type=model_type or "a textbook decoder",
            other_type=model_type_of_class(name),
            classes=", ".join(filter(is_countable, known)),
            hint=hint,
            problem=Problem.VALUE,
        )

    def derive(settings: Settings) -> Settings:
        return {k.ARCHITECTURES: published[:1]}

    def replace(settings: Settings) -> Settings:
        # an empty list names no class, so it stands for the default as null does
        return {} if first_class(settings) else derive(settings)

    return Rule(derive, check, replace)


def _mistake(name: str, known: Collection[str]) -> tuple[str, str]:
    """Message and hint for a class that cannot be counted; ``known`` are the family's classes."""
    one_of = N_("one of {classes}")
    if name in known:
        return N_("the head of {name} cannot be counted"), one_of
    if model_type_of_class(name):
        message = N_("{name} is a class of {other_type}, not of {type}")
        return message, N_("correct model_type or architectures")
    return N_("{name} is not a class of {type}"), suggestion(similar_class(name, known)) or one_of
