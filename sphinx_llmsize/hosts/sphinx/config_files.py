"""Paths of configuration files: checked against the allowed folders, recorded as dependencies."""

from __future__ import annotations

import os
from pathlib import Path

from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.domain import depend, resolve_from_confdir
from sphinx_llmsize.sources.files import did_you_mean_beside, fingerprint, is_within, unreadable
from sphinx_llmsize.translation import _


def inserted_file(directive: SphinxDirective, text: str) -> Path:
    """Path of the file named by a directive.

    Raises:
        ConfigError: docutils' ``file_insertion_enabled`` is off, the path is a URL, or it leads
            out of the allowed folders.
    """
    settings = directive.state.document.settings
    if not getattr(settings, "file_insertion_enabled", True):
        hint = _("write the configuration below the directive, or name a model of llmsize_models")
        raise unreadable(text, _("file_insertion_enabled is off"), hint)
    return source_file(directive.env, text)


def source_file(env: BuildEnvironment, text: str) -> Path:
    """Absolute path of a file, which becomes a dependency of the page.

    A path with a leading ``/`` is relative to the source directory, any other to the page. A page
    that names a missing file is reread when the file appears.

    Raises:
        ConfigError: the path is a URL, or leads out of the allowed folders.
    """
    page_folder = os.path.dirname(env.doc2path(env.docname))
    path = allowed_path(env, text, relative_to=page_folder)
    # recorded before the check: a refused page is reread when the link leads elsewhere
    depend(env, content_fingerprint, str(path))
    check_target(env, path, text)
    if os.path.isfile(path):  # Path.is_file would raise for a name that is too long
        env.note_dependency(str(path))  # for other extensions; we compare fingerprints
    else:
        depend(env, spelling_hint, str(path))
    return path


def allowed_path(env: BuildEnvironment, text: str, relative_to: str) -> Path:
    """Absolute, normalised path for the text of a path.

    Args:
        env: the build environment.
        text: the path; with a leading ``/``, it is relative to the source directory.
        relative_to: folder to which any other path is relative.

    Raises:
        ConfigError: the text is not a path, or the path is outside the allowed folders.
    """
    if "://" in text:
        raise unreadable(text, _("it is a URL"), _("download it into the source directory"))
    if "\0" in text:
        raise unreadable(text, _("it contains a null character"))
    base = env.srcdir if text.startswith("/") else relative_to
    path = os.path.normpath(os.path.join(base, text.lstrip("/")))
    if not any(is_within(path, folder) for folder in _allowed_folders(env)):
        raise _outside_error(text)
    return Path(path)


def check_target(env: BuildEnvironment, path: Path, text: str) -> None:
    """Check that a path is within the allowed folders after resolving symbolic links.

    Raises:
        ConfigError: the target is outside the allowed folders.
    """
    target = os.path.realpath(path)
    if not any(is_within(target, os.path.realpath(each)) for each in _allowed_folders(env)):
        raise _outside_error(text)


def content_fingerprint(env: BuildEnvironment, path: str) -> str:
    """Fingerprint of a file's content, or the message if it is outside the allowed folders.

    The message is a fingerprint too: a refused page is reread when the file is inside again.
    """
    try:
        check_target(env, Path(path), path)
    except ConfigError as error:
        return error.message
    return fingerprint(Path(path))


def spelling_hint(env: BuildEnvironment, path: str) -> str:
    """Hint for a missing file that names a similar one beside it.

    It is a fingerprint too: a page with the hint is reread when the hint changes.
    """
    return did_you_mean_beside(Path(path))


def _allowed_folders(env: BuildEnvironment) -> tuple[str, ...]:
    """Allowed folders: the source directory and those of ``llmsize_config_roots``."""
    return str(env.srcdir), *resolve_from_confdir(env, env.config.llmsize_config_roots)


def _outside_error(text: str) -> ConfigError:
    """Error for a path outside the allowed folders."""
    hint = _("move or copy it inside, or list its folder in llmsize_config_roots")
    return unreadable(text, _("it is outside the allowed folders"), hint)
