"""Files to update: found by paths, folders and patterns; read and written as bytes."""

from __future__ import annotations

import codecs
import glob
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.files import did_you_mean_beside, reason_of
from sphinx_llmsize.translation import _

SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".qmd"})
"""Suffixes of the files to update in a folder. MDX is not among them: it has no HTML comments."""
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "_site", "site-packages"})
"""Names of subfolders to skip, besides those that begin with a dot."""
_MARKER = re.compile(rb"<!--[-\s]*/?llm", re.IGNORECASE)
"""Beginning of a marker such as ``<!-- llm-size``, or of a comment that looks like one."""


def markdown_files(paths: Sequence[str], excluded: Sequence[str]) -> Iterator[Path | ConfigError]:
    """The files of paths, folders and patterns, each once; an error for each without a file.

    Args:
        paths: files, folders or patterns such as ``docs/**/*.md``.
        excluded: patterns of paths, or of names of files and folders, to leave out. A symbolic link
            is also left out if a pattern matches the file to which it leads.
    """
    seen: set[Path] = set()
    current_folder = os.path.realpath(".")
    for text in paths:
        try:
            files = _files_of(text)
        except ConfigError as error:
            yield error
            continue
        for path in files:
            file = Path(os.path.realpath(path))
            compared = [path]
            if file.is_relative_to(current_folder):
                compared.append(file.relative_to(current_folder))
            if file not in seen and not any(_is_excluded(each, excluded) for each in compared):
                seen.add(file)
                yield path


def _files_of(text: str) -> list[Path]:
    """The files of one path, folder or pattern, sorted.

    Raises:
        ConfigError: there are none.
    """
    if not text:  # perhaps a shell variable that isn't set
        hint = _("write . for the current folder")
        raise ConfigError(_("a path is empty"), Problem.FILE, hint)
    path = Path(text)
    if os.path.isdir(path):
        return sorted(_in_folder(path))
    if os.path.lexists(path):
        return [path]
    if glob.has_magic(text):
        skipped = SKIPPED_FOLDERS.difference(path.parts)  # folders in the pattern are not skipped
        matches = _matching(path)
        # unlike Path.is_file, os.path.isfile raises no error for a link whose target is too long
        files = [
            each for each in matches if os.path.isfile(each) and skipped.isdisjoint(each.parts)
        ]
        if files:
            return sorted(_shortest(files))
    message = _("there is no file {name}", name=repr(text[:100]))
    raise ConfigError(message, Problem.FILE, did_you_mean_beside(path))


def _matching(pattern: Path) -> Iterator[Path]:
    """The paths that match a pattern; ``**`` follows no links, since some lead to a parent folder.

    Hidden files and folders match only a pattern with a hidden part.
    """
    parts = pattern.relative_to(pattern.anchor).parts
    # before Python 3.13, a final ** matches only folders
    text = "/".join((*parts, "*") if parts[-1] == "**" else parts)
    try:
        found = list(Path(pattern.anchor).glob(text))
    except ValueError:  # such as "**.md"
        return
    is_hidden = any(_is_hidden(part) for part in parts)
    yield from (path for path in found if is_hidden or not any(map(_is_hidden, path.parts)))


def _is_hidden(part: str) -> bool:
    return part.startswith(".") and part not in {".", ".."}


def _shortest(paths: list[Path]) -> Iterable[Path]:
    """The shortest path to each file, which links can make reachable by several paths."""
    by_file: dict[str, Path] = {}
    for path in sorted(paths, key=lambda path: (len(path.parts), path)):
        by_file.setdefault(os.path.realpath(path), path)
    return by_file.values()


def _in_folder(folder: Path) -> Iterator[Path]:
    """The Markdown files in a folder and its subfolders, without pipes and broken links."""
    for parent, folders, names in os.walk(folder):
        # os.walk descends into the folders that stay in this list
        folders[:] = [
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        ]
        for name in names:
            path = Path(parent, name)
            if path.suffix.lower() in SUFFIXES and os.path.isfile(path):
                yield path


def _is_excluded(path: Path, patterns: Sequence[str]) -> bool:
    """True if the path, one of its parents or a name in it matches a pattern."""
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    paths = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    trimmed = [pattern.removeprefix("./").rstrip("/") for pattern in patterns]
    return any(fnmatch(name, pattern) for pattern in trimmed for name in (*paths, *parts))


def may_have_markers(content: bytes) -> bool:
    """True if a file may have markers; a quick check before it is parsed."""
    # UTF-16 has a null byte beside each character; decode() refuses such a file
    return bool(_MARKER.search(content.replace(b"\0", b"")))


def decode(content: bytes) -> tuple[bytes, str]:
    """Decode a file with markers; return its byte order mark (empty if it has none) and its text.

    Raises:
        ConfigError: it is not UTF-8.
    """
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    try:
        text = content[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(content.count(b"\n", 0, len(mark) + error.start)) from None
    if not _MARKER.search(content):  # only may_have_markers(), which skips null bytes, found them
        raise _not_utf8(0)
    return mark, text


def _not_utf8(line: int) -> ConfigError:
    hint = _("save it as UTF-8")
    return ConfigError(_("it is not UTF-8 text"), Problem.FILE, hint, line)


def read(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        ConfigError: it cannot be read, or is not a regular file.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # reading a pipe would wait for ever
        raise ConfigError(_("it is not a regular file"), Problem.FILE)
    try:
        return path.read_bytes()
    except OSError as error:
        message = _("cannot read the file: {reason}", reason=reason_of(error))
        raise ConfigError(message, Problem.FILE) from None


def write(path: Path, content: bytes, *, follows_links: bool = True) -> None:
    """Replace a file's content in one step, so that it is never half written.

    A file that exists keeps its permissions.

    Args:
        path: the file.
        content: its new content.
        follows_links: True to write the file to which a symbolic link leads, False to replace the
            link itself.

    Raises:
        ConfigError: it cannot be written.
    """
    target = Path(os.path.realpath(path)) if follows_links else path
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=".llmsize-", delete=False
        ) as file:
            temporary = file.name
            file.write(content)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError as error:
        message = _("cannot write the file: {reason}", reason=reason_of(error))
        raise ConfigError(message, Problem.FILE, file=str(path)) from None
    finally:  # also after an interruption
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    """The permissions that new files don't get; they can be read only by setting them."""
    current = os.umask(0o022)
    os.umask(current)
    return current
