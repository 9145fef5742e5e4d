"""Bytes: how large numbers of a type are, and in which unit they are told."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import significant, thousands

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
"""Bits of each number."""
UNITS: dict[str, int] = {
    "bytes": 1,
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGT", start=1)},
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", start=1)},
}
"""KB, MB, GB are powers of 1000; KiB, MiB, GiB of 1024."""
MAX_BITS = 64


def bits_of(dtype: str) -> Fraction:
    """The bits of a type, or the number that is written in its place (``4.5``).

    Raises:
        ConfigError: it is neither.
    """
    if dtype in DTYPES:
        return Fraction(DTYPES[dtype])
    digits = dtype.replace(".", "", 1)
    if digits.isascii() and digits.isdigit() and len(digits) < 9:  # noqa: PLR2004 - no exponents
        bits = Fraction(dtype)
        if 0 < bits <= MAX_BITS:
            return bits
    hint = did_you_mean(dtype, DTYPES) or f"one of {', '.join(DTYPES)}, or bits such as 4.5"
    raise ConfigError(f"unknown type of numbers {dtype[:60]!r}", Problem.FIGURE, hint)


def size_text(size: Fraction) -> str:
    """``13.5 GB``: in the largest decimal unit of which there is at least one."""
    units = [unit for unit in ("TB", "GB", "MB", "KB") if size >= UNITS[unit]]
    return size_in(size, units[0] if units else "bytes")


def size_in(size: Fraction, unit: str) -> str:
    """The size in a unit, to three digits; bytes to the last one."""
    if unit == "bytes":
        return f"{thousands(-(-size.numerator // size.denominator))} bytes"
    return f"{significant(size / UNITS[unit])} {unit}"
