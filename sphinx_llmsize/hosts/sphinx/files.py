"""The file that ``:config:`` names: within the sources, and known to Sphinx as a dependency."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.sources.files import unreadable

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


def source_file(env: BuildEnvironment, text: str) -> Path:
    """The file's path: relative to the page, or to the source root with a leading ``/``.

    It is noted as a dependency of the page even when it is absent, so that the page is
    read again when it appears.

    Raises:
        ConfigError: the path is a URL, or leads out of the source directory.
    """
    if "://" in text:
        raise unreadable(text, "it is a URL", "download it into the source directory")
    root = str(env.srcdir)
    page_folder = os.path.dirname(env.doc2path(env.docname))
    base = root if text.startswith("/") else page_folder
    path = os.path.normpath(os.path.join(base, text.lstrip("/")))
    if not _is_within(path, root):
        raise _outside(text)
    env.note_dependency(os.path.relpath(path, root))
    if not _is_within(os.path.realpath(path), os.path.realpath(root)):
        raise _outside(text)
    return Path(path)


def _is_within(path: str, folder: str) -> bool:
    return os.path.commonpath((path, folder)) == folder


def _outside(text: str) -> Exception:
    return unreadable(text, "it is outside the source directory", "move or copy it inside")
