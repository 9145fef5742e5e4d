"""A project's own templates, which take precedence over ours of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sphinx_llmsize.hosts.sphinx.config_files import below_conf
from sphinx_llmsize.hosts.sphinx.dependencies import ask

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


Found = tuple[tuple[str, ...], str]
"""The folders to search, and what tells versions of a template apart."""
FOUND = "llmsize_templates"
"""The attribute of what writes a page with the templates that it has looked for."""


def found(translator: Any, name: str) -> Found:
    """Where a page that is being written looks for a template, and its version."""
    known = cast("dict[str, Found]", translator.__dict__.setdefault(FOUND, {}))
    if name not in known:
        env = translator.builder.env
        known[name] = _folders(env), version(env, name)
    return known[name]


def depend(env: BuildEnvironment, name: str) -> Found:
    """The same while it is being read; it is read anew when the template is another."""
    return _folders(env), ask(env, version, name)


def version(env: BuildEnvironment, name: str) -> str:
    """What tells versions of a template apart, with all that it includes."""
    from sphinx_llmsize.templating import version_of

    return version_of(name, _folders(env))


def _folders(env: BuildEnvironment) -> tuple[str, ...]:
    return below_conf(env, env.config.templates_path)
