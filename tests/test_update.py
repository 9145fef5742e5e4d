"""``llmsize update``: regions of Markdown files, as people write them."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from project import make_fifo

from sphinx_llmsize.cli import main
from sphinx_llmsize.update.rewritten_files import FEW_FILES

MINE = "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 100"
MINE_TOTAL = "111,104"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs the command in a folder; it returns the code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(("update", *arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def page(text: str, name: str = "README.md") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


NO_MARKERS = "llmsize: no markers such as <!-- llm-size: llama-7b --> in 1 file\n"


def updated(run: Run, text: str, *arguments: str, name: str = "README.md", errors: str = "") -> str:
    """The text of a page after an update, which changes nothing the second time."""
    path = page(text, name)
    code, _out, printed = run(name, *arguments)
    assert (code, printed) == (0, errors)
    written = path.read_bytes()
    assert run(name, *arguments) == (0, "", errors)
    assert path.read_bytes() == written
    assert run(name, "--check", *arguments) == (0, "", errors)
    return written.decode()


def test_numbers_in_a_sentence(run: Run) -> None:
    text = "LLaMA has <!-- llm-size: llama-7b:total -->6B<!-- /llm-size --> parameters.\n"
    assert updated(run, text) == text.replace("6B", "6.74B")


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("llama-7b", "6.74B"),
        ("llama-7b:total:exact", "6,738,415,616"),
        ("llama-7b:mlp:share", "64.2%"),
        ("llama-3-70b / llama-3-8b", "8.79×"),
        ("llama-7b?num_layers=40:hidden_dim", "4,096"),
        ("llama-7b:weights:bf16", "13.5 GB"),
    ],
)
def test_every_number_of_the_role(wanted: str, shown: str, run: Run) -> None:
    text = f"a <!-- llm-size: {wanted} --><!-- /llm-size --> b"
    assert f"-->{shown}<!--" in updated(run, text)


@pytest.mark.parametrize(
    "line",
    [
        "# A heading of {} ##",
        "- an item\n  with {} in it",
        "> a quote\n> of {}, wide\nand lazy {}",
        "| a |\n|---|\n| {} |",
        "<td>{}</td>",
        "**{}** and [{}](https://example.org)",
        "{} begins the line",
        "\ta\tb {} in code, but not\n{}",
    ],
)
def test_numbers_stand_anywhere_in_text(line: str, run: Run) -> None:
    marked = "<!-- llm-size: gpt2 -->{}<!-- /llm-size -->"
    fresh = line.replace("{}", marked.format("")).replace("\ta\tb ", "a\tb ")
    assert updated(run, fresh) == fresh.replace(marked.format(""), marked.format("124M"))


def test_blocks_between_lines(run: Run) -> None:
    text = "Before\n\n<!-- llm-size: gpt2 show=table,formula -->\nold\n<!-- /llm-size -->\nAfter\n"
    made = updated(run, text)
    assert made.startswith(
        "Before\n\n<!-- llm-size: gpt2 show=table,formula -->\n\n**GPT-2 small: "
    )
    assert made.endswith("\n```\n\n<!-- /llm-size -->\nAfter\n")
    assert "| **Total** |  |  |  | **124,439,808** |" in made
    assert "old" not in made
    assert "mermaid" not in made


def test_a_configuration_in_the_marker(run: Run) -> None:
    """The rest of the page can name the model, also above the marker."""
    text = (
        "It has <!-- llm-size: My model:total:exact --><!-- /llm-size --> parameters.\n\n"
        f"<!-- llm-size: My model show=table caption='Sizes'\n{MINE}\n-->\n<!-- /llm-size -->\n\n"
        "<!-- llm-compare: gpt2, My model -->\n<!-- /llm-compare -->\n"
    )
    made = updated(run, text)
    assert f"-->{MINE_TOTAL}<!--" in made
    assert "**Sizes**" in made
    assert "| My model |" in made


def test_a_name_may_contain_the_name_of_an_option(run: Run) -> None:
    page("<!-- llm-size: An interactive model\nmodel_type: gpt2\n-->\n<!-- /llm-size -->\n")
    assert run("README.md") == (0, "README.md: 1 region updated\n", "")


def test_a_preset_with_changed_keys(run: Run) -> None:
    text = "<!-- llm-size: gpt2 show=table\nnum_layers: 24\n-->\n<!-- /llm-size -->\n"
    assert "**GPT-2 small with 24 layers: " in updated(run, text)


def test_a_configuration_file_beside_the_page(run: Run) -> None:
    page(MINE, "docs/models/mine.yaml")
    text = "<!-- llm-size: config=models/mine.yaml show=table -->\n<!-- /llm-size -->\n"
    assert f"**mine: {MINE_TOTAL} parameters**" in updated(run, text, name="docs/page.md")


def test_a_comparison_with_an_undisclosed_model(run: Run) -> None:
    text = (
        "<!-- llm-compare: columns='hidden_dim \"D\", total' sort=-total\n"
        "gpt2\nllama-7b\nGPT-4: {total: undisclosed}\n-->\n<!-- /llm-compare -->\n"
    )
    rows = [line for line in updated(run, text).split("\n") if line.startswith("|")]
    assert rows[0] == "| Model | D | Parameters |"
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["LLaMA 7B", "GPT-2 small", "GPT-4"]


def test_regions_in_lists_and_quotes_keep_their_indentation(run: Run) -> None:
    region = "<!-- llm-size: gpt2 show=table -->\n{0}<!-- /llm-size -->\n"
    text = "1. " + region.format("   ") + "> - " + region.format(">   ")
    lines = updated(run, text).split("\n")
    quote = lines.index("> - <!-- llm-size: gpt2 show=table -->")
    assert {line[:3] for line in lines[1:quote]} == {"", "   "}
    assert {line[:4] for line in lines[quote + 1 : -1]} == {">", ">   "}


NESTED = {
    "quotes": lambda depth: "> " * depth + "{}",
    "lists": lambda depth: (
        "".join("  " * level + "- a\n" for level in range(depth)) + "  " * depth + "{}"
    ),
    "lists on one line": lambda depth: "1. " * depth + "{}",
    "both": lambda depth: "> - " * depth + "{}",
}
"""Functions that write a page with a number at a depth of lists and quotes."""


@pytest.mark.parametrize("depth", [1, 9, 25, 32])
@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_numbers_deep_in_lists_and_quotes(
    nested: Callable[[int], str], depth: int, run: Run
) -> None:
    text = nested(depth).format("a <!-- llm-size: gpt2 -->1<!-- /llm-size -->\n\n")
    assert updated(run, text) == text.replace("-->1<", "-->124M<")


@pytest.mark.parametrize("depth", [33, 34, 49, 50, 51, 99, 100, 101, 400])
@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_no_number_is_skipped_without_a_message(
    nested: Callable[[int], str], depth: int, run: Run
) -> None:
    text = nested(depth).format("a <!-- llm-size: gpt2 -->1<!-- /llm-size -->\n")
    path = page(f"<!-- llm-size: gpt2 -->1<!-- /llm-size -->\n\n{text}")
    code, _out, errors = run("README.md")
    lines = text.count("\n")  # the item that is too deep is on one of them, if there are several
    message = r"llmsize: README\.md:(\d+): lists and quotes are too deep here to find the markers"
    found = re.match(message, errors)
    assert (code, path.read_text("utf-8").count("124M")) == ((2, 0) if found else (0, 2))
    assert not found or 2 < int(found[1]) <= 2 + lines
    assert bool(errors) == bool(found)


@pytest.mark.parametrize(("mark", "deepest"), [("> ", 100), ("- ", 50), ("> - ", 33)])
def test_numbers_are_found_down_to_the_level_in_the_message(
    mark: str, deepest: int, run: Run
) -> None:
    number = "<!-- llm-size: gpt2 -->1<!-- /llm-size -->\n"
    assert "124M" in updated(run, f"{mark * deepest}{number}")
    page(f"{mark * (deepest + 1)}{number}")
    assert "at most 100 levels; a list with its items is two" in run("README.md")[2]


def test_deep_lists_need_no_message_without_comments_below(run: Run) -> None:
    text = "<!-- llm-size: gpt2 -->1<!-- /llm-size -->\n\n" + "- " * 200 + "a\n"
    assert "124M" in updated(run, text)


CODE = """\
```
{0}
```

