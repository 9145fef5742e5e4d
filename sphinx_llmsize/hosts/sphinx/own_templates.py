"""A project's own templates, which take precedence over ours of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx.dependencies import ask
from sphinx_llmsize.hosts.sphinx.files import below_conf

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


Found = tuple[tuple[str, ...], str]
"""The folders to search, and what tells versions of a template apart."""


def found(env: BuildEnvironment, name: str) -> Found:
    """Where a template is looked for, and its version."""
    return _folders(env), version(env, name)


def depend(env: BuildEnvironment, name: str) -> Found:
    """The same; the page that is being read is read anew when the template is another."""
    return _folders(env), ask(env, version, name)


def version(env: BuildEnvironment, name: str) -> str:
    """What tells versions of a template apart, with all that it includes."""
    from sphinx_llmsize.template_parts import version_of

    return version_of(name, _folders(env))


def _folders(env: BuildEnvironment) -> tuple[str, ...]:
    return below_conf(env, env.config.templates_path)
