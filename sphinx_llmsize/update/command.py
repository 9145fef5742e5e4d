"""Command ``llmsize update``: its arguments, and the messages that it prints."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.command_errors import BAD_INPUT, DIFFERENT, print_error
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.markdown_flavours import FLAVOURS
from sphinx_llmsize.translation import _, ngettext

if TYPE_CHECKING:
    from sphinx_llmsize.update.sites import Site

MERMAID, SVG = "mermaid", "svg"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder or a pattern")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; print the differences and exit with 1 if there are any",
    )
    parser.add_argument(
        "--flavor",
        choices=FLAVOURS,
        help="flavour of Markdown; by default that of the site whose configuration is nearest",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out paths or names that match; may be repeated",
    )
    parser.add_argument(
        "--diagram",
        choices=(MERMAID, SVG),
        default=MERMAID,
        help="how diagrams are shown: Mermaid, or SVG files in the folder of --assets",
    )
    parser.add_argument("--assets", metavar="DIR", help="folder of the SVG files")


def run(chosen: argparse.Namespace, write: Callable[[str], None]) -> int:
    """Update the files; return the exit code.

    Args:
        chosen: the arguments.
        write: function that prints a text.
    """
    if (chosen.diagram == SVG) != bool(chosen.assets):
        print("llmsize: " + _("--diagram svg and --assets DIR need each other"), file=sys.stderr)
        return BAD_INPUT
    from sphinx_llmsize.update.files import markdown_files

    assets = Path(os.path.abspath(chosen.assets)) if chosen.assets else None
    code = 0
    for path in markdown_files(chosen.paths, chosen.exclude):
        if isinstance(path, ConfigError):
            _report(path, "")
            code = BAD_INPUT
        else:
            code = max(code, _update(path, chosen, assets, write))
    return code


def _update(
    path: Path, chosen: argparse.Namespace, assets: Path | None, write: Callable[[str], None]
) -> int:
    """Update or check one file; return its exit code."""
    from sphinx_llmsize.update import files
    from sphinx_llmsize.update.rewrite import rewrite

    try:
        content = files.read(path)
        if not files.has_markers(content):
            return 0
        mark, text = files.decode(content)
        result = rewrite(text, Path(os.path.abspath(path)), _site(path, chosen.flavor), assets)
        for error in result.errors:
            _report(error, str(path))
        if result.errors:
            return BAD_INPUT
        pictures = {file: svg for file, svg in result.pictures.items() if _differs(file, svg)}
        if chosen.check:
            lines = [f"{visible(_shown(file))}: " + _("not up to date") for file in pictures]
            lines += _difference(path, text, result.text) if result.stale else ()
            if lines:
                write("\n".join(lines))
            return DIFFERENT if lines else 0
        for file, svg in pictures.items():
            files.write(file, svg.encode())
        if result.stale:
            files.write(path, mark + result.text.encode("utf-8"))
            write(_summary(path, result.stale))
    except ConfigError as error:
        _report(error, str(path))
        return BAD_INPUT
    return 0


def _site(path: Path, flavour: str | None) -> Site:
    """The file's site, with the flavour of ``--flavor`` if there is one."""
    from sphinx_llmsize.update.sites import site_of

    site = site_of(Path(os.path.abspath(path)))
    return replace(site, flavour=FLAVOURS[flavour]) if flavour else site


def _summary(path: Path, stale: int) -> str:
    one, many = "{file}: {number} region updated", "{file}: {number} regions updated"
    return ngettext(one, many, stale, file=visible(_shown(path)), number=stale)


def _difference(path: Path, old: str, new: str) -> Iterator[str]:
    """Unified diff of a file's text, with control characters as escapes."""
    from sphinx_llmsize.update.comments import LINE_END

    shown = visible(_shown(path)).lstrip("/")
    lines = unified_diff(
        LINE_END.split(old), LINE_END.split(new), f"a/{shown}", f"b/{shown}", lineterm=""
    )
    return ("\t".join(map(visible, line.split("\t"))) for line in lines)


def _report(error: ConfigError, path: str) -> None:
    """Print an error in a file, or in another one that it names."""
    file = error.file or path
    print_error(error, _shown(Path(file)) if file else "")


def _shown(path: Path) -> str:
    """A path with slashes; relative to the current folder if the file is inside it."""
    absolute, folder = Path(os.path.abspath(path)), Path.cwd()
    return (absolute.relative_to(folder) if absolute.is_relative_to(folder) else path).as_posix()


def _differs(path: Path, text: str) -> bool:
    """True if a file does not have this text."""
    try:
        return path.read_bytes() != text.encode()
    except OSError:
        return True
