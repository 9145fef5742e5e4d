"""One target with libFuzzer and its options: ``python -m fuzz.run body -runs=1000``."""

from __future__ import annotations

import sys
from random import Random

import atheris

with atheris.instrument_imports(include=["sphinx_llmsize"]):
    from sphinx_llmsize.architecture.families import all_families
    from sphinx_llmsize.views import VIEWS, view

    # imported lazily otherwise, without instrumentation
    all_families()
    for name in VIEWS:
        view(name)
    from fuzz.targets import TARGETS

from fuzz.inputs import changed

_CHANGED_BY_WORDS = 0.6
"""Share of inputs that are changed by words; libFuzzer changes bytes of the others."""


def main(arguments: list[str]) -> None:
    """Fuzz until libFuzzer ends the process; its exit code is 77 if an input failed."""
    program, name, *rest = arguments

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() > _CHANGED_BY_WORDS:
            return bytes(atheris.Mutate(data, max_size))
        text = data.decode("utf-8", "surrogateescape")
        return changed(text, name, random).encode("utf-8", "surrogateescape")[:max_size]

    atheris.Setup([program, *rest], TARGETS[name], custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
