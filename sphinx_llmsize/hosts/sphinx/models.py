"""The models that a page can name: its own, the project's, and the released ones."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.config.vocabulary import MODEL_TYPE
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.files import source_file
from sphinx_llmsize.model import Model, described, from_file, released
from sphinx_llmsize.sources.mapping import section_of
from sphinx_llmsize.sources.presets import preset_names, unknown_model

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

ON_PAGE = "llmsize_models"
"""Where the page that is being read keeps its own models."""
IN_FOLDER = "llmsize_models_in_folder"
"""Where it keeps what a folder of the project's models has."""
SUFFIXES = (".json", ".yaml", ".yml")
"""Of the configurations in a folder of the project's models."""


def define(env: BuildEnvironment, name: str, model: Model) -> None:
    """Let the rest of the page call a model by its name.

    Raises:
        ConfigError: the page calls another model so.
    """
    known = _on_page(env).setdefault(name.casefold(), model)
    if known.config != model.config:
        raise defined_twice(name)


def is_on_page(env: BuildEnvironment, name: str) -> bool:
    """Whether a model of that name is described on the page that is being read."""
    return name.casefold() in _on_page(env)


def defined_twice(name: str) -> ConfigError:
    """The error for a name that two models of a page have."""
    message = f"model {name[:100]!r} is defined twice on this page"
    return ConfigError(message, Problem.MODEL, "give one of them another name")


def named(env: BuildEnvironment, name: str) -> Model:
    """The model of that name: of the page, of the project, or a released one.

    Raises:
        UnknownModel: there is none; the hint names the nearest.
        ConfigError: the project's configuration of it cannot be used.
    """
    own = _on_page(env).get(name.casefold()) or of_project(env, name)
    if own:
        return own
    try:
        return released(name)
    except ConfigError:
        raise unknown_model(name, (*_on_page(env), *_of_project(env), *preset_names())) from None


def of_project(env: BuildEnvironment, name: str) -> Model | None:
    """The project's model of that name, if it has one; a file is noted as a dependency.

    Raises:
        ConfigError: its configuration cannot be used.
    """
    configurations = _of_project(env)
    found = next((n for n in configurations if n.casefold() == name.casefold()), None)
    if found is None:
        return None
    described_by = configurations[found]
    if isinstance(described_by, str):
        return from_file(found, source_file(env, f"/{described_by}"))
    section = section_of(described_by)
    return described(found, section, foreign=MODEL_TYPE.name in described_by)


def _on_page(env: BuildEnvironment) -> dict[str, Model]:
    return cast("dict[str, Model]", env.temp_data.setdefault(ON_PAGE, {}))


def _of_project(env: BuildEnvironment) -> Mapping[str, str | Mapping[str, object]]:
    """Every model of ``llmsize_models``: a configuration, or a path below the source directory."""
    setting = env.config.llmsize_models
    if not isinstance(setting, str):
        return cast("Mapping[str, str | Mapping[str, object]]", setting)
    if IN_FOLDER not in env.temp_data:
        # a page may name models thousands of times: the folder is listed once for each
        env.temp_data[IN_FOLDER] = dict(_in_folder(env, setting))
    return cast("dict[str, str]", env.temp_data[IN_FOLDER])


def _in_folder(env: BuildEnvironment, folder: str) -> Iterator[tuple[str, str]]:
    path = source_file(env, f"/{folder}")
    for file in sorted(os.listdir(path)) if path.is_dir() else ():
        stem, suffix = os.path.splitext(file)
        if suffix in SUFFIXES:
            yield stem, f"{folder}/{file}"
