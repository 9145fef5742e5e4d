"""A project's own templates, which take precedence over ours of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx.dependencies import ask
from sphinx_llmsize.hosts.sphinx.files import below_conf

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


def found(env: BuildEnvironment, name: str) -> tuple[tuple[str, ...], str]:
    """The folders to search, and what tells versions of a project's template apart."""
    return below_conf(env, env.config.templates_path), version(env, name)


def depend(env: BuildEnvironment, name: str) -> None:
    """Have the current page read anew when its project's template comes, changes or goes."""
    ask(env, version, name)


def version(env: BuildEnvironment, name: str) -> str:
    """What tells versions of a template apart, with all that it includes."""
    from sphinx_llmsize.template_parts import version_of

    return version_of(name, below_conf(env, env.config.templates_path))
