"""The command ``llmsize``."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from sphinx_llmsize import __version__, load
from sphinx_llmsize.blocks import Derivation
from sphinx_llmsize.cli import main
from sphinx_llmsize.commands.presets import family_of
from sphinx_llmsize.hosts import HOSTS
from sphinx_llmsize.hosts.json import SCHEMA
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.tables import Table
from sphinx_llmsize.terminal.documents import plain_text
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

MINE = "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 100\n"
MINE_TOTAL = 2 * 12 * 64**2 + 2 * 100 * 64


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def error_output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err.strip()


def test_show_is_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    markdown = output(capsys, "show", "llama-7b")
    assert markdown.startswith("## LLaMA 7B\n")
    assert "| **Total** |  |  |  | **6,738,415,616** |" in markdown
    assert r"\mathbf{6{,}738{,}415{,}616}" in markdown
    for environment in ("array", "aligned"):  # the sum, and the rule of thumb
        assert markdown.count(f"```math\n\\begin{{{environment}}}") == 1
        assert markdown.count(f"\\end{{{environment}}}\n```") == 1
    assert "```mermaid\n---\nconfig:" in markdown


def test_every_row_of_the_table_has_six_cells(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "show", "gpt2", "--show", "table").split("\n")
    rows = [len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")]
    assert set(rows) == {7}
    assert len(rows) > 12


@pytest.mark.parametrize(
    ("views", "pieces"),
    [
        ("table", (True, False, False)),
        ("formula", (False, True, False)),
        ("diagram", (False, False, True)),
        ("diagram, table", (True, False, True)),
    ],
)
def test_views(
    views: str, pieces: tuple[bool, bool, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    markdown = output(capsys, "show", "gpt2", "--show", views)
    assert tuple(piece in markdown for piece in ("| :--- |", "```math", "```mermaid")) == pieces


def test_detail(capsys: pytest.CaptureFixture[str]) -> None:
    markdown = output(capsys, "show", "llama-7b", "--show", "table", "--detail", "tensor")
    assert "| &emsp;k\\_proj.weight | *D* × *H*·*d*<sub>*h*</sub><br>" in markdown


@pytest.mark.parametrize("name", ["llama-3-8b", "META-LLAMA/Meta-Llama-3-8B"])
def test_json(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = load("llama-3-8b")
    assert json.loads(output(capsys, "show", name, "--format", "json")) == {
        "version": 1,
        "name": "Llama 3 8B",
        "class": "LlamaForCausalLM",
        "total": model.total,
        "active": model.active,
        "non_embedding": model.non_embedding,
        "components": model.components,
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.yaml", MINE),
        ("mine.py", "config = {'dim': 64, 'n_layer': 2, 'n_head': 4, 'vocab_size': 100}"),
        ("mine.json", '{"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}'),
        ("mine", MINE),
    ],
)
def test_a_file(name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    figures = json.loads(output(capsys, "show", str(tmp_path / name), "--format", "json"))
    assert (figures["name"], figures["total"]) == ("mine", MINE_TOTAL)


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine-1b"
    folder.mkdir()
    (folder / "config.json").write_text(
        '{"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}', "utf-8"
    )
    assert json.loads(output(capsys, "show", str(folder), "--format", "json"))["name"] == "mine-1b"


def test_an_empty_name_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config.json").write_text('{"model_type": "gpt2"}', "utf-8")
    assert output(capsys, "show", ".", "--show", "table")
    assert "unknown model ''" in error_output(capsys, "show", "")


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(MINE))
    assert json.loads(output(capsys, "show", "-", "--format", "json"))["total"] == MINE_TOTAL


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "num_layers: 2\nhiden_dim: 64", ":2: unknown key 'hiden_dim' (did you mean "),
        ("a.json", '{\n"hidden_size": NaN}', ":2: hidden_size must be a whole number ≥ 1, not nan"),
        ("a.yaml", "hidden_dim: 64\nnum_layers: 010", ":2: num_layers must be a whole number"),
        ("a.yaml", "\nhidden_dim: 64", ":2: missing num_layers, num_heads, vocab_size"),
    ],
)
def test_errors_have_a_line(
    name: str, text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert error_output(capsys, "show", str(path)).startswith(f"llmsize: {path}{message}")


def test_errors_in_standard_input_have_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hidden_dim: 64\nnum_layers: many"))
    assert error_output(capsys, "show", "-").startswith("llmsize: <stdin>:2: num_layers must be")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "llama-7"), "unknown model 'llama-7' (did you mean 'llama-7b'?)"),
        (("show", "absent.json"), "cannot read configuration file 'absent.json'"),
        (("show", "."), "unknown model '.'"),
        (("compare", "gpt2", "gtp2"), "unknown model 'gtp2' (did you mean 'gpt2'?)"),
        (("compare", "gpt2 vs opt-1.3b"), "with spaces: llmsize compare gpt2 opt-1.3b)"),
        (("show", "gpt2,gtp"), "(write models with spaces: llmsize compare gpt2 gtp)"),
        (("list", "--family", "lama"), "no model of the family 'lama' (did you mean 'llama'?)"),
        (
            ("list", "llama", "--family", "gpt2"),
            "no model with 'llama' in its name is of the family 'gpt2'",
        ),
        (("list", "gtp2"), "no model has 'gtp2' in its name (did you mean 'gpt2'?)"),
    ],
)
def test_other_errors(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error_output(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("shw gpt2", "unknown command 'shw' (did you mean 'show'?)"),
        ("gpt2", "unknown command 'gpt2' (did you mean 'llmsize show gpt2'?)"),
        ("show", "the following arguments are required: MODEL"),
        ("show gpt2 --shw table", "unknown option --shw (did you mean '--show'?)"),
        ("show gpt2 --formt=html", "unknown option --formt (did you mean '--format'?)"),
        ("show gpt2 --sho table", "unknown option --sho (did you mean '--show'?)"),
        ("show gpt2 --format htm", "argument --format: unknown value 'htm' (did you mean 'html'?)"),
        (
            "show gpt2 --interactive=yes",
            "--interactive takes no value (write only --interactive, or leave it out)",
        ),
        ("update --check= a.md", "--check takes no value (write only --check, or leave it out)"),
        ("show gpt2 opt", "unexpected argument 'opt' (llmsize compare shows several models)"),
        ("list --sort -totl", "argument --sort: unknown value '-totl' (did you mean '-total'?)"),
    ],
)
def test_wrong_usage(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == 2
    usage, error = capsys.readouterr().err.strip().split("\n")
    assert usage.startswith("usage: llmsize ")
    assert error == f"llmsize: {message}"


def test_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(()) == 2
    assert "llmsize show llama-7b" in capsys.readouterr().err


def test_a_view_that_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(("show", "gpt2", "--show", "tabel"))
    assert "--show: unknown view 'tabel' (did you mean 'table'?)" in capsys.readouterr().err


def test_expect(capsys: pytest.CaptureFixture[str]) -> None:
    for format in HOSTS:
        assert main(("show", "gpt2", "--expect", "124,439,808", "--format", format)) == 0
        capsys.readouterr()
        assert main(("show", "gpt2", "--expect", "124439809", "--format", format)) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "GPT-2 small has 124,439,808 parameters, not 124,439,809" in printed.err


@pytest.mark.parametrize(
    ("format", "heading", "deeper"), [("markdown", "## GPT", "#### GPT"), ("html", "<h1>", "<h4>")]
)
def test_headings(
    format: str, heading: str, deeper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("show", "gpt2", "--show", "table", "--format", format)
    assert heading in output(capsys, *command)
    assert deeper in output(capsys, *command, "--heading-level", "4")
    assert not re.search("(?m)^#|<h[1-6]", output(capsys, *command, "--no-title"))


def test_compare(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE, "utf-8")
    models = ("gpt2", "gpt2-xl", str(tmp_path / "mine.yaml"))
    columns = ("--columns", "total:exact, mlp:share", "--sort=-total")
    markdown = output(capsys, "compare", *models, *columns)
    assert re.findall(r"\| ([\d,]+) \|", markdown) == [
        "1,557,611,200",
        "124,439,808",
        f"{MINE_TOTAL:,}",
    ]
    figures = json.loads(output(capsys, "compare", *models, "--format", "json"))
    assert [model["name"] for model in figures["models"]] == ["GPT-2 small", "GPT-2 XL", "mine"]


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


def on_terminal(*arguments: str) -> str:
    with redirect_stdout(Terminal()) as written:
        assert main(arguments) == 0
    return written.getvalue()


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [((), False), (("FORCE_COLOR",), True), (("FORCE_COLOR", "NO_COLOR"), False)],
)
def test_colours_in_a_pipe(
    variables: tuple[str, ...],
    is_coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in variables:
        monkeypatch.setenv(name, "1")
    assert main(("show", "gpt2", "--show", "table", "--format", "terminal")) == 0
    assert ("\x1b[32m" in capsys.readouterr().out) == is_coloured


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_a_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    views = ",".join(VIEWS)
    shown = on_terminal("show", "deepseek-v3", "--show", views)
    assert "\x1b[32m" in shown
    assert "━" in shown
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).split("\n")
    assert "671,026,404,352" in "".join(lines)
    assert max(map(monospace_width, lines)) <= width
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in on_terminal("show", "deepseek-v3", "--show", "table")
    assert on_terminal("show", "gpt2", "--format", "markdown").startswith("## GPT-2")


@pytest.mark.parametrize(
    ("name", "view", "width"),
    [
        ("llama-3-8b", "scaling", 80),
        ("jamba-v0.1", "composition", 80),
        ("gpt2", "composition", 40),
        ("llama-3-8b", "formula", 50),
    ],
)
def test_no_column_is_cut_off(name: str, view: str, width: int) -> None:
    """A table that is too wide is divided."""
    blocks = document(load(name), (view,), ViewOptions())
    tables = tuple(block for block in blocks if isinstance(block, (Table, Derivation)))
    wide, narrow = (re.findall(r"\d[\d,.]*", plain_text(tables, width=w)) for w in (300, width))
    assert {*wide} <= {*narrow}
    assert all(monospace_width(row) <= width for row in plain_text(tables, width=width).split("\n"))


def test_every_family_with_a_hyphen_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for family in {family for name in presets() if "-" in (family := family_of(load(name)))}:
        lines = output(capsys, "list", "--family", family).splitlines()
        assert {family_of(load(line.split()[0])) for line in lines} == {family}


def test_list_of_some(capsys: pytest.CaptureFixture[str]) -> None:
    def names(*arguments: str) -> list[str]:
        return [line.split()[0] for line in output(capsys, "list", *arguments).strip().split("\n")]

    assert names("gpt2") == [name for name in names() if "gpt2" in name]
    assert {"gpt2", "gpt2-xl"} <= {*names("--family", "gpt2")}
    assert "llama-7b" not in names("--family", "gpt2")
    assert names("--family", "DeBERTa_v2") == names("--family", "deberta-v2")
    totals = [load(name).total for name in names("deepseek", "--sort=-total")]
    assert totals == sorted(totals, reverse=True)
    assert names("deepseek", "--sort", "-total") == names("deepseek", "--sort=-total")
    assert names("qwen", "--sort", "name") == sorted(names("qwen"))


@pytest.mark.parametrize("width", [30, 80, 130])
def test_list_on_a_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are whole, and columns have heads; those for which there is no space are left out."""
    monkeypatch.setenv("COLUMNS", str(width))
    shown = re.sub(r"\x1b\[[\d;]*m", "", on_terminal("list", "mixtral", "--sort", "-total"))
    caption, heads, _rule, largest = shown.split("\n")[:4]
    assert caption == "3 models"
    assert heads.split()[:2] == ["Name", "Parameters"]
    assert ("Title" in heads) == (width > 80)
    assert "mixtral-8x22b-instruct".startswith(largest.split()[0])
    assert "…" not in shown
    assert max(map(monospace_width, shown.split("\n"))) <= width


