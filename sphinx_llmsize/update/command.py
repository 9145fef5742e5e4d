"""Command ``llmsize update``: reads its arguments, updates files and prints messages."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.command_errors import (
    BAD_INPUT,
    DIFFERENT,
    print_error,
    print_message,
    shown_path,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.markdown_flavours import FLAVOURS
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.update.update_settings import CHOICES, FILE, Settings, settings_of

if TYPE_CHECKING:
    from sphinx_llmsize.update.rewritten_files import Job, RewrittenFile
    from sphinx_llmsize.update.sites import Site


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.usage = "%(prog)s PATH … [OPTION …]"
    parser.add_argument("paths", nargs="+", metavar="PATH", help="A file, a folder or a pattern.")
    parser.add_argument(
        "--check",
        action="store_true",
        help="Write nothing. Print the differences, and exit with 1 if there are any.",
    )
    parser.add_argument(
        "--flavor",
        choices=FLAVOURS,
        help="Flavour of Markdown. By default that of the site whose configuration is nearest.",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="Leave out paths or names that match. May be repeated.",
    )
    parser.add_argument(
        "--diagram",
        choices=CHOICES["diagram"],
        help="Diagrams as Mermaid, the default, or as SVG files.",
    )
    parser.add_argument("--assets", metavar="DIR", help="Folder of the SVG files.")
    parser.epilog = (
        f"The file {FILE} can set flavor, diagram and assets for the files beside it\n"
        "and in the folders below."
    )


def run(args: argparse.Namespace, write: Callable[[str], None]) -> int:
    """Update the files; return the exit code.

    Args:
        args: the arguments.
        write: function that prints a text.

    Raises:
        ConfigError: the arguments can't be used.
    """
    from sphinx_llmsize.update.rewritten_files import rewrite_files

    jobs, errors = _jobs(args)
    for error in errors:
        print_error(error)
    code = BAD_INPUT if errors else 0
    regions = 0
    for rewritten in rewrite_files(jobs):
        file_code, file_regions = _update(rewritten, write, is_check=args.check)
        code = max(code, file_code)
        regions += file_regions
    if code == 0 and regions == 0:
        one = "no markers such as {marker} in {n} file"
        many = "no markers such as {marker} in {n} files"
        marker = "<!-- llm-size: llama-7b -->"
        message = ngettext(one, many, len(jobs), marker=marker, n=len(jobs))
        print_message(f"llmsize: {message}")
    return code


def _jobs(args: argparse.Namespace) -> tuple[list[Job], Collection[ConfigError]]:
    """The files to rewrite, and the errors of paths and settings.

    Raises:
        ConfigError: the path of ``--assets`` is empty.
    """
    from sphinx_llmsize.update.files_to_update import markdown_files

    if args.assets == "":  # perhaps a shell variable that isn't set
        raise ConfigError(_("the path of --assets is empty"), Problem.OPTION)
    assets = Path(os.path.abspath(args.assets)) if args.assets else None
    argument_settings = Settings(args.flavor or "", args.diagram or "", assets)
    jobs: list[Job] = []
    # by their text: a mistake in the settings of a folder is printed once, not for each file in it
    errors: dict[str, ConfigError] = {}
    for found in markdown_files(args.paths, args.exclude):
        try:
            if isinstance(found, ConfigError):
                raise found
            jobs.append(_job(found, argument_settings))
        except ConfigError as error:
            errors.setdefault(f"{error.file}:{error.line}: {error}", error)
    return jobs, errors.values()


def _job(path: Path, argument_settings: Settings) -> Job:
    """A file to rewrite, with the settings of the arguments or else those of its folder.

    Raises:
        ConfigError: the settings or the site's configuration can't be used.
    """
    from sphinx_llmsize.update.rewritten_files import Job

    folder_settings = settings_of(Path(os.path.abspath(path)).parent)
    settings = argument_settings.with_defaults(folder_settings)
    return Job(path, _site(path, settings.flavor), settings.pictures_folder)


def _update(
    rewritten: RewrittenFile, write: Callable[[str], None], *, is_check: bool
) -> tuple[int, int]:
    """Write a file and its pictures, or check them; return the exit code and number of regions.

    Args:
        rewritten: the file with its new text.
        write: function that prints a text.
        is_check: True to only report differences.
    """
    from sphinx_llmsize.update import files_to_update

    path, result = rewritten.path, rewritten.result
    for error in result.errors:
        print_error(error, path)
    if result.errors:
        return BAD_INPUT, result.regions
    pictures = {file: svg for file, svg in result.pictures.items() if _differs(file, svg)}
    if is_check:
        old, new = (text.decode("utf-8") for text in (rewritten.content, rewritten.new_content))
        return _check(pictures, _difference(path, old, new), write), result.regions
    try:
        for file, svg in pictures.items():
            files_to_update.write(file, svg.encode(), follows_links=False)
            write(f"{shown_path(file)}: " + _("written"))
        if result.stale:
            files_to_update.write(path, rewritten.new_content)
            write(_summary(path, result.stale))
    except ConfigError as error:
        print_error(error, path)
        return BAD_INPUT, result.regions
    return 0, result.regions


def _check(
    pictures: Iterable[Path], difference: Iterable[str], write: Callable[[str], None]
) -> int:
    """Print the pictures that aren't up to date and a file's difference; return the exit code."""
    lines = [f"{shown_path(file)}: " + _("not up to date") for file in pictures]
    lines += difference
    if lines:
        write("\n".join(lines))
    return DIFFERENT if lines else 0


def _site(path: Path, flavour: str) -> Site:
    """The file's site; the flavour from the settings, if there is one, replaces its own.

    Raises:
        ConfigError: the site's configuration can't be read.
    """
    from sphinx_llmsize.update.sites import site_of

    site = site_of(Path(os.path.abspath(path)))
    return replace(site, flavour=FLAVOURS[flavour]) if flavour else site


def _summary(path: Path, stale: int) -> str:
    """Message on the number of regions that were stale."""
    one, many = "{file}: {number} region updated", "{file}: {number} regions updated"
    return ngettext(one, many, stale, file=shown_path(path), number=stale)


def _difference(path: Path, old: str, new: str) -> Iterator[str]:
    """Lines of a unified diff, which ``git apply`` and ``patch`` accept.

    Control characters, which a terminal would execute, become escapes; tabs and line ends remain.
    """
    shown = shown_path(path).lstrip("/")
    for line in unified_diff(_lines(old), _lines(new), f"a/{shown}", f"b/{shown}"):
        content, newline, _rest = line.partition("\n")
        carriage_return = "\r" if content.endswith("\r") else ""
        pieces = content.removesuffix("\r").split("\t")
        yield "\t".join(map(visible, pieces)) + carriage_return
        if not newline:
            yield r"\ No newline at end of file"


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends; as in diffs, only a line feed ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _differs(path: Path, text: str) -> bool:
    """True if a file does not have this text."""
    try:
        return path.read_bytes() != text.encode()
    except OSError:
        return True
