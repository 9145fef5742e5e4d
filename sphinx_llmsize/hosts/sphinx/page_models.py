"""Models of a page: selected by a directive, or named in a role, a comparison or a template."""

from __future__ import annotations

import os
from typing import cast

from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.changes.changed import changed
from sphinx_llmsize.config.keys.common import MODEL_TYPE
from sphinx_llmsize.errors import ConfigError, Problem, UnknownModel
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.sphinx import project_models
from sphinx_llmsize.hosts.sphinx.config_files import inserted_file, source_file
from sphinx_llmsize.hosts.sphinx.directive_options import SizeOptions
from sphinx_llmsize.hosts.sphinx.misplaced import refuse_misplaced
from sphinx_llmsize.model import Model, described, from_file, named_model, released
from sphinx_llmsize.model_errors import defined_twice
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.sources.number_text import parse_model
from sphinx_llmsize.sources.presets import find_preset, unknown_model
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _


def selected(directive: SphinxDirective, config: str) -> Model:
    """The model that a directive's argument, body and ``:config:`` select together.

    Raises:
        ConfigError: they select none, or its configuration cannot be used.
    """
    argument, body = "".join(directive.arguments), "\n".join(directive.content)
    refuse_misplaced(directive, SizeOptions)
    name = printable(" ".join(argument.split()))
    if config:
        model = _from_option(directive, name, config)
        return changed(model, read_text(body)) if body.strip() else model
    if body.strip():
        return _from_body(directive.env, name, body)
    if name:
        return named(directive.env, *(parse_model(name) if "?" in name else (name,)))
    raise ConfigError(
        _("neither a model's name nor a configuration"),
        Problem.MODEL,
        _("write a name such as llama-7b after the directive, or a configuration below it"),
    )


def define(env: BuildEnvironment, name: str, model: Model) -> None:
    """Define a model that the rest of the page can refer to by name.

    Raises:
        ConfigError: another model of the page has this name.
    """
    known = _on_page(env).setdefault(name.casefold(), model)
    if known.config != model.config:
        raise defined_twice(name)


def named(
    env: BuildEnvironment, name: str, changes: Section | None = None, *, final: bool = True
) -> Model:
    """Find a model by name, on the page, in the project or among the presets, and change it.

    Args:
        env: the build environment.
        name: the name as written.
        changes: keys to change.
        final: the whole page has been read, so the error may suggest a similar name.

    Raises:
        UnknownModel: no model has this name.
        ConfigError: the project's configuration of it, or a change, cannot be used.
    """
    found = _found(env, name, final=final)
    return changed(found, changes) if changes else found


def _found(env: BuildEnvironment, name: str, *, final: bool) -> Model:
    name = printable(name)
    if own := _on_page(env).get(name.casefold()) or of_project(env, name):
        return own
    if find_preset(name):
        return released(name)
    if not final:
        raise UnknownModel(name, Problem.MODEL)
    own_names = (*_on_page(env), *project_models.names(env))
    raise unknown_model(name, own_names).hinting(project_models.missing_folder(env))


def of_project(env: BuildEnvironment, name: str) -> Model | None:
    """The project's model of this name, or None; its entry becomes a dependency of the page.

    Raises:
        ConfigError: its configuration cannot be used.
    """
    # cached, since a page may name a model thousands of times
    cache = cast(
        "dict[str, Model | None]", env.temp_data.setdefault("llmsize_models_of_project", {})
    )
    folded = name.casefold()
    if folded not in cache:
        found = project_models.find(env, name)
        cache[folded] = _from_entry(env, *found) if found else None
    return cache[folded]


def _from_option(directive: SphinxDirective, name: str, config: str) -> Model:
    try:
        path = inserted_file(directive, config)
    except ConfigError as error:
        raise error.at(option="config") from None
    try:
        return from_file(name or path.stem, path)
    except ConfigError as error:
        if not (error.hint or os.path.lexists(path)):
            hint = _("a path is relative to the page, or after a / to the source directory")
            error = error.hinting(hint)
        raise error.at(option="config") from None


def _from_body(env: BuildEnvironment, name: str, body: str) -> Model:
    """A model configured by the body, or the named model with the body's keys changed."""
    section = read_text(body)
    if base := of_project(env, name):
        return changed(base, section)
    if find_preset(name):
        return changed(released(name), section)
    try:
        return named_model(name, section)
    except ConfigError as error:
        if error.problem is Problem.MISSING and name.casefold() in _on_page(env):
            raise defined_twice(name) from None
        raise


def _from_entry(env: BuildEnvironment, name: str, description: project_models.Description) -> Model:
    """The model for an entry of ``llmsize_models``."""
    if isinstance(description, ConfigError):
        raise description.at()  # a copy, since other pages raise it too
    if isinstance(description, str):
        return from_file(name, source_file(env, f"/{description}"))
    section = section_of(description)
    return described(name, section, ignore_unknown=MODEL_TYPE.name in description)


def _on_page(env: BuildEnvironment) -> dict[str, Model]:
    """Models configured on the page being read, by lower-case name."""
    return cast("dict[str, Model]", env.temp_data.setdefault("llmsize_models", {}))
