"""Formats of numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sphinx_llmsize.formats import AnyNumber, in_words, percent, short, significant, trimmed


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (999, "999"),
        (999_499, "999K"),
        (999_500, "1.00M"),
        (6_738_415_616, "6.74B"),
        (405_853_388_800, "406B"),
        (1_500 * 10**12, "1500T"),
        # more digits than a float has
        (12 * 10**33 + 2 * 10**18, "12000000000000002000000T"),
        (Fraction(8_030_261_248, 20), "402M"),
        (Fraction(1, 3), "0.33"),
        (Fraction(9995, 10), "1.00K"),
        (99_950, "100K"),
        (-6_738_415_616, "-6.74B"),
        (-999, "-999"),
        (Fraction(1, 1000), "0.001"),
        (Fraction(1, 10**400), "<0.000001"),
        (Fraction(123, 10**5), "0.00123"),
        (Fraction(-1, 10**9), "-<0.000001"),
        (0, "0"),
        (10**400, f"{10**388}T"),
    ],
)
def test_three_digits_and_a_unit(number: AnyNumber, text: str) -> None:
    assert short(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (6_738_415_616, "6.7 billion"),
        (405_853_388_800, "406 billion"),
        (10**30 + 10**12, "1000000000000000001 trillion"),
        (Fraction(6_738_415_616, 3), "2.2 billion"),
        (-6_738_415_616, "-6.7 billion"),
        (Fraction(4, 1000), "0.004"),
        (Fraction(-1, 10**9), "-<0.000001"),
        (Fraction(5, 2), "2.5"),
    ],
)
def test_two_digits_in_words(number: AnyNumber, text: str) -> None:
    assert in_words(number) == text


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (Fraction(879, 100), "8.79"),
        (Fraction(9_995, 1000), "10"),
        (Fraction(-5, 10**9), "-<0.000001"),
        (Fraction(1, 3), "0.33"),
        (Fraction(-12_345, 10), "-1,235"),
        (10**300, f"{10**300:,}"),
        (2.0**0.5, "1.41"),
        (-70.6, "-70.6"),
    ],
)
def test_significant_digits_are_exact(number: AnyNumber, written: str) -> None:
    assert significant(number) == written


@pytest.mark.parametrize(
    ("fraction", "written"),
    [
        (0.9561, "95.6%"),
        (Fraction(1, 3), "33.3%"),
        (1, "100.0%"),
        (0, "0.0%"),
        (Fraction(1, 10**6), "<0.1%"),
        (Fraction(1, 2000), "0.1%"),
        (Fraction(1, 2001), "<0.1%"),
        (1 - Fraction(1, 10**6), ">99.9%"),
        (-0.0001, "0.0%"),
        (-0.5, "-50.0%"),
        (Fraction(10**300, 3), f"{'3' * 302}.3%"),
    ],
)
def test_percentages(fraction: float | Fraction, written: str) -> None:
    assert percent(fraction) == written


@pytest.mark.parametrize(
    ("number", "written"), [(1234.5, "1,234.5"), (Fraction(1, 3), "0.333"), (-1000, "-1,000")]
)
def test_no_trailing_zeros(number: AnyNumber, written: str) -> None:
    assert trimmed(number, 3) == written
