"""Version of the extension's data; Sphinx rereads all pages when it changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

import sphinx_llmsize
from sphinx_llmsize.template_files import checkout_folder


@cache
def env_version(project: str = "") -> int:
    """Hash of the extension's version and, in a checkout, of its files' times and sizes.

    Args:
        project: fingerprint of the project's own message catalogue.
    """
    version = blake2b(f"{sphinx_llmsize.__version__} {project}".encode(), digest_size=6)
    for path in _files_of_checkout():
        status = os.stat(path)
        version.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode())
    return int.from_bytes(version.digest(), "big")


def _files_of_checkout() -> Iterator[str]:
    """Paths of all files of the extension in a checkout; none if it is installed."""
    templates = checkout_folder()
    if templates is None:
        return
    for top in (templates, Path(sphinx_llmsize.__file__).parent):
        for folder, folders, files in os.walk(top):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            yield from (os.path.join(folder, file) for file in sorted(files))
