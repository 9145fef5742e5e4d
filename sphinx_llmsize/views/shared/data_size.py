"""Sizes in bytes, with units, and bits per number of each data type.

For interactive pages (see :mod:`sphinx_llmsize.traced`), ``html/explorer/explorer.mjs`` has a
JavaScript function of the same name for each function here that is ``@traceable`` or passed to
``text_of``. Such functions only take arguments that JavaScript can read: numbers, or the text of a
unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from sphinx_llmsize.blocks import Cell, cell
from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.formats import aligned, decimal, thousands, three_digits
from sphinx_llmsize.marks import has_marks, without_marks
from sphinx_llmsize.traced import text_of, traceable
from sphinx_llmsize.translation import N_, _, plain_digits

DTYPES: dict[str, int] = {
    "fp32": 32,
    "float32": 32,
    "bf16": 16,
    "bfloat16": 16,
    "fp16": 16,
    "float16": 16,
    "fp8": 8,
    "int8": 8,
    "int4": 4,
}
"""Bits per number of each data type."""
DECIMAL = {f"{prefix}B": 1000**power for power, prefix in enumerate("kMGT", start=1)}
"""Bytes in kB, MB, GB and TB: powers of 1000."""
BINARY = {f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", start=1)}
"""Bytes in KiB, MiB, GiB and TiB: powers of 1024."""
UNITS_BY_BASE = {1000: DECIMAL, 1024: BINARY}
"""The two systems of units, each from its smallest unit to its largest."""
UNITS: dict[str, int] = {"bytes": 1, **DECIMAL, **BINARY}
"""Bytes in each unit."""
COLUMN_UNITS = ("GB", "MB", "kB")
"""Units of columns, the largest first; not TB, since the memory of devices is in GB."""
MAX_BITS = 64
"""Maximum number of bits per weight."""
MAX_DIGITS = 8
"""Maximum number of digits in bits per weight."""
SMALLEST = Fraction(1, 100)
"""Smallest number in a column, except 0; the unit is smaller if a number would be below it."""


def bits_of(dtype: str) -> Fraction:
    """Bits per number of a data type, or the bits themselves, such as ``4.5``.

    Raises:
        ConfigError: the text is neither.
    """
    if dtype in DTYPES:
        return Fraction(DTYPES[dtype])
    # checked first, since Fraction also reads signs, exponents and ratios
    digits = dtype.replace(".", "", 1)
    if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS:
        bits = Fraction(dtype)
        if 0 < bits <= MAX_BITS:
            return bits
    raise unknown_word(N_("unknown data type {name}"), dtype, (*DTYPES, "4.5"), Problem.NUMBER)


def dtype_text(dtype: str) -> str:
    """The name of a data type, or ``4.5 bits``."""
    return dtype if dtype in DTYPES else _("{number} bits", number=decimal(bits_of(dtype)))


def bytes_of(count: int | Fraction, dtype: str) -> Fraction:
    """Bytes that a number of weights or cached elements takes in a data type."""
    return count * bits_of(dtype) / 8


def size_text(size: Fraction, base: int = 1000) -> str:
    """``13.5 GB`` or, for a base of 1024, ``12.6 GiB``; a size below the base is in bytes.

    The unit is the largest one that gives a number of at least 1.
    """
    return size_in(size, "bytes") if size < base else _size_text(size, base)


@traceable
def _size_text(size: Fraction, base: int) -> str:
    """The text of a size that is not below the base."""
    return size_in(size, _unit_of(size, base))


@traceable
def size_sign(size: Fraction, base: int) -> str:
    """``=`` if the text of a size in units of this base, 1000 or 1024, is exact; else ``≈``."""
    unit = UNITS[_unit_of(size, base)]
    shown = Fraction(plain_digits(three_digits(size / unit)))
    return "=" if shown * unit == size else "≈"


def _unit_of(size: Fraction, base: int) -> str:
    """``GB``: the largest unit that gives a number of at least 1; bytes if there is none."""
    for unit, size_of_unit in reversed(UNITS_BY_BASE[base].items()):
        if size >= size_of_unit:
            return unit
    return "bytes"


def unit_of_column(sizes: Sequence[Fraction]) -> str:
    """The largest unit in which one size is at least 1, and each except 0 at least 0.01.

    It is ``bytes`` if there is none. Its letter is marked if a size is traced.
    """
    if not _fits(COLUMN_UNITS[-1], sizes):
        return "bytes"
    letter = text_of(_letter_of_unit, sizes)
    return f"{letter}B"


def _letter_of_unit(sizes: Sequence[Fraction]) -> str:
    """``G`` for a column in GB: an interactive page replaces it alone."""
    unit = next(unit for unit in COLUMN_UNITS if _fits(unit, sizes))
    return unit[0]


def _fits(unit: str, sizes: Sequence[Fraction]) -> bool:
    """True if one size is at least the unit, and each except 0 at least a hundredth of it."""
    if not any(size >= DECIMAL[unit] for size in sizes):
        return False
    least = DECIMAL[unit] * SMALLEST
    return all(size >= least or not size for size in sizes)


def sizes_in(sizes: Sequence[Fraction], unit: str) -> list[str]:
    """``26.95``, ``3.37``: the sizes in a unit, with equal decimal places; bytes are whole.

    Args:
        sizes: sizes in bytes.
        unit: one of :data:`UNITS`, or the result of :func:`unit_of_column`.
    """
    if unit == "bytes":
        return aligned([ceil(size) for size in sizes])
    return _in_unit(sizes, unit if has_marks(unit) else UNITS[unit])


@traceable
def _in_unit(sizes: Sequence[Fraction], unit: int | str) -> list[str]:
    """The sizes in a unit: its number of bytes or, if readers can change it, its marked text."""
    bytes_of_unit = unit if isinstance(unit, int) else UNITS[without_marks(unit)]
    return aligned([size / bytes_of_unit for size in sizes])


def size_in(size: Fraction, unit: str) -> str:
    """The size in a unit, to three significant digits; bytes are whole, rounded up."""
    if unit == "bytes":
        count = ceil(size)
        return _("1 byte") if count == 1 else _("{number} bytes", number=count)
    return f"{three_digits(size / UNITS[unit])} {unit}"


def size_texts(size: Fraction) -> tuple[str, ...]:
    """``2.15 GB`` and ``2.00 GiB``; only one text, in bytes, if the size is below 1 kB."""
    bases = UNITS_BY_BASE if size >= DECIMAL["kB"] else (1000,)
    return tuple(size_text(size, base) for base in bases)


def size_cell(size: Fraction) -> Cell:
    """``2.15 GB`` with ``2.00 GiB`` below it."""
    return cell(*size_texts(size))


def bytes_cell(size: Fraction) -> Cell:
    """``2,147,483,648``: an exact size, rounded up to whole bytes.

    Estimates have no such cell: their three digits in GB are all that is known.
    """
    return cell(thousands(ceil(size)))
