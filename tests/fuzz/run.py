"""One target under libFuzzer: ``python -m fuzz.run body -runs=1000``; see its own options."""

from __future__ import annotations

import sys
from random import Random

import atheris

with atheris.instrument_imports(include=["sphinx_llmsize"]):
    from sphinx_llmsize.architecture.families import all_families
    from sphinx_llmsize.views import VIEWS, view

    all_families()  # imported when first asked for, which would be outside of this block
    for name in VIEWS:
        view(name)
    from fuzz.targets import TARGETS

from fuzz.inputs import changed

_OWN_CHANGES = 0.6
"""Share of inputs mutated by words; libFuzzer mutates the others by bytes."""


def main(arguments: list[str]) -> None:
    """Fuzz; libFuzzer ends the process, with 77 when it has found something."""
    program, name, *rest = arguments

    def change(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() > _OWN_CHANGES:
            return bytes(atheris.Mutate(data, most))
        text = data.decode("utf-8", "surrogateescape")
        return changed(text, name, random).encode("utf-8", "surrogateescape")[:most]

    atheris.Setup([program, *rest], TARGETS[name], custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
