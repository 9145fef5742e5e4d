"""Build pages with numbers by the role, and with the same numbers typed; print the ratio."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import cycle, islice, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from markup import MARKUPS, Markup
from projects import write_conf, write_pages
from reader import same_content
from whole_process import in_turn

from sphinx_llmsize import load
from sphinx_llmsize.views.numbers.role_text import role_text

MODELS = ("gpt2", "llama-7b", "llama-3-8b", "llama-3.1-405b", "mixtral-8x7b", "deepseek-v3")
FIGURES = ("", ":total:short", ":attention:share", ":hidden_dim", ":weights:bf16", " / gpt2")
IN_PARAGRAPH = 10

Number = Callable[[str], str]
"""Function that writes a number, from the role's text."""


def typed(text: str) -> str:
    """The number as the role shows it."""
    return role_text(text, lambda wanted: load(wanted.model))


WRITTEN: dict[str, Callable[[Markup], Number]] = {
    "role": lambda markup: lambda text: markup.role("llm-size", text),
    "typed": lambda _markup: typed,
}


def main() -> None:
    """Measure each chosen markup language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uses", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markup", nargs="+", choices=["rst", "md"], default=["rst", "md"])
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        for name in wanted.markup:
            root = Path(folder, name)
            for way in WRITTEN:
                write_project(root / way, MARKUPS[name], way, wanted.uses, wanted.pages)
            measure(root, name, wanted.rounds)
            print("  both show:", dict(same_content(root, WRITTEN, wanted.pages, "paragraphs")))


def write_project(folder: Path, markup: Markup, way: str, uses: int, pages: int) -> None:
    """Write paragraphs of sentences with numbers; both projects load the extension."""
    number = WRITTEN[way](markup)
    texts = [f"{model}{figure}" for model, figure in product(MODELS, FIGURES)]
    sentences = [f"One of its numbers is {number(text)}, as counted." for text in texts]
    shown = list(islice(cycle(sentences), uses))
    paragraphs = [[*shown[at : at + IN_PARAGRAPH], ""] for at in range(0, uses, IN_PARAGRAPH)]
    folder.mkdir(parents=True)
    write_conf(folder, ("sphinx_llmsize", *markup.extensions), markup.settings)
    write_pages(folder, markup, paragraphs, pages)


def measure(root: Path, name: str, rounds: int) -> None:
    """Print the median processor seconds of each way, built in turn, and the ratio."""
    seconds = in_turn(root, WRITTEN, rounds)
    role, words = (median(times) for times in seconds.values())
    print(f"{name}: role {role:.2f} s, typed {words:.2f} s, ratio {role / words:.2f}")


if __name__ == "__main__":
    main()
