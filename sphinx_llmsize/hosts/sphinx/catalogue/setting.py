"""Setting ``llmsize_catalogue``: folders of generated pages, and the models in each of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.errors import ConfigError, Problem, suggestion
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.sphinx import domain, project_models
from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.locate import setting_location
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.sources.preset_files import find_preset, presets, similar_preset
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

NAME = "llmsize_catalogue"
"""Name of the setting."""
_WILDCARD = re.compile(r"[*?\[]")
"""Character that makes a name a pattern."""


def folders(config: Config) -> Mapping[str, Sequence[str]]:
    """Names and patterns of models by folder: the setting after :func:`_normalise`."""
    return cast("Mapping[str, Sequence[str]]", getattr(config, NAME))


def models_in_catalogue(env: BuildEnvironment) -> tuple[str, ...]:
    """Names of all models that have a generated page, in the order of the setting."""
    by_folder, _errors = models_by_folder(env)
    return tuple(name for names in by_folder.values() for name in names)


def models_by_folder(
    env: BuildEnvironment,
) -> tuple[dict[str, list[str]], list[ConfigError]]:
    """Names of the models of each folder, and an error for each name or pattern without any.

    A model that several folders select is in the first of them.
    """
    seen: set[str] = set()
    by_folder: dict[str, list[str]] = {}
    errors: list[ConfigError] = []
    for folder, patterns in folders(env.config).items():
        names, folder_errors = select_models(env, patterns)
        by_folder[folder] = [name for name in names if name.casefold() not in seen]
        seen |= {name.casefold() for name in names}
        errors += folder_errors
    return by_folder, errors


def depend(env: BuildEnvironment) -> None:
    """Make the page being read depend on the setting and on the names of the project's models."""
    domain.depend(env, fingerprint, "")


def fingerprint(env: BuildEnvironment, subject: str) -> str:
    """Text that changes with the setting and with the names of the project's models."""
    return repr((folders(env.config), project_models.entry_names(env)))


def select_models(
    env: BuildEnvironment, patterns: Sequence[str]
) -> tuple[tuple[str, ...], list[ConfigError]]:
    """Names of the models that names and patterns select, in order, without repetitions.

    A pattern such as ``llama-*`` selects from the models of ``llmsize_models`` and the presets. A
    preset is left out if a model of the project has its name.

    Args:
        env: the build environment.
        patterns: the names and patterns.

    Returns:
        the names, and an error for each name or pattern that selects none.
    """
    project_names = project_models.entry_names(env)
    by_folded_name: dict[str, str] = {}
    errors = []
    for pattern in patterns:
        names = _matching_names(pattern, project_names)
        for name in names:
            by_folded_name.setdefault(name.casefold(), name)
        if not names:
            hint = "" if _WILDCARD.search(pattern) else suggestion(similar_preset(pattern))
            hint = hint or _("write names of models, or a pattern such as llama-*")
            message = _("no model is called {name}", name=repr(pattern[:60]))
            errors.append(ConfigError(message, Problem.MODEL, hint))
    return tuple(by_folded_name.values()), errors


def _matching_names(pattern: str, project_names: Collection[str]) -> list[str]:
    """Names of the models that a name or a pattern selects.

    Args:
        pattern: the name or pattern.
        project_names: names of the project's models.
    """
    folded = pattern.casefold()
    if _WILDCARD.search(pattern):
        names = (*project_names, *presets())
        return [name for name in names if fnmatchcase(name.casefold(), folded)]
    if own_names := [name for name in project_names if name.casefold() == folded]:
        return own_names
    preset = find_preset(pattern)
    return [preset.name] if preset else []


def names_in(text: str) -> list[str]:
    """Names and patterns in a text, separated by commas or line ends."""
    return [each.strip() for each in re.split(r"[,\n]", text) if each.strip()]


def _normalise(app: Sphinx, config: Config) -> None:
    """Normalise the paths and names; drop those that cannot be used, after a warning."""
    value = getattr(config, NAME)
    usable: dict[str, list[str]] = {}
    if not isinstance(value, Mapping):
        _warn(app, _("{name} cannot be of type {kind}", name=NAME, kind=type(value).__name__))
        value = {}
    for folder, patterns in value.items():
        names = [patterns] if isinstance(patterns, str) else patterns
        is_usable_folder = isinstance(folder, str) and _is_below(folder)
        if not (is_usable_folder and _are_names(names)):
            message = _("{name} cannot have {folder}", name=NAME, folder=repr(folder)[:60])
            _warn(app, message)
            continue
        folder_names = usable.setdefault(posixpath.normpath(folder), [])
        for each in names:
            folder_names += names_in(each)
    setattr(config, NAME, usable)


def _are_names(value: object) -> bool:
    """True for a list or tuple of texts."""
    return isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)


def _is_below(folder: str) -> bool:
    """True for a path of a folder below the source directory, on every system."""
    paths = PurePosixPath(folder), PureWindowsPath(folder)
    is_below = all(path.parts and not path.anchor and ".." not in path.parts for path in paths)
    return is_below and folder == printable(folder)


def _warn(app: Sphinx, message: str) -> None:
    """Warn of a mistake in the setting, with a hint on its form."""
    hint = _(
        "give folders below the source directory, each with a list of models: {example}",
        example='{"models": ["llama-*"]}',
    )
    warn(ConfigError(message, Problem.OPTION, hint), setting_location(app.confdir, NAME))


def setup(app: Sphinx) -> None:
    """Declare the setting, and normalise it."""
    app.add_config_value(NAME, {}, "", (dict,))
    # before Sphinx checks the types of values, at 800: its warnings have no warning type
    connect(app, "config-inited", _normalise, priority=700)
