"""Files of generated pages, below the source directory.

Files that don't contain :data:`MARK` are the author's: they are neither changed nor removed.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.matching import get_matching_files

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.domain import of
from sphinx_llmsize.sources.files import reason_of
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = "Generated for llmsize_catalogue"
"""Text in the first lines of every generated page."""
SUFFIX = ".rst"
SEARCHED = 500
"""Number of characters at the start of a file that are searched for the mark."""


def write(folder: Path, texts: Mapping[str, str]) -> Iterator[ConfigError]:
    """Write pages that changed, remove generated ones of other models, and yield errors.

    Args:
        folder: folder of the pages; it is created.
        texts: content of each page, by the name of its file without the suffix.
    """
    yield from remove(folder, texts)
    for stem, text in texts.items():
        file = folder / f"{stem}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_new = not os.path.lexists(file)
            if is_new or (_is_generated(file) and file.read_bytes() != text.encode()):
                file.write_text(text, "utf-8", newline="\n")
        except OSError as error:
            yield _failure(file, error)


def remove(folder: Path, kept: Collection[str] = ()) -> Iterator[ConfigError]:
    """Remove generated pages and the folder if it is empty then, and yield errors.

    Args:
        folder: folder of the pages; it may be missing.
        kept: names of files, without the suffix, that are not removed.
    """
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            if file.stem not in kept and _is_generated(file):
                file.unlink()
                if not any(folder.iterdir()):
                    folder.rmdir()
        except OSError as error:
            yield _failure(file, error)


def abandoned(app: Sphinx, folders: Collection[str]) -> set[str]:
    """Folders with generated pages from earlier builds, other than these.

    The domain has a record of them. A build that starts anew has none, and looks at all folders.
    """
    known = of(app.env).catalogue_folders if app.env.all_docs else _all_folders(app)
    return known - set(folders)


def is_marked(text: str) -> bool:
    """True if a comment at the start of a text has the mark: no author wrote it."""
    return f"\n.. {MARK}" in f"\n{text[:SEARCHED]}"


def _is_generated(file: Path) -> bool:
    """True for a file that a build wrote; a symbolic link is the author's, whatever is there."""
    if file.is_symlink():
        return False
    with file.open(encoding="utf-8", errors="replace") as opened:
        return is_marked(opened.read(SEARCHED))


def _all_folders(app: Sphinx) -> set[str]:
    """All folders below the source directory that have reStructuredText.

    Those of other projects are left out: they are behind symbolic links, or have a ``conf.py``.
    """
    patterns = app.config.include_patterns, app.config.exclude_patterns
    files = get_matching_files(app.srcdir, *patterns)
    folders = {posixpath.dirname(file) for file in files if file.endswith(SUFFIX)}
    source = os.path.realpath(app.srcdir)
    return {each for each in folders if _is_of_project(source, each)}


def _is_of_project(source: str, folder: str) -> bool:
    """True for a folder below the source directory that is not that of another project."""
    path = os.path.normpath(os.path.join(source, folder))
    if os.path.realpath(path) != path:
        return False
    below = takewhile(lambda each: each != Path(source), (Path(path), *Path(path).parents))
    return not any(os.path.exists(each / "conf.py") for each in below)


def _failure(file: Path, error: OSError) -> ConfigError:
    message = _(
        "cannot write {file}: {reason}", file=repr(os.fspath(file)[-100:]), reason=reason_of(error)
    )
    return ConfigError(message, Problem.FILE)
