"""Reading of configuration files; only small, regular files are accepted."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path

from sphinx_llmsize.errors import NEARLY_EQUAL, ConfigError, Problem, did_you_mean
from sphinx_llmsize.translation import _

CONFIG_FILE = "config.json"
"""Name of the configuration in the folder of a model."""
CONFIG_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".py", ".txt"})
"""Suffixes of configuration files; a name with one is a path, even if there is no such file."""
MAX_BYTES = 1_000_000
"""Size limit of a configuration, which usually has a few kilobytes."""
MAX_SHOWN = 100
"""Maximum number of characters of a path in a message."""
MAX_NAMES = 1000
"""Maximum number of file names searched for one similar to a missing file's name."""
WEIGHT_SUFFIXES = re.compile("[.](gguf|ggml|safetensors|bin|pt|pth|ckpt|onnx|npz)")
"""Suffixes of files with a model's weights."""
WEIGHT_STARTS = (b"GGUF", b"PK\x03\x04", b"\x80\x02", b"\x80\x04", b"\x89HDF")
"""First bytes of files with weights: GGUF, PyTorch's zip files and pickles, HDF5."""


class WeightsError(ValueError):
    """The file holds weights, not a configuration."""

    def __init__(self) -> None:
        super().__init__(_("it holds weights, not a configuration"))


def config_path(text: str) -> Path | None:
    """Configuration file for a text: the path of the file or of its folder; None for other texts.

    A text with the suffix of a configuration is a path even if there is no such file.
    """
    if not text:  # an empty path would be the current folder
        return None
    path = Path(text)
    # unlike Path.is_file, os.path.isfile accepts a name that is too long for a file
    if os.path.isfile(path / CONFIG_FILE):
        return path / CONFIG_FILE
    return path if path.suffix in CONFIG_SUFFIXES or os.path.isfile(path) else None


def read_regular(path: Path) -> bytes:
    """Read the bytes of a regular file.

    Raises:
        ValueError: it is not a regular file, or too large; WeightsError if it holds weights.
        OSError: it cannot be opened or read.
    """
    # the file is opened before its status is checked, so that it cannot be replaced in between
    with open(path, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(_("it is not a regular file"))
        start = file.read(9)  # as many bytes as _is_weights needs
        if WEIGHT_SUFFIXES.fullmatch(path.suffix.lower()) or _is_weights(start):
            raise WeightsError
        if status.st_size > MAX_BYTES:
            size = status.st_size
            raise ValueError(_("{number} bytes is too large for a configuration", number=size))
        return start + file.read(MAX_BYTES)  # bounded in case the file has grown


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; a FIFO too, for whose writer a build would otherwise wait for ever."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _is_weights(start: bytes) -> bool:
    """True for the first bytes of a file with weights.

    Safetensors begins with the size of its header in 8 bytes, and a brace.
    """
    return start.startswith(WEIGHT_STARTS) or (start[8:] == b"{" and b"\0" in start[:8])


def fingerprint(path: Path) -> str:
    """Digest of a file's content, or the reason why it cannot be read."""
    try:
        return digest(read_regular(path))
    except (OSError, ValueError) as error:
        return reason_of(error)


def digest(content: bytes) -> str:
    """Hash of bytes as 32 hexadecimal digits."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def did_you_mean_beside(path: Path) -> str:
    """Hint such as ``did you mean 'config.json'?``; empty without a file of similar name."""
    try:
        names = sorted(os.listdir(path.parent))[:MAX_NAMES]
    except OSError:
        return ""
    others = (name for name in names if name != path.name)  # a broken link has the name itself
    # NEARLY_EQUAL: a similar suffix isn't enough
    return did_you_mean(path.name, others, NEARLY_EQUAL)


def unreadable(name: str, reason: str, hint: str = "") -> ConfigError:
    """Error for a configuration file that cannot be read; of a long path, the end is shown."""
    shown = repr(name if len(name) <= MAX_SHOWN else f"…{name[1 - MAX_SHOWN :]}")
    message = _("cannot read configuration file {name}: {reason}", name=shown, reason=reason)
    return ConfigError(message, Problem.FILE, hint)


def reason_of(error: OSError | ValueError) -> str:
    """Reason why a file cannot be read, in words that can end a sentence."""
    if isinstance(error, UnicodeDecodeError):
        return _("it is not UTF-8 text")
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)


def is_within(path: str, folder: str) -> bool:
    """True if a path is the folder or inside it; both are absolute and normalised."""
    try:
        return os.path.commonpath((path, folder)) == folder
    except ValueError:  # on different drives
        return False