~~~~ markdown
~~~
{0}
~~~~

    {0}

- item

      {0}

-     {0}

> ```
> {0}
> ```

`{0}` and ``a ` {0}``, \\<!-- llm-size: x -->, ![{0}](a.png)

[a]: b "{0}"

<script>
{0}
</script>

<!-- {0} -->

```
{0}
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_markers_in_code_are_text(ending: str, run: Run) -> None:
    """A number between them stays as it is, and so does one in front matter."""
    region = "<!-- llm-size: no-model:total -->1<!-- /llm-size -->"
    # a comment ends at the first -->, so that the end of a region in it would be real
    code = CODE.replace("<!-- {0} -->", "<!-- <!-- llm-size: x -->").format(region)
    text = f"---\ntitle: {region}\n---\n{code}".replace("\n", ending)
    path = page(text)
    assert run("README.md") == (0, "", NO_MARKERS)
    assert path.read_bytes().decode() == text


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_endings_encoding_and_mode_survive(ending: str, mark: bytes, run: Run) -> None:
    text = "Äé\u2028\x0b\x85\t \n<!-- llm-size: gpt2 show=rule -->  \n<!-- /llm-size -->\nend"
    text = text.replace("\n", ending)
    path = Path("a.md")
    path.write_bytes(mark + text.encode())
    path.chmod(0o640)
    assert run("a.md")[0] == 0
    written = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 or os.name == "nt"
    before, _end, after = text.encode().partition(f"-->  {ending}".encode())
    assert written.startswith(mark + before)
    assert written.endswith(after)
    assert set(re.findall(r"\r\n|\n|\r", written.decode())) == {ending}


