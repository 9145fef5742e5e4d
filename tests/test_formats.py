"""Numbers as people read them."""

from __future__ import annotations

import pytest

from sphinx_llmsize.formats import in_words, short


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (999, "999"),
        (999_499, "999K"),
        (999_500, "1.00M"),
        (6_738_415_616, "6.74B"),
        (405_853_388_800, "406B"),
        (1_500 * 10**12, "1500T"),
        # more digits than a float has
        (12 * 10**33 + 2 * 10**18, "12000000000000002000000T"),
    ],
)
def test_three_digits_and_a_unit(number: int, said: str) -> None:
    assert short(number) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (6_738_415_616, "6.7 billion"),
        (405_853_388_800, "406 billion"),
        (10**30 + 10**12, "1000000000000000001 trillion"),
    ],
)
def test_two_digits_as_one_says_them(number: int, said: str) -> None:
    assert in_words(number) == said
