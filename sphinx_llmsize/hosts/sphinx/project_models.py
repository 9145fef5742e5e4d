"""Models of the project, from ``llmsize_models``: a dict, or a folder of configuration files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Union

from sphinx.environment import BuildEnvironment

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.sphinx.config_files import allowed_path, check_target
from sphinx_llmsize.hosts.sphinx.domain import depend
from sphinx_llmsize.sources.files import digest
from sphinx_llmsize.translation import _

SUFFIXES = (".json", ".yaml", ".yml")
"""Suffixes of configuration files in a folder of models."""
Description = Union[str, Mapping[str, object], ConfigError]
"""Path below the source directory, configuration, or the error if the entry is unusable."""


def find_entry(env: BuildEnvironment, name: str) -> tuple[str, Description] | None:
    """Find a model's entry, which becomes a dependency of the page being read.

    Args:
        env: the build environment.
        name: name of the model, in any case.

    Returns:
        the name as spelled in the entry, and the description; None if there is no entry.

    Raises:
        ConfigError: the folder of models is outside the allowed folders.
    """
    depend(env, entry_fingerprint, name.casefold())
    return _entry(env, name.casefold())


def names_for_hint(env: BuildEnvironment) -> tuple[str, ...]:
    """All names, for a hint on the page being read, which is reread when they change.

    Raises:
        ConfigError: the folder of models is outside the allowed folders.
    """
    depend(env, names_fingerprint, "")
    return tuple(_entries(env))


def entry_names(env: BuildEnvironment) -> tuple[str, ...]:
    """All names; none if the folder of models cannot be used.

    That error is reported by the pages that name a model.
    """
    try:
        return tuple(_entries(env))
    except ConfigError:
        return ()


def missing_folder(env: BuildEnvironment) -> str:
    """Hint if ``llmsize_models`` is a folder that does not exist, else an empty string."""
    setting = env.config.llmsize_models
    if not isinstance(setting, str) or os.path.isdir(_path(env, setting)):
        return ""
    return _("llmsize_models: no folder {name}", name=repr(setting))


def entry_fingerprint(env: BuildEnvironment, casefolded: str) -> str:
    """Fingerprint of a model's entry, or an empty string if there is none."""
    try:
        entry = _entry(env, casefolded)
    except ConfigError as error:
        return error.message
    return digest(repr(entry).encode("utf-8", "backslashreplace")) if entry else ""


def names_fingerprint(env: BuildEnvironment, subject: str) -> str:
    """Fingerprint of all names, for pages with a hint that depends on them."""
    try:
        return repr((sorted(_entries(env)), missing_folder(env)))
    except ConfigError as error:
        return error.message


def _entry(env: BuildEnvironment, casefolded: str) -> tuple[str, Description] | None:
    """The entry with this case-folded name: its name as spelled, and its description."""
    for name, description in _entries(env).items():
        if name.casefold() == casefolded:
            return name, description
    return None


def _entries(env: BuildEnvironment) -> Mapping[str, Description]:
    """Description of each model by its name.

    Raises:
        ConfigError: the folder of models is outside the allowed folders.
    """
    setting: str | dict[str, Description] = env.config.llmsize_models
    return _in_folder(env, setting) if isinstance(setting, str) else setting


def _path(env: BuildEnvironment, folder: str) -> Path:
    """Absolute path of the folder of models, as the setting states it.

    Raises:
        ConfigError: it is outside the allowed folders.
    """
    return allowed_path(env, f"/{folder}", relative_to=str(env.srcdir))


def _in_folder(env: BuildEnvironment, folder: str) -> dict[str, Description]:
    """An entry for each configuration file; an error for a name that several files have."""
    path = _path(env, folder)
    check_target(env, path, folder)
    try:
        files = sorted(os.listdir(path))
    except OSError:
        return {}
    by_name: dict[str, list[str]] = {}
    for file in files:
        stem, suffix = os.path.splitext(file)
        if suffix in SUFFIXES:
            by_name.setdefault(printable(stem).casefold(), []).append(file)
    entries: dict[str, Description] = {}
    for first, *others in by_name.values():
        stem, _suffix = os.path.splitext(first)
        if others:
            entries[printable(stem)] = _same_name_error(first, others[0])
        else:
            entries[printable(stem)] = f"{folder}/{first}"
    return entries


def _same_name_error(file: str, other: str) -> ConfigError:
    """Error for a name that two files have, reported where the name is used."""
    message = _("{file} and {other} have the same name", file=repr(file), other=repr(other))
    return ConfigError(message, Problem.MODEL, _("give one of them another name"))
