"""Blocks of an architecture with numbers in place of symbols, to compare what they compute."""

from __future__ import annotations

from sphinx_llmsize.algebra import Number, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.parts import map_sizes
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.symbols import Length


def block_in_numbers(block: Block, architecture: Architecture) -> Block:
    """A block of an architecture with numbers in place of symbols in all sizes."""
    return map_sizes(block, lambda size: number_of(size, architecture))


def number_of(size: Size, architecture: Architecture) -> Size:
    """A size as a number; sizes that depend on sequence lengths stay as they are."""
    has_length = any(isinstance(symbol, Length) for symbol in size.symbols())
    return size if has_length else Number(architecture.count(size))
