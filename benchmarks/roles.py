"""Build pages with numbers by the role, and with the same numbers typed; print the ratio."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import cycle, islice, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markup import MARKUPS, Markup
from page_contents import compare_pages
from projects import write_conf, write_pages
from sphinx_builds import time_builds

from sphinx_llmsize import load
from sphinx_llmsize.views.numbers.role_text import role_text

MODELS = ("gpt2", "llama-7b", "llama-3-8b", "llama-3.1-405b", "mixtral-8x7b", "deepseek-v3")
NUMBERS = ("", ":total:short", ":attention:share", ":hidden_dim", ":weights:bf16", " / gpt2")
"""Numbers of a model, as in the text of the role after the model's name."""
IN_PARAGRAPH = 10
"""Sentences in a paragraph."""


def with_role(text: str, markup: Markup) -> str:
    """A number by the role."""
    return markup.role("llm-size", text)


def typed_number(text: str, _markup: Markup) -> str:
    """A number as the role with this text shows it."""
    return role_text(text, lambda number: load(number.model))


WAYS: dict[str, Callable[[str, Markup], str]] = {"role": with_role, "typed": typed_number}
"""Functions that write a number, from the role's text."""


def main() -> None:
    """Measure each chosen markup language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markup", nargs="+", choices=["rst", "md"], default=["rst", "md"])
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        for name in args.markup:
            root = Path(folder, name)
            for way in WAYS:
                write_project(root / way, MARKUPS[name], way, args.uses, args.pages)
            measure(root, name, args.rounds)
            counts = compare_pages(root, WAYS, args.pages, required="paragraphs")
            print("  both show:", dict(counts))


def write_project(folder: Path, markup: Markup, way: str, uses: int, pages: int) -> None:
    """Write paragraphs of sentences with numbers; both projects load the extension."""
    write_number = WAYS[way]
    texts = [f"{model}{number}" for model, number in product(MODELS, NUMBERS)]
    numbers = [write_number(text, markup) for text in texts]
    repeated = islice(cycle(numbers), uses)
    sentences = [f"One of its numbers is {number}, as counted." for number in repeated]
    starts = range(0, uses, IN_PARAGRAPH)
    paragraphs = [[*sentences[start : start + IN_PARAGRAPH], ""] for start in starts]
    folder.mkdir(parents=True)
    write_conf(folder, ("sphinx_llmsize", *markup.extensions), markup.settings)
    write_pages(folder, markup, paragraphs, pages)


def measure(root: Path, name: str, rounds: int) -> None:
    """Print the median processor seconds of each way, built in turn, and the ratio."""
    seconds = time_builds(root, WAYS, rounds)
    role, typed = median(seconds["role"]), median(seconds["typed"])
    print(f"{name}: role {role:.2f} s, typed {typed:.2f} s, ratio {role / typed:.2f}")


if __name__ == "__main__":
    main()