@pytest.mark.skipif(os.name == "nt", reason="links need privileges")
def test_links_stay_links(run: Run) -> None:
    page("<!-- llm-size: gpt2 --><!-- /llm-size -->", "real/a.md")
    os.symlink("real/a.md", "link.md")
    assert run("link.md")[0] == 0
    assert os.readlink("link.md") == "real/a.md"
    assert "124M" in Path("real/a.md").read_text("utf-8")
    assert os.listdir("real") == ["a.md"]


def test_check_prints_a_diff_and_writes_nothing(run: Run) -> None:
    text = "a\n\nIt has <!-- llm-size: gpt2 -->125M<!-- /llm-size -->\x1b[31m parameters.\n"
    path = page(text)
    code, out, errors = run("--check", "README.md")
    assert (code, errors) == (1, "")
    assert out.split("\n")[:3] == ["--- a/README.md", "+++ b/README.md", "@@ -1,3 +1,3 @@"]
    assert "\n-It has <!-- llm-size: gpt2 -->125M<!-- /llm-size -->\\x1b[31m parameters.\n" in out
    assert "\n+It has <!-- llm-size: gpt2 -->124M<!--" in out
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        "{}\n",
        "{}",
        "a\n{}\nb",
        "\ufeffa\r\n{}\r\nb\r\n",
        "1\n2\n3\n4\n{}\n1\n2\n3\n4\n5\n6\n7\n{}\n\n",
    ],
)
def test_git_applies_the_diff_of_a_check(text: str, run: Run) -> None:
    stale = text.replace("{}", "It has <!-- llm-size: gpt2 -->125M<!-- /llm-size --> parameters.")
    path = page(stale)
    _code, out, _errors = run("--check", "README.md")
    Path("change.diff").write_bytes(out.encode())
    subprocess.run(("git", "apply", "change.diff"), check=True)
    assert path.read_bytes() == stale.replace("125M", "124M").encode()


