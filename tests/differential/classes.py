"""Script that lists the classes of every supported ``model_type``, as transformers has them.

The result is ``sphinx_llmsize/architecture/classes.txt``: one line for each ``model_type``::

    nox -s truth               write the file again
    nox -s truth -- --check    report differences and leave the file as it is
"""

from __future__ import annotations

import argparse
import inspect
import sys
import typing
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import transformers
from transformers import PreTrainedModel
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from sphinx_llmsize.architecture.families import MODEL_TYPES

AUTO_CLASSES = (
    modeling_auto.MODEL_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES,
)
FILE = Path(__file__).parents[2] / "sphinx_llmsize" / "architecture" / "classes.txt"


def classes(model_type: str) -> list[str]:
    """Names of the public classes built from a ``model_type``'s configuration; none if unknown.

    A ``model_type`` without classes of its own has those that transformers' Auto classes use.
    """
    if model_type not in CONFIG_MAPPING:
        return []
    kind = CONFIG_MAPPING[model_type]
    try:
        module = import_module(kind.__module__.replace("configuration_", "modeling_"))
    except ModuleNotFoundError:
        return sorted({table[model_type] for table in AUTO_CLASSES if model_type in table})
    return sorted(name for name in _public(module) if _config_class(getattr(module, name)) is kind)


def _public(module: object) -> Iterator[str]:
    """Names of the models that a module defines, without base classes and inner parts."""
    for name, value in vars(module).items():
        is_model = inspect.isclass(value) and issubclass(value, PreTrainedModel)
        if is_model and "pretrained" not in name.lower() and hasattr(transformers, name):
            yield name


def _config_class(model: type) -> object:
    return getattr(model, "config_class", None) or typing.get_type_hints(model).get("config")


def text() -> str:
    """Content of the file."""
    lines = ((model_type, classes(model_type)) for model_type in MODEL_TYPES)
    return "".join(f"{name}: {' '.join(found)}\n" for name, found in lines if found)


def main() -> None:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="report differences only")
    if not parser.parse_args().check:
        FILE.write_text(text(), "utf-8")
    elif FILE.read_text("utf-8") != text():
        sys.exit(f"{FILE} differs from what transformers has")


if __name__ == "__main__":
    main()
