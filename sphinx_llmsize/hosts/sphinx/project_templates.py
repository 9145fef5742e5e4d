"""Project templates: those in ``templates_path`` override ours of the same name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx import domain

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

    TemplateVersion = tuple[tuple[str, ...], str]
    """Folders to search, and the template's fingerprint."""


def recorded_version(env: BuildEnvironment, docname: str, name: str) -> TemplateVersion:
    """Folders and fingerprint of a template, as recorded when the page was read."""
    return _folders(env), domain.llmsize_domain(env).dependencies[docname][fingerprint, name]


def depend(env: BuildEnvironment, name: str) -> TemplateVersion:
    """Folders and fingerprint of a template; recorded as a dependency of the page being read."""
    return _folders(env), domain.depend(env, fingerprint, name)


def is_overridden(env: BuildEnvironment, name: str) -> bool:
    """True if the project has a template of its own in place of ours."""
    return any(Path(folder, name).is_file() for folder in _folders(env))


def fingerprint(env: BuildEnvironment, name: str) -> str:
    """Hash of a template and everything it includes."""
    from sphinx_llmsize.templating import version_of

    return version_of(name, _folders(env))


def _folders(env: BuildEnvironment) -> tuple[str, ...]:
    """Absolute paths of the folders in ``templates_path``."""
    return domain.resolve_from_confdir(env, env.config.templates_path)