def test_pipes_and_broken_links_are_left_out_of_folders(run: Run) -> None:
    page("<!-- llm-size: gpt2 --><!-- /llm-size -->", "docs/a.md")
    make_fifo(Path("docs/pipe.md"))
    os.symlink("nothing", "docs/link.md")
    assert run("docs") == (0, "docs/a.md: 1 region updated\n", "")
    code, _out, errors = run("docs/pipe.md")
    assert (code, errors) == (2, "llmsize: docs/pipe.md: it is not a regular file\n")


def test_a_link_with_a_target_that_is_too_long_is_a_broken_one(run: Run) -> None:
    page("<!-- llm-size: gpt2 --><!-- /llm-size -->", "docs/a.md")
    os.symlink(300 * "a", "docs/link.md")
    assert run("docs") == (0, "docs/a.md: 1 region updated\n", "")
    assert run("docs/*.md") == (0, "", "")
    code, _out, errors = run("docs/link.md")
    assert (code, errors) == (
        2,
        "llmsize: docs/link.md: cannot read the file: file name too long\n",
    )


MISTAKES = [
    ("<!-- llm-size: llama-7 -->\n<!-- /llm-size -->", 1, "did you mean 'llama-7b'?"),
    ("a\n\nb <!-- llm-size: gpt2:totl --><!-- /llm-size -->", 3, "did you mean 'total'?"),
    ("<!-- llm-size: gpt2 shw=table -->\n<!-- /llm-size -->", 1, "did you mean 'show'?"),
    ("<!-- llm-size: gpt2 show=tabel -->\n<!-- /llm-size -->", 1, "did you mean 'table'?"),
    ("<!-- llm-size: gpt2 show=table, rule -->\n<!-- /llm-size -->", 1, "in quotes"),
    ("<!-- llm-size: gpt2 show=a show=b -->\n<!-- /llm-size -->", 1, "is given twice"),
    ("<!-- llm-size: gpt2 show=rule legend -->\n<!-- /llm-size -->", 1, "write legend=, then"),
    ("<!-- llm-size: gpt2 interactive=yes -->\n<!-- /llm-size -->", 1, "needs a script"),
    ("<!-- llm-size: gpt2 show=rule interactive -->\n<!-- /llm-size -->", 1, "needs a script"),
    ("<!-- llm-size: gpt2 interactive -->\n<!-- /llm-size -->", 1, "needs a script"),
    ("<!-- llm-size: gpt2 interactive show=rule -->\n<!-- /llm-size -->", 1, "needs a script"),
    ("<!-- llm-size: gpt2 show=rule interactive detail=full -->\n<!-- /llm-size -->", 1, "script"),
    ("<!-- llm-size: gpt2 num_layers=3 -->\n<!-- /llm-size -->", 1, "below the options"),
    ("<!-- llm-size: gpt2 align=left -->\n<!-- /llm-size -->", 1, "only the Sphinx directive"),
    ("<!-- llm-size: gpt2 expect=1 -->\n<!-- /llm-size -->", 1, "124,439,808 parameters, not 1"),
    ("<!-- llm-size: config=http://x/y -->\n<!-- /llm-size -->", 1, "it is a URL"),
    (
        "<!-- llm-size: config=../../secret.json -->\n<!-- /llm-size -->",
        1,
        "it is outside the project (move it inside",
    ),
    (
        "<!-- llm-size: config=c/no.json -->\n<!-- /llm-size -->",
        1,
        "'c/no.json': no such file or directory (a path is relative to the Markdown file)",
    ),
    ("<!-- llm-size: x\nhidden_dim: 4\n-->\n<!-- /llm-size -->", 2, "missing num_layers"),
    ("<!-- llm-size: x\n\nhiden_dim: 4\n-->\n<!-- /llm-size -->", 3, "did you mean 'hidden_dim'?"),
    ("<!--\nllm-size: x\nhiden_dim: 4\n-->\n<!-- /llm-size -->", 3, "did you mean 'hidden_dim'?"),
    ("<!-- llm-size: -->\n<!-- /llm-size -->", 1, "neither a model's name nor"),
    ("<!-- llm-size gpt2 -->\n<!-- /llm-size -->", 1, "the colon is missing"),
    ("<!-- llm-size: gpt2 -->", 1, "has no end"),
    ("<!-- llm-size: gpt2 -->\n<!-- llm-size: gpt2 -->\n<!-- /llm-size -->", 1, "has no end"),
    ("<!-- /llm-size -->", 1, "ends no region"),
    ("<!-- llm-size: gpt2 -->\n<!-- /llm-compare -->", 2, "the region is of llm-size"),
    ("<!-- LLM-SIZE: gpt2 -->\n<!-- /LLM-SIZE -->", 1, "did you mean 'llm-size'?"),
    ("<!--- llm-size: gpt2 --->\n<!--- /llm-size --->", 1, "did you mean 'llm-size'?"),
    ("a <!-----Llm-compare: b ----->", 1, "did you mean 'llm-compare'?"),
    ("a <!-- llm-size: gpt2 --->1<!-- /llm-size --->", 1, "unknown model 'gpt2 -'"),
    ("<!-- llm-sise: gpt2 -->\n<!-- /llm-sise -->", 1, "did you mean 'llm-size'?"),
    ("<!-- llm-template: a -->\n<!-- /llm-template -->", 1, "one of llm-size, llm-compare"),
    ("<!-- llm-size: gpt2:total -->\n<!-- /llm-size -->", 1, "put both markers on one line"),
    ("a <!-- llm-size: gpt2 show=table --><!-- /llm-size -->", 1, "on lines of their own"),
    ("a <!-- llm-compare: gpt2 --><!-- /llm-compare -->", 1, "within a line, only a number"),
    ("a <!-- llm-size: gpt2 -->\n\nb <!-- /llm-size -->", 1, "neither in one paragraph"),
    ("<!-- llm-size: gpt2 -->\nb <!-- /llm-size -->", 1, "neither in one paragraph"),
    (
        "<div>\n    <!-- llm-size: gpt2 -->\n    <!-- /llm-size -->\n</div>",
        2,
        "at most three spaces",
    ),
    ("<!-- llm-compare: -->\n<!-- /llm-compare -->", 1, "no models to compare"),
    ("<!-- llm-compare:\ngpt2\ngtp2\n-->\n<!-- /llm-compare -->", 3, "did you mean 'gpt2'?"),
    ("<!-- llm-compare: gpt2:mlp -->\n<!-- /llm-compare -->", 1, "with the option columns"),
    ("<!-- llm-compare: gpt2 columns=totl -->\n<!-- /llm-compare -->", 1, "did you mean 'total'?"),
    ("<!-- llm-size: gpt2 show=rule caption=a -->\n<!-- /llm-size -->", 1, "takes a caption"),
    (
        f"<!-- llm-size: a\n{MINE}\n-->\n<!-- /llm-size -->\n<!-- llm-size: a\n{MINE}0\n-->\n"
        "<!-- /llm-size -->",
        8,
        "is defined twice",
    ),
]


