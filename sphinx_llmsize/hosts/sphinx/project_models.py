"""The project's own models, as ``llmsize_models`` has them: in a dict, or in a folder of files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Union

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.config_files import check_target, inside
from sphinx_llmsize.hosts.sphinx.dependencies import ask
from sphinx_llmsize.sources.files import digest
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.environment import BuildEnvironment

SUFFIXES = (".json", ".yaml", ".yml")
"""Of the configurations in a folder of models."""
Description = Union[str, Mapping[str, object]]
"""A configuration, or the path of one, below the source directory."""


def find(env: BuildEnvironment, name: str) -> tuple[str, Description] | None:
    """The model of that name in any letter case: as it is spelt, and what describes it.

    Raises:
        ConfigError: the folder of models is none that may be read.
    """
    ask(env, entry, name.casefold())
    return _find(env, name.casefold())


def names(env: BuildEnvironment) -> tuple[str, ...]:
    """The names of all of them; the page depends on each that comes or goes.

    Raises:
        ConfigError: the folder of models is none that may be read.
    """
    ask(env, all_names, "")
    return tuple(_listed(env))


def without_folder(env: BuildEnvironment) -> str:
    """A hint that there is no folder of models where there should be one, else an empty text."""
    setting = env.config.llmsize_models
    if not isinstance(setting, (str, os.PathLike)):
        return ""
    folder = os.fspath(setting)
    if os.path.isdir(_path(env, folder)):
        return ""
    return _("llmsize_models: no folder {name}", name=repr(folder))


def entry(env: BuildEnvironment, folded: str) -> str:
    """What tells versions of an entry apart; asked for every model that a page names."""
    try:
        found = _find(env, folded)
    except ConfigError as error:
        return error.message
    return digest(repr(found).encode("utf-8", "backslashreplace")) if found else ""


def all_names(env: BuildEnvironment, subject: str) -> str:
    """The names; asked for a page that names no known model, as a hint depends on all of them."""
    try:
        return repr((sorted(_listed(env)), without_folder(env)))
    except ConfigError as error:
        return error.message


def _find(env: BuildEnvironment, folded: str) -> tuple[str, Description] | None:
    listed = _listed(env).items()
    return next((item for item in listed if item[0].casefold() == folded), None)


def _listed(env: BuildEnvironment) -> Mapping[str, Description]:
    setting = env.config.llmsize_models
    if isinstance(setting, Mapping):
        return {str(name): described_by for name, described_by in setting.items()}
    if not isinstance(setting, (str, os.PathLike)):
        raise ConfigError(
            _("llmsize_models is {kind}", kind=type(setting).__name__),
            Problem.OPTION,
            _("give a folder, or a dict of names and configurations"),
        )
    return dict(_in_folder(env, os.fspath(setting)))


def _path(env: BuildEnvironment, folder: str) -> Path:
    return inside(env, f"/{folder}", relative_to=str(env.srcdir))


def _in_folder(env: BuildEnvironment, folder: str) -> list[tuple[str, str]]:
    path = _path(env, folder)
    check_target(env, path, folder)
    try:
        files = sorted(os.listdir(path))
    except OSError:
        return []
    split = (os.path.splitext(file) for file in files)
    return [(stem, f"{folder}/{stem}{suffix}") for stem, suffix in split if suffix in SUFFIXES]
