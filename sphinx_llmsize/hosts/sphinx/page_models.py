"""The models that a page can name: its own, the project's, and the released ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.config.keys.common import MODEL_TYPE
from sphinx_llmsize.errors import ConfigError, Problem, UnknownModel
from sphinx_llmsize.hosts.sphinx import project_models
from sphinx_llmsize.hosts.sphinx.config_files import source_file
from sphinx_llmsize.model import Model, described, from_file, released
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.sources.presets import find_preset, preset_names, unknown_model
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

ON_PAGE = "llmsize_models"
"""Where the page that is being read keeps its own models."""
OF_PROJECT = "llmsize_models_of_project"
"""Where it keeps those of the project that it has named, and None for names that are not."""


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
    message = _("model {name} is defined twice on this page", name=repr(name[:100]))
    return ConfigError(message, Problem.MODEL, _("give one of them another name"))


def named(env: BuildEnvironment, name: str, *, final: bool = True) -> Model:
    """The model of that name: of the page, of the project, or a released one.

    Args:
        env: the environment.
        name: what the author wrote.
        final: if it is unknown now, so it remains; the hint then names the nearest.

    Raises:
        UnknownModel: there is none.
        ConfigError: the project's configuration of it cannot be used.
    """
    own = _on_page(env).get(name.casefold()) or of_project(env, name)
    if own:
        return own
    if find_preset(name):
        return released(name)
    if not final:
        raise UnknownModel(name, Problem.MODEL)
    known = (*_on_page(env), *project_models.names(env), *preset_names())
    raise unknown_model(name, known).hinting(project_models.without_folder(env))


def of_project(env: BuildEnvironment, name: str) -> Model | None:
    """The project's model of that name, if it has one; a file is noted as a dependency.

    Raises:
        ConfigError: its configuration cannot be used.
    """
    # a page may name a model thousands of times
    known = cast("dict[str, Model | None]", env.temp_data.setdefault(OF_PROJECT, {}))
    folded = name.casefold()
    if folded not in known:
        found = project_models.find(env, name)
        known[folded] = _read(env, *found) if found else None
    return known[folded]


def _read(env: BuildEnvironment, name: str, described_by: project_models.Description) -> Model:
    if isinstance(described_by, str):
        return from_file(name, source_file(env, f"/{described_by}"))
    if not isinstance(described_by, Mapping):
        message = _(
            "model {name} of llmsize_models is neither described nor a path", name=repr(name[:100])
        )
        raise ConfigError(message, Problem.MODEL, _("write a dict, or the path of a file"))
    section = section_of(described_by)
    return described(name, section, ignore_unknown=MODEL_TYPE.name in described_by)


def _on_page(env: BuildEnvironment) -> dict[str, Model]:
    return cast("dict[str, Model]", env.temp_data.setdefault(ON_PAGE, {}))