@pytest.mark.parametrize(("text", "line", "message"), MISTAKES)
def test_mistakes_leave_the_file_as_it_was(text: str, line: int, message: str, run: Run) -> None:
    """Each has the file and the line, and a fix; other files are still updated."""
    good = "<!-- llm-size: gpt2 --><!-- /llm-size -->"
    path, other = page(f"{good}\n\n{text}", "bad.md"), page(good, "good.md")
    before = path.read_bytes()
    code, out, errors = run("bad.md", "good.md")
    assert (code, out) == (2, "good.md: 1 region updated\n")
    assert errors.startswith(f"llmsize: bad.md:{line + 2}: ")
    assert message in errors
    assert not re.search(r":\w+:\B", errors.split(": ", 2)[2])  # as reStructuredText writes options
    assert path.read_bytes() == before
    assert "124M" in other.read_text("utf-8")


def test_all_mistakes_of_a_file_are_reported(run: Run) -> None:
    page("a <!-- llm-size: x1 --><!-- /llm-size -->\n\nb <!-- llm-size: x2 --><!-- /llm-size -->")
    lines = run("README.md", "--check")[2].strip().split("\n")
    assert [line.split(": ")[1] for line in lines] == ["README.md:1", "README.md:3"]


def test_a_mistake_in_a_configuration_file(run: Run) -> None:
    page("hidden_dim: 4\nnum_layers: many", "mine.yaml")
    page("<!-- llm-size: config=mine.yaml -->\n<!-- /llm-size -->\n")
    assert run("README.md")[2].startswith("llmsize: mine.yaml:2: num_layers must be")


