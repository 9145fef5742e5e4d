"""The file that ``:config:`` names: within the sources, and known as a dependency of the page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.dependencies import ask
from sphinx_llmsize.hosts.sphinx.settings import confdir
from sphinx_llmsize.sources.files import did_you_mean_beside, fingerprint, unreadable
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment
    from sphinx.util.docutils import SphinxDirective


def inserted_file(directive: SphinxDirective, text: str) -> Path:
    """The path of a file that an author names, if pages may bring in files at all.

    Raises:
        ConfigError: docutils' ``file_insertion_enabled`` is off, or as :func:`source_file`.
    """
    settings = directive.state.document.settings
    if not getattr(settings, "file_insertion_enabled", True):
        hint = _("write the configuration below the directive, or name a model of llmsize_models")
        raise unreadable(text, _("file_insertion_enabled is off"), hint)
    return source_file(directive.env, text)


def source_file(env: BuildEnvironment, text: str) -> Path:
    """The file's path: relative to the page, or to the source root with a leading ``/``.

    The page depends on it even when it is absent, so that it is read again when it appears.

    Raises:
        ConfigError: the path is a URL, or leads out of the folders that configurations lie in.
    """
    page_folder = os.path.dirname(env.doc2path(env.docname))
    path = inside(env, text, relative_to=page_folder)
    ask(env, content, str(path))
    check_target(env, path, text)
    if os.path.isfile(path):  # false for names too long as well, where Path raises
        env.note_dependency(str(path))  # others ask Sphinx what a page was made from
    else:
        ask(env, hint_beside, str(path))
    return path


def inside(env: BuildEnvironment, text: str, relative_to: str) -> Path:
    """The path that a text means.

    Raises:
        ConfigError: it is none, or none within the folders that configurations lie in.
    """
    if "://" in text:
        raise unreadable(text, _("it is a URL"), _("download it into the source directory"))
    if "\0" in text:
        raise unreadable(text, _("it is no path"))
    base = env.srcdir if text.startswith("/") else relative_to
    path = os.path.normpath(os.path.join(base, text.lstrip("/")))
    if not any(_is_within(path, root) for root in _roots(env)):
        raise _outside(text)
    return Path(path)


def check_target(env: BuildEnvironment, path: Path, text: str) -> None:
    """Where links lead matters as well as where they lie.

    Raises:
        ConfigError: the path leads out of the folders that configurations lie in.
    """
    target = os.path.realpath(path)
    if not any(_is_within(target, os.path.realpath(root)) for root in _roots(env)):
        raise _outside(text)


def content(env: BuildEnvironment, path: str) -> str:
    """What tells versions of a file apart; asked of every file that a page names."""
    try:
        check_target(env, Path(path), path)
    except ConfigError as error:
        return error.message
    return fingerprint(Path(path))


def hint_beside(env: BuildEnvironment, path: str) -> str:
    """What is said of a missing file's neighbours; asked for every file that is missing."""
    return did_you_mean_beside(Path(path))


def below_conf(env: BuildEnvironment, folders: Sequence[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Folders as ``conf.py`` names them: absolute, or relative to where it lies."""
    conf = confdir(env)
    return tuple(os.path.normpath(os.path.join(conf, folder)) for folder in folders)


def _roots(env: BuildEnvironment) -> tuple[str, ...]:
    setting = env.config.llmsize_config_roots
    # one alone may stand without brackets; each of its characters must not be taken for a folder
    roots = [setting] if isinstance(setting, (str, os.PathLike)) else setting
    return str(env.srcdir), *below_conf(env, roots)


def _is_within(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath((path, folder)) == folder
    except ValueError:  # on different drives
        return False


def _outside(text: str) -> ConfigError:
    hint = _("move or copy it inside, or list its folder in llmsize_config_roots")
    return unreadable(text, _("it is outside the source directory"), hint)
