"""Rewriting of many files, shared by several processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.update import files_to_update
from sphinx_llmsize.update.rewrite import RewriteResult, rewrite
from sphinx_llmsize.update.sites import Site

FEW_FILES = 40
"""Number of files up to which one process is as fast as several."""
BATCH_FILES = 10
"""Number of files that a process gets at a time.

Larger batches need less communication; smaller ones keep all processes busy until the end.
"""


@dataclass(frozen=True)
class Job:
    """A file to rewrite.

    Attributes:
        path: the file.
        site: its site, with the flavour of Markdown.
        pictures_folder: folder of the SVG files; None for Mermaid.
    """

    path: Path
    site: Site
    pictures_folder: Path | None


@dataclass(frozen=True)
class RewrittenFile:
    """A file with its old and its new text.

    Attributes:
        path: the file.
        content: its content; empty if it can't be read.
        result: result of rewriting it, with its mistakes.
        byte_order_mark: byte order mark at its beginning; empty without one.
    """

    path: Path
    content: bytes
    result: RewriteResult
    byte_order_mark: bytes = b""

    @property
    def new_content(self) -> bytes:
        """The content to write."""
        return self.byte_order_mark + self.result.text.encode("utf-8")


def rewrite_files(jobs: Sequence[Job]) -> Iterator[RewrittenFile]:
    """Rewrite files that have markers, in their order; several processes share many files.

    On two cores, several processes halve the time for 1,000 tables of different models.
    """
    processes = os.cpu_count() or 1
    if len(jobs) <= FEW_FILES or processes == 1:
        yield from filter(None, map(_rewrite_file, jobs))
        return
    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        yield from filter(None, pool.map(_rewrite_file, jobs, chunksize=BATCH_FILES))


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process; the main process handles it and stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _rewrite_file(job: Job) -> RewrittenFile | None:
    """Rewrite a file; None for one without markers."""
    content = b""
    try:
        content = files_to_update.read(job.path)
        if not files_to_update.may_have_markers(content):
            return None
        byte_order_mark, text = files_to_update.decode(content)
    except ConfigError as error:
        return RewrittenFile(job.path, content, RewriteResult("", errors=(error,)))
    path = Path(os.path.abspath(job.path))
    result = rewrite(text, path, job.site, job.pictures_folder)
    return RewrittenFile(job.path, content, result, byte_order_mark)
