"""Files of generated pages, below the source directory.

Files that don't contain :data:`MARK` are the author's: they are neither changed nor removed.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.matching import get_matching_files

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.domain import llmsize_domain
from sphinx_llmsize.sources.files import reason_of
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = "Generated for llmsize_catalogue"
"""Text in the first lines of every generated page."""
SUFFIX = ".rst"
"""Suffix of generated pages."""
MAX_MARK_POSITION = 500
"""Number of characters at the start of a file that are searched for the mark."""


def write_pages(folder: Path, texts: Mapping[str, str]) -> Iterator[ConfigError]:
    """Write pages that changed, remove generated ones of other models, and yield errors.

    Args:
        folder: folder of the pages; it is created.
        texts: content of each page, by the name of its file without the suffix.
    """
    yield from remove_pages(folder, stems_to_keep=texts)
    for stem, text in texts.items():
        file = folder / f"{stem}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_new = not os.path.lexists(file)
            if is_new or (_is_generated(file) and file.read_bytes() != text.encode()):
                file.write_text(text, "utf-8", newline="\n")
        except OSError as error:
            yield _file_error(file, error)


def remove_pages(folder: Path, stems_to_keep: Collection[str] = ()) -> Iterator[ConfigError]:
    """Remove generated pages, and the folder if it is empty then, and yield errors.

    Args:
        folder: folder of the pages; it may be missing.
        stems_to_keep: names of files, without the suffix, that are not removed.
    """
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            if file.stem not in stems_to_keep and _is_generated(file):
                file.unlink()
                if not any(folder.iterdir()):
                    folder.rmdir()
        except OSError as error:
            yield _file_error(file, error)


def abandoned_folders(app: Sphinx, folders: Collection[str]) -> set[str]:
    """Folders that may have generated pages from earlier builds, other than ``folders``.

    In an incremental build, the domain has recorded them. In a build from scratch, they are all
    folders of the project.
    """
    is_incremental = bool(app.env.all_docs)
    recorded = llmsize_domain(app.env).catalogue_folders
    candidates = recorded if is_incremental else _all_folders(app)
    return candidates - set(folders)


def is_marked(text: str) -> bool:
    """True if a comment at the start of a page begins with the mark, as in generated pages."""
    return f"\n.. {MARK}" in f"\n{text[:MAX_MARK_POSITION]}"


def _is_generated(file: Path) -> bool:
    """True for a file that a build wrote; a symbolic link is always the author's."""
    if file.is_symlink():
        return False
    with file.open(encoding="utf-8", errors="replace") as stream:
        return is_marked(stream.read(MAX_MARK_POSITION))


def _all_folders(app: Sphinx) -> set[str]:
    """All folders with reStructuredText below the source directory.

    Folders of other projects are left out: those behind symbolic links or with a ``conf.py``.
    """
    patterns = app.config.include_patterns, app.config.exclude_patterns
    files = get_matching_files(app.srcdir, *patterns)
    folders = {posixpath.dirname(file) for file in files if file.endswith(SUFFIX)}
    source = os.path.realpath(app.srcdir)
    return {each for each in folders if _is_of_project(source, each)}


def _is_of_project(source: str, folder: str) -> bool:
    """True for a folder of this project: no symbolic link and no other project leads to it.

    Args:
        source: real path of the source directory.
        folder: path of the folder, relative to the source directory.
    """
    path = Path(os.path.normpath(os.path.join(source, folder)))
    if os.path.realpath(path) != str(path):
        return False
    for each in (path, *path.parents):
        if each == Path(source):
            break
        if os.path.exists(each / "conf.py"):
            return False
    return True


def _file_error(file: Path, error: OSError) -> ConfigError:
    """Error for a file that can't be read, written or removed."""
    message = _(
        "cannot write {file}: {reason}", file=repr(os.fspath(file)[-100:]), reason=reason_of(error)
    )
    return ConfigError(message, Problem.FILE)
