"""Jinja2 templates of text output; a project's folders take precedence over the package's."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    meta,
)
from jinja2.loaders import split_template_path

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import (
    escape_latex,
    escape_markdown,
    escape_mermaid,
    escape_rst,
    escape_xml,
)
from sphinx_llmsize.inline import FormulaText, Inline, Line, Variable
from sphinx_llmsize.internal_errors import internal_error
from sphinx_llmsize.sources.files import digest, read_regular
from sphinx_llmsize.template_files import FOLDER, PACKAGE, checkout_folder
from sphinx_llmsize.translation import _
from sphinx_llmsize.typography import with_breaks


class Loader(FileSystemLoader):
    """Loader that only reads small, regular files, and raises an error for any other."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Read a template.

        Raises:
            TemplateNotFound: the template is in none of the folders.
            OSError: the file cannot be read.
            ValueError: it is not a regular file, too large, or not UTF-8.
        """
        for folder in self.searchpath:
            path = Path(folder, *split_template_path(template))
            try:
                os.lstat(path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            # never outdated for Jinja: a changed template has another version (see render)
            return read_regular(path).decode("utf-8"), str(path), lambda: True
        raise TemplateNotFound(template)


def render(
    name: str, search_path: tuple[str, ...] = (), version: str = "", **context: object
) -> str:
    """Render a template.

    Args:
        name: name of the template, such as ``llmsize/diagram.mmd.jinja``.
        search_path: folders that take precedence.
        version: hash from :func:`version_of`; a new hash makes Jinja load the template again.
        context: the template's variables.

    Raises:
        ConfigError: a project's own template cannot be read or fails; or an internal error.
    """
    template = None
    try:
        template = environment(search_path, version).get_template(name)
        return template.render(**context)
    except TemplateSyntaxError as error:
        problem = _template_error(error.name or name, error)
        raise problem.at(line=error.lineno - 1, file=error.filename or "") from None
    except Exception as error:
        # a project's own template can raise any exception, which must not end the build
        if template is None or _is_raised_in(error, search_path):
            raise _template_error(name, error) from error
        raise internal_error(error) from error


def _is_raised_in(error: Exception, folders: tuple[str, ...]) -> bool:
    """True if templates in these folders raised an exception, or called what raised it."""
    files = {frame.filename for frame in extract_tb(error.__traceback__)}
    return any(Path(folder) in Path(file).parents for folder in folders for file in files)


def version_of(name: str, search_path: tuple[str, ...]) -> str:
    """Hash of a template and everything it includes, extends or imports."""
    templates = environment(search_path, "")
    sources: dict[str, str | None] = {}
    pending = [name]
    while pending:
        current = pending.pop()
        if current in sources:
            continue
        text = _read_source(templates, current)
        sources[current] = text
        names = _references(text or "")
        if None in names:  # a computed name: it may be any template
            pending += templates.list_templates(filter_func=_is_ours)
        pending += filter(None, names)
    return digest(repr(sorted(sources.items())).encode("utf-8", "backslashreplace"))


@lru_cache(maxsize=16)
def environment(search_path: tuple[str, ...], version: str = "") -> Environment:
    """Jinja2 environment with the folders and the escaping filters; one for each ``version``."""
    jinja = Environment(
        loader=Loader((*search_path, str(checkout_folder() or PACKAGE))),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - not HTML; templates use the filters below
    )
    jinja.filters["mermaid"] = escape_mermaid
    jinja.filters["mermaid_line"] = mermaid_line
    jinja.filters["markdown"] = escape_markdown
    jinja.filters["rst"] = escape_rst
    jinja.filters["xml"] = escape_xml
    jinja.filters["latex"] = escape_latex
    return jinja


def mermaid_line(line: Line, has_styles: bool = False) -> str:
    """Inline content as a Mermaid label, with subscripts in HTML.

    Args:
        line: the content.
        has_styles: the stylesheet reaches the diagram, with the font of formulas.
    """
    return "".join(_mermaid_piece(piece, has_styles) for piece in with_breaks(line))


def _mermaid_piece(piece: Inline, has_styles: bool) -> str:
    """A piece of a line as part of a Mermaid label."""
    if isinstance(piece, FormulaText):
        if has_styles:
            return f"<span class='llmsize-signs'>{escape_mermaid(piece.typeset)}</span>"
        return escape_mermaid(piece)
    if not isinstance(piece, Variable):
        return escape_mermaid(str(piece))
    symbol = f"<i>{escape_mermaid(piece.base)}</i>"
    subscript = "".join(
        f"<i>{escape_mermaid(text)}</i>" if is_italic else escape_mermaid(text)
        for text, is_italic in piece.subscript_parts
    )
    return f"{symbol}<sub>{subscript}</sub>" if subscript else symbol


def _template_error(name: str, error: Exception) -> ConfigError:
    """Error for a template that raises an exception."""
    message = _(
        "template {name} failed: {other}: {error}",
        name=name,
        other=type(error).__name__,
        error=str(error).rstrip("."),
    )
    return ConfigError(message, Problem.TEMPLATE, _("fix it, or remove it to use the default"))


def _is_ours(name: str) -> bool:
    """True for a template of the extension, or a project's replacement of one."""
    return name.startswith(f"{FOLDER}/")


def _read_source(templates: Environment, name: str) -> str | None:
    """Text of a template; None if it cannot be read."""
    assert templates.loader
    try:
        return templates.loader.get_source(templates, name)[0]
    except (TemplateNotFound, OSError, ValueError):
        return None


# parsing takes milliseconds, and every page with a diagram needs the version of its templates
@lru_cache(maxsize=64)
def _references(text: str) -> frozenset[str | None]:
    """Names of the templates that a template refers to; None for a name computed at runtime."""
    try:
        return frozenset(meta.find_referenced_templates(environment(()).parse(text)))
    except TemplateError:
        return frozenset()