def test_comments_of_others_are_left_alone(run: Run) -> None:
    text = "<!-- llm-generated: no -->\n<!-- llm -->\n<!-- toc -->\n<!-- note: llm-size -->\n"
    assert updated(run, text, errors=NO_MARKERS) == text


@pytest.mark.parametrize("piece", ["<!-- ", "[", "![", "<a "])
def test_many_pieces_take_little_time(piece: str, run: Run) -> None:
    text = f"<!-- llm-size: gpt2 -->1<!-- /llm-size -->\n\na {piece * 20_000}\n"
    page(text)
    started = time.process_time()
    assert run("README.md")[0] == 0
    assert time.process_time() - started < 5


def test_markers_with_another_name(run: Run) -> None:
    page("<!-- llmsize: gpt2 -->\n")
    message = "README.md:1: unknown directive 'llmsize' (did you mean 'llm-size'?)"
    assert run("README.md") == (2, "", f"llmsize: {message}\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n\nb <!-- llm-size: gpt2 --><!-- /llm-size -->\n", 3),
        ("a\n\n<!-- llm-size gpt2 -->\n", 3),
        ("```\n<!-- llm-size: gpt2 -->\n```\n", None),
    ],
)
def test_mdx_has_no_comments(text: str, line: int | None, run: Run) -> None:
    """Its markers are a mistake, unless they are code."""
    path = page(text, "a.MDX")
    code, _out, errors = run("a.MDX")
    if line is None:
        assert (code, errors) == (0, NO_MARKERS)
    else:
        assert code == 2
        assert errors.startswith(f"llmsize: a.MDX:{line}: MDX has no HTML comments")
        assert "write them in an .md file" in errors
    assert path.read_text("utf-8") == text


def test_other_encodings(run: Run) -> None:
    Path("b.md").write_bytes(b"\xff no markers")
    assert run("b.md") == (0, "", NO_MARKERS)
    for mark in (b"", b"\xef\xbb\xbf"):
        Path("a.md").write_bytes(mark + b"\n<!-- llm-size: gpt2 --><!-- /llm-size -->\n\xff")
        assert run("a.md")[2] == "llmsize: a.md:3: it is not UTF-8 text (save it as UTF-8)\n"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        Path("a.md").write_bytes("é\n<!-- llm-size: gpt2 --><!-- /llm-size -->\n".encode(encoding))
        errors = run("a.md", "--check")[2]
        assert re.fullmatch(r"llmsize: a\.md:\d: it is not UTF-8 text \(save .*\n", errors)


def test_folders_patterns_and_exclusions(run: Run) -> None:
    text = "<!-- llm-size: gpt2 --><!-- /llm-size -->"
    names = ["a.md", "b/c.markdown", "b/d.qmd", "b/e.txt", ".git/f.md", "node_modules/g.md"]
    names.append("h/i.md")
    for name in names:
        page(text, name)
    out = run(".", "--exclude", "h")[1]
    assert re.findall(r"^(\S+): 1 region", out, re.MULTILINE) == ["a.md", "b/c.markdown", "b/d.qmd"]
    assert run("**/*.md")[1] == "h/i.md: 1 region updated\n"
    assert run("b/e.txt", "b/e.txt")[1] == "b/e.txt: 1 region updated\n"
    code, _out, errors = run("b/c.markdow", "*.rst")
    assert code == 2
    assert "there is no file 'b/c.markdow' (did you mean 'c.markdown'?)" in errors
    assert "there is no file '*.rst'" in errors


