"""What a template is made of: itself and every template that it includes, extends or imports."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sphinx_llmsize import templating
from sphinx_llmsize.sources.regular_file import digest

if TYPE_CHECKING:
    from jinja2 import Environment


def version_of(name: str, search_path: tuple[str, ...]) -> str:
    """What tells versions of a template apart, with all that it is made of.

    Args:
        name: of the template, such as ``llmsize/diagram.mmd.jinja``.
        search_path: folders in which a template of that name takes precedence.
    """
    environment = templating.environment(search_path)
    parts: dict[str, str | None] = {}
    waiting = [name]
    while waiting:
        part = waiting.pop()
        if part not in parts:
            parts[part] = text = _text(environment, part)
            waiting += _all_named(environment, text or "")
    return digest(repr(sorted(parts.items())).encode("utf-8", "backslashreplace"))


def _text(environment: Environment, name: str) -> str | None:
    from jinja2 import TemplateNotFound

    assert environment.loader
    try:
        return environment.loader.get_source(environment, name)[0]
    except (TemplateNotFound, OSError, ValueError):
        return None


def _all_named(environment: Environment, text: str) -> list[str]:
    named = _named(text)
    if None not in named:
        return [name for name in named if name]
    # a name that is computed may be any
    ours = environment.list_templates(filter_func=lambda n: n.startswith(f"{templating.FOLDER}/"))
    return [*ours, *filter(None, named)]


@lru_cache(maxsize=64)
def _named(text: str) -> tuple[str | None, ...]:
    """The templates that a text names; None among them if one's name is computed."""
    from jinja2 import TemplateError, meta

    try:
        return tuple(meta.find_referenced_templates(templating.environment(()).parse(text)))
    except TemplateError:
        return ()
