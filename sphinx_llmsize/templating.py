"""Jinja2 templates for output that is text: found in a project's folders first, then ours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "llmsize"
"""The folder, within any templates_path, that our templates' names begin with."""

_PACKAGE = Path(__file__).parent / "templates"
_CHECKOUT = Path(__file__).parent.parent / "templates"


def render(
    name: str, search_path: tuple[str, ...] = (), version: str = "", **context: object
) -> str:
    """The text that a template makes.

    Args:
        name: of the template, such as ``llmsize/diagram.mmd.jinja``.
        search_path: folders in which a template of that name takes precedence.
        version: tells versions of a template apart, as Jinja2 overlooks one that comes or goes.
        context: what the template is about.

    Raises:
        ConfigError: a project's own template does not work.
    """
    from jinja2 import TemplateSyntaxError

    try:
        return environment(search_path, version).get_template(name).render(**context)
    except TemplateSyntaxError as error:
        broken = _broken(error.name or name, error)
        raise broken.at(line=error.lineno - 1, file=error.filename or "") from None
    except Exception as error:
        # a project's own template may fail in any way; the build must not
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> ConfigError:
    message = _(
        "template {name} does not work: {other}: {error}",
        name=name,
        other=type(error).__name__,
        error=str(error).rstrip("."),
    )
    return ConfigError(message, Problem.TEMPLATE, _("mend it, or remove it to have the default"))


def checkout_folder() -> Path | None:
    """Where the templates lie in a checkout, beside the package; installed, they lie in it."""
    return None if (_PACKAGE / FOLDER).is_dir() else _CHECKOUT


@lru_cache(maxsize=16)
def environment(search_path: tuple[str, ...], version: str = "") -> Environment:
    """Templates, from folders that take precedence and from ours, and their filters."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from sphinx_llmsize.escaping import (
        escape_latex,
        escape_markdown,
        escape_mermaid,
        escape_xml,
    )

    environment = Environment(
        loader=FileSystemLoader((*search_path, str(checkout_folder() or _PACKAGE))),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - not HTML; templates escape by the filters below
    )
    environment.filters["mermaid"] = escape_mermaid
    environment.filters["markdown"] = escape_markdown
    environment.filters["xml"] = escape_xml
    environment.filters["latex"] = escape_latex
    return environment
