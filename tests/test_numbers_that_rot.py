"""The page "Numbers that rot": its shown commands print what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "numbers-that-rot.md"
BLOCK = re.compile(r"^```\{code-block\} (\w+)\n(?::caption: [^\n]*\n\n)?(.*?)^```$", re.M | re.S)


def test_shown_commands_print_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (language, readme), *sessions = BLOCK.findall(PAGE.read_text("utf-8"))
    assert language == "markdown"
    monkeypatch.chdir(tmp_path)
    file = Path("README.md")
    file.write_text(readme, "utf-8")
    codes = []
    for _console, session in sessions:
        command, shown = session.split("\n", 1)
        if "--check" in command:
            text = file.read_text("utf-8")
            row = next(line for line in text.split("\n") if line.startswith("| Llama 3.1 405B"))
            file.write_text(text.replace(row, row.replace("61.5", "123")), "utf-8")
        codes.append(main(command.removeprefix("$ llmsize ").split()))
        assert capsys.readouterr().out.rstrip() == shown.rstrip(), command
    assert codes == [0, 1, 0]


def test_the_typed_table_is_that_of_16_heads() -> None:
    row = r"^\| {} \| (\S+) GB \| (\S+)(?: GB)? \| \**(\S+) GB\** \|$"
    text = PAGE.read_text("utf-8")
    for size, heads in (("8B", 8), ("70B", 8), ("405B", 16)):
        found = re.search(row.format(size), text, re.M)
        assert found
        model = load(f"llama-3.1-{size.lower()}", {"num_kv_heads": heads})
        for tokens, typed in zip((1024, 16_000, 128_000), found.groups(), strict=True):
            # two or three decimals, which the post mostly cut off
            assert abs(model.cache_elements(tokens) * 2 / 2**30 - float(typed)) < 0.01
