"""One target with libFuzzer, in a process of its own."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from random import Random
from typing import NoReturn

import atheris

with redirect_stderr(StringIO()), atheris.instrument_imports(include=["sphinx_llmsize"]):
    from sphinx_llmsize.architecture.families import all_families
    from sphinx_llmsize.views import VIEWS, view

    # imported lazily otherwise, without instrumentation
    all_families()
    for name in VIEWS:
        view(name)
    from fuzz.targets import TARGETS

from fuzz.inputs import DRAWS, changed

SEEDS = 200
"""Random inputs of a new corpus."""
_CHANGED_BY_WORDS = 0.6
"""Share of inputs that are changed by words; libFuzzer changes bytes of the others."""


def start(target: str, options: list[str], log: Path) -> int:
    """Fuzz this target in a copy of this process, since instrumenting takes seconds.

    Returns the id of the copy. It writes its output to ``log``; it exits with 77 if an input fails.
    """
    process = os.fork()
    if not process:
        with log.open("wb") as file:
            for output in (1, 2):
                os.dup2(file.fileno(), output)
        _fuzz(target, options)
    return process


def _fuzz(target: str, options: list[str]) -> NoReturn:
    """Fuzz until libFuzzer ends the process."""

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() > _CHANGED_BY_WORDS:
            return bytes(atheris.Mutate(data, max_size))
        text = data.decode("utf-8", "surrogateescape")
        return changed(text, target, random).encode("utf-8", "surrogateescape")[:max_size]

    atheris.Setup(["fuzz", *options], TARGETS[target], custom_mutator=change)
    sys.exit(atheris.Fuzz())


def write_seeds(target: str, corpus: Path) -> None:
    """Write a new corpus."""
    corpus.mkdir(parents=True)
    random = Random(target)
    for number in range(SEEDS):
        text = DRAWS[target](random)
        (corpus / f"seed{number}").write_bytes(text.encode("utf-8", "replace"))