def test_list_in_other_formats(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("list", "gpt2", "--sort", "total", "--format")
    assert output(capsys, *command, "csv").split("\n")[:2] == [
        "Name,Parameters,Family,Title",
        "distilgpt2,81912576,gpt2,DistilGPT2",
    ]
    assert "| gpt2-xl | 1,557,611,200 | gpt2 | GPT-2 XL |" in output(capsys, *command, "markdown")


@pytest.mark.parametrize(
    "command",
    ["list mixtral", "show gpt2 --show table", "compare gpt2 gpt2-xl", "diff gpt2 gpt2-xl"],
)
def test_a_page_has_one_heading_and_a_title(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    html = output(capsys, *command.split(), "--format", "html")
    (heading,) = re.findall("<h1>([^<]+)</h1>", html)
    (title,) = re.findall("<title>([^<]+)</title>", html.partition("<body")[0])
    assert title == heading


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(output(capsys, "list", "mixtral-8x7b", "--format", "json"))
    preset = next(each for each in listed["presets"] if each["preset"] == "mixtral-8x7b")
    assert (preset["total"], preset["active"]) == (46_702_792_704, 12_879_925_248)
    assert "mistralai/Mixtral-8x7B-v0.1" in preset["hub"]
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(listed, json.loads(SCHEMA.read_text("utf-8")))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("shtab")
    script = output(capsys, "completion", shell)
    assert "heading-level" in script
    assert "mixtral-8x7b" in script
    assert "llama4_text" in script  # a family
    assert re.search("composition.memory", script)  # views
    if shell == "bash":
        assert "llmsize_assets_pos_0_COMPGEN=_shtab_compgen_dirs" in script  # a folder
    if shutil.which(shell):
        (tmp_path / "script").write_text(script, "utf-8")
        assert subprocess.run((shell, "-n", "script"), cwd=tmp_path, check=False).returncode == 0


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "list").strip().split("\n")
    assert [line.split()[0] for line in lines] == list(presets())
    assert re.fullmatch(
        r"llama-7b +6,738,415,616 +LLaMA 7B", lines[list(presets()).index("llama-7b")]
    )
    assert re.fullmatch(
        r"mixtral-8x7b +46,702,792,704 +12,879,925,248 +Mixtral 8x7B.*",
        lines[list(presets()).index("mixtral-8x7b")],
    )


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["--version"], 0, f"llmsize {__version__}"),
        (["show", "gpt2", "--show", "table"], 0, "124,439,808 "),
        (["show", "gpt"], 2, "unknown model 'gpt'"),
    ],
)
def test_as_a_module(arguments: list[str], code: int, text: str) -> None:
    command = [sys.executable, "-m", "sphinx_llmsize", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == code
    assert text in (done.stdout + done.stderr).decode()


def test_a_closed_pipe_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe, redirect_stdout(pipe):
        assert main(("list",)) == 0


def test_names_are_escaped_in_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "$x$ | `a` <b> [c](d).yaml"
    path.write_text(MINE, "utf-8")
    markdown = output(capsys, "show", str(path), "--show", "table")
    assert markdown.startswith(r"## ＄x＄ &#124; \`a\` &lt;b&gt; \[c\](d)" + "\n")


COMMAND = (sys.executable, "-m", "sphinx_llmsize", "show")
TABLE = "show gpt2 --show table"
"""Arguments of a command that takes half as long as one with every view."""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [TABLE, "list --help"])
def test_output_that_cannot_be_written(arguments: str) -> None:
    command = (sys.executable, "-m", "sphinx_llmsize", *arguments.split())
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "llmsize: cannot write the output: no space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    "arguments", [f"{TABLE} --format markdown", f"{TABLE} --format terminal", "--help"]
)
def test_output_that_is_closed(arguments: str) -> None:
    command = f"'{sys.executable}' -m sphinx_llmsize {arguments} >&-"
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "llmsize: standard output is closed\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    ("arguments", "errors"),
    [("show nonsense", "/dev/full"), ("show --nonsense", "&-"), ("update nonsense", "/dev/full")],
)
def test_errors_that_cannot_be_written(arguments: str, errors: str) -> None:
    command = f"'{sys.executable}' -m sphinx_llmsize {arguments} 2>{errors}"
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("command", ["show gpt2", "list mixtral"])
def test_an_interruption_is_quiet(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sphinx_llmsize.cli.write", interrupt)
    assert main(command.split()) == 130
    assert capsys.readouterr() == ("", "")


def test_closed_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "the configuration is empty" in error_output(capsys, "show", "-")


def test_standard_input_that_is_not_text() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(
        (*COMMAND, "-"), input=b"\xff{", capture_output=True, check=False, env=environment
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"llmsize: <stdin>:1: character U+DCFF in a configuration")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without an end")
def test_endless_standard_input() -> None:
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run(
            (*COMMAND, "-"), stdin=zeros, capture_output=True, timeout=60, check=False
        )
    assert done.returncode == 2
    assert b"more than 1,000,000 characters" in done.stderr


UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
HOSTILE = "a\x1b[31mb\x9b1m\u202ec"


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", HOSTILE),
        ("show", f"{HOSTILE}.json"),
        ("show", "gpt2", "--show", HOSTILE),
        ("show", "gpt2", "--dtype", HOSTILE, "--show", "memory"),
        ("show", "gpt2", "--vary", HOSTILE, "--show", "scaling"),
        ("show", "gpt2", "--format", HOSTILE),
        ("show", "gpt2", "--tokens", HOSTILE),
        ("show", "gpt2", HOSTILE),
        (HOSTILE,),
    ],
)
def test_messages_have_no_control_characters(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code == 2
    message = capsys.readouterr().err
    assert "[31mb" in message
    assert not UNSAFE.search(message)


@pytest.mark.parametrize("format", HOSTS)
def test_files_have_no_control_characters(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{HOSTILE}.yaml"
    path.write_text(MINE, "utf-8")
    printed = output(capsys, "show", str(path), "--format", format)
    assert "31mb1mc" in printed or format == "csv"
    assert not UNSAFE.search(printed)
    path.write_text('"a\\e[31mb\\u202e": 1', "utf-8")
    assert not UNSAFE.search(error_output(capsys, "show", str(path)))


def test_help_in_any_locale() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    command = (sys.executable, "-m", "sphinx_llmsize", "--help")
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert done.returncode == 0
    assert "llmsize COMMAND [ARGUMENT …]" in done.stdout.decode()


def test_assets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assets", str(tmp_path / "docs")]) == 0
    assert {file.name for file in (tmp_path / "docs").iterdir()} == {
        "llmsize.css",
        "llmsize-explorer.js",
    }
    assert ".llmsize-panel" in (tmp_path / "docs" / "llmsize.css").read_text("utf-8")
    (tmp_path / "file").write_text("")
    assert main(["assets", str(tmp_path / "file")]) == 2
    assert "cannot write" in capsys.readouterr().err