def test_an_empty_path_is_not_the_current_folder(run: Run) -> None:
    path = page("<!-- llm-size: gpt2 --><!-- /llm-size -->")
    before = path.read_bytes()
    message = "llmsize: a path is empty (write . for the current folder)\n"
    assert run("") == (2, "", message)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="links need privileges")
def test_patterns_in_folders_with_links(run: Run) -> None:
    """``**`` follows none; a file is left out if a pattern matches its own path."""
    for name in ("docs/a.md", "docs/sub/b.md", "z/c.md"):
        page("<!-- llm-size: gpt2 -->1<!-- /llm-size -->", name)
    os.symlink(".", "docs/loop")
    os.symlink("..", "docs/sub/up")
    os.symlink("..", "docs/sub/up2")  # each way through two of them would be a match of its own
    os.symlink("../z", "docs/linked")
    os.symlink("../../z/c.md", "docs/sub/d.md")
    out = run("docs/**/*.m*", "--exclude", "docs/sub/*")[1]
    assert re.findall(r"(\S+): 1 region", out) == ["docs/a.md"]
    assert "docs/linked/c.md: 1 region" in run("docs/l*/*.md")[1]
    page("<!-- llm-size: gpt2 -->1<!-- /llm-size -->", "z/c.md")
    assert run("docs/**/*.m*", "--exclude", "docs/sub", "--exclude", "z")[1] == ""


def test_a_name_with_a_minus_within_a_line(run: Run) -> None:
    text = (
        f"<!-- llm-size: Ours - v2\n{MINE} -->\n<!-- /llm-size -->\n\n"
        "It has <!-- llm-size: Ours - v2:total:exact -->?<!-- /llm-size -->.\n"
    )
    assert f"-->{MINE_TOTAL}<!--" in updated(run, text)
    page(text.replace("Ours - v2:", "Others - v2:"))
    assert "unknown model 'Others'" in run("README.md")[2]


def test_an_interruption(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is quiet, and nothing is left beside the file."""
    path = page("<!-- llm-size: gpt2 --><!-- /llm-size -->", "a.md")
    before = path.read_bytes()

    def interrupt(*_paths: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    assert run("a.md") == (130, "", "")
    assert path.read_bytes() == before
    assert os.listdir() == ["a.md"]


def test_a_file_that_cannot_be_replaced(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old file stays, and nothing is left beside it."""
    text = "<!-- llm-size: gpt2 --><!-- /llm-size -->"
    path = page(text, "a.md")

    def fail(*_paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    code, out, errors = run("a.md")
    assert (code, out) == (2, "")
    assert errors == "llmsize: a.md: cannot write the file: no space left on device\n"
    assert path.read_text("utf-8") == text
    assert os.listdir() == ["a.md"]


@pytest.mark.skipif(os.name == "nt", reason="links need privileges")
def test_a_file_that_cannot_be_read(run: Run) -> None:
    os.symlink("absent", "a.md")
    assert run("a.md") == (
        2,
        "",
        "llmsize: a.md: cannot read the file: no such file or directory\n",
    )


def test_many_files_are_updated_as_if_alone(run: Run) -> None:
    """Several processes share them; messages and differences are in the files' order."""
    names = [f"pages/{number:03}.md" for number in range(FEW_FILES + 3)]
    for number, name in enumerate(names):
        model = "lama-7b" if number % 7 == 3 else f"gpt2?num_layers={number + 1}"
        page(f"<!-- llm-size: {model}:total --><!-- /llm-size --> parameters\n", name)
    # in a process of its own, since one with several threads, as of tests, must not be forked
    program = (sys.executable, "-m", "sphinx_llmsize", "update", "--check", *names)
    done = subprocess.run(program, capture_output=True, check=False, text=True)
    parts = [run("--check", *part) for part in (names[:FEW_FILES], names[FEW_FILES:])]
    codes, outputs, errors = zip(*parts, strict=True)
    assert done.returncode == max(codes) == 2
    assert done.stdout == "".join(outputs)
    assert done.stderr == "".join(errors)
    assert "124M" in done.stdout
