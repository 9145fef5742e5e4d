"""Command ``llmsize assets``: writes the stylesheet and the script as files for a site."""

from __future__ import annotations

import argparse
from pathlib import Path

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.sources.files import reason_of
from sphinx_llmsize.translation import _


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [FOLDER]"
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="Folder of the files. Default: ."
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> str:
    """Write the files and return a message.

    Raises:
        ConfigError: a file can't be written.
    """
    from sphinx_llmsize.html.interactive_page import SCRIPT, script, styles
    from sphinx_llmsize.html.stylesheet import STYLESHEET, stylesheet

    files = {STYLESHEET: f"{stylesheet()}\n{styles()}", SCRIPT: script()}
    folder = Path(args.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        message = _("cannot write {file}: {reason}", file=args.folder, reason=reason_of(error))
        raise ConfigError(message, Problem.FILE) from None
    written = ", ".join(visible(str(folder / name)) for name in files)
    return _("{files} written", files=written)
