"""Configuration text: supported syntax, and errors for everything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from project import make_fifo

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.make_model import make_model
from sphinx_llmsize.sources.comparison_text import comparison_lines
from sphinx_llmsize.sources.files import MAX_BYTES, fingerprint
from sphinx_llmsize.sources.json_text import read_json
from sphinx_llmsize.sources.located import Section, plain_scalar
from sphinx_llmsize.sources.number_text import parse_numbers
from sphinx_llmsize.sources.text import read_file, read_text

SMALL = {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 50_000}
SPELLINGS = {
    "YAML": "hidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 50000",
    "YAML with comments": "# mine\nhidden_dim: 64  # D\n\nnum_layers: 2\nnum_heads: 4\n"
    "vocab_size: 50_000",
    "YAML flow": "{hidden_dim: 64, num_layers: 2, num_heads: 4, vocab_size: 50000}",
    "YAML document": "---\nhidden_dim: 64\nnum_layers: 2\nnum_heads: 4\nvocab_size: 50000\n...",
    "JSON": '{"hidden_dim": 64, "num_layers": 2,\n "num_heads": 4, "vocab_size": 50000}',
    "Python": "{'hidden_dim': 64, 'num_layers': 2, 'num_heads': 4, 'vocab_size': 50_000,}",
    "Python as pasted": "# the base model\nconfig = {\n    'hidden_dim': 64,  # your choice\n"
    "    'num_layers': 2,\n    'num_heads': 4,\n    'vocab_size': 50_000,\n}",
    "annotated": "config: dict = {'hidden_dim': 64, 'num_layers': 2,\n"
    "'num_heads': 4, 'vocab_size': 50_000}",
    "dict()": "config = dict(hidden_dim=64, num_layers=2, num_heads=4, vocab_size=50_000)",
}


def plain(section: Section) -> dict[str, object]:
    return {entry.key: entry.value for entry in section.entries}


def refused(text: str) -> ConfigError:
    """Error of a directive's body."""
    with pytest.raises(ConfigError) as caught:
        make_model("model", read_text(text), is_config_json=False)
    return caught.value


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_three_spellings_of_the_same(text: str) -> None:
    assert plain(read_text(text)) == SMALL


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_every_key_has_its_line(text: str) -> None:
    lines = text.split("\n")
    for entry in read_text(text).entries:
        assert entry.line is not None
        assert entry.key in lines[entry.line]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("4096", 4096),
        ("50_000", 50_000),
        ("-3", -3),
        ("-0", 0),
        ("0", 0),
        ("1.3", 1.3),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("None", None),
        *((word, word) for word in ["010", "4096:00", "NO", "yes", "on", "0x10", "0o17", "1_0"]),
        *(
            (word, word)
            for word in ["+3", "3M", "1,024", "\uff16\uff14", "\u0663", "=", "-", "9" * 5000]
        ),
        *((word, word) for word in ["e9", "-e9", ".e9", "-.e9", "."]),
    ],
)
def test_plain_scalars(word: str, value: object) -> None:
    read = plain_scalar(word)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    "value",
    [
        *("010", "4096:00", "NO", "yes", "true", "0x10", "0x_", "1e3", "32.0", ".inf", "-.inf"),
        *(".nan", "-0", "0", "-64", "1.5", "\uff16\uff14", "9" * 5000, "10000000000000001", "64M"),
        *('"64"', "'64'", "[64]", "{a: 64}", "=", "64 64", "null", "", "2001-01-01", "1,024"),
    ],
)
def test_yaml_values_that_are_not_sizes(value: str) -> None:
    error = refused(f"num_heads: 4\nnum_layers: 2\nhidden_dim: {value}\nvocab_size: 100")
    assert (error.problem, error.line) == (Problem.VALUE, 2)
    assert "hidden_dim must be a whole number" in error.message


@pytest.mark.parametrize("value", ["NO", "yes", "on", "0", "1", '"true"', "null"])
def test_flags_are_true_or_false(value: str) -> None:
    error = refused(f"model_type: llama\ntie_embeddings: {value}")
    assert (error.problem, error.line) == (Problem.VALUE, 1)


@pytest.mark.parametrize(
    "value", ["'64'", "64.0", "1e3", "1e400", "-64", "1j", "True", "[64]", "010", "\uff16\uff14"]
)
def test_python_values_that_are_not_sizes(value: str) -> None:
    error = refused(f"config = {{\n  'num_heads': 4,\n  'hidden_dim': {value},\n}}")
    assert error.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "config = {\n'num_heads': 4,\n'hidden_dim': 64\n'num_layers': 2}",
        "{\n'num_heads': 4,\n'hidden_dim': 64\n'num_layers': 2}",
        "config = {\n'num_heads': 4,\n'hidden_dim' 64}",
        "config = {\n'num_heads': 4,\n'hidden_dim': }",
    ],
)
def test_errors_in_a_dict_have_their_line(text: str) -> None:
    error = refused(text)
    assert error.problem is Problem.SYNTAX
    assert error.line in (2, 3)  # a missing comma is found on either side of it


@pytest.mark.parametrize(
    ("text", "problem", "line", "message"),
    [
        ("hidden_dim: 64\nnum_layers: 2\nhidden_dim: 64", Problem.KEY, 2, "duplicate key"),
        ("{'num_layers': 2,\n'num_layers': 2}", Problem.KEY, 1, "duplicate key"),
        ("a: 1\nb: &x 3", Problem.SYNTAX, 1, "anchor '&x'"),
        ("a: 1\nb: *x", Problem.SYNTAX, 1, "alias '*x'"),
        ("a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]", Problem.SYNTAX, 0, "anchor '&a'"),
        ("hidden_dim: 64\n<<: {num_layers: 2}", Problem.SYNTAX, 1, "merge key"),
        ("a: 1\nhidden_dim: !!int 64", Problem.SYNTAX, 1, "tag"),
        ("a: !!python/object/apply:os.getcwd []", Problem.SYNTAX, 0, "tag"),
        ("a:\n\t- 1", Problem.SYNTAX, 1, "not YAML"),
        ("a: 1\n? [b, c]\n: 3", Problem.SYNTAX, 1, "a list or mapping as a key"),
        ("a: 1\n---\nb: 2", Problem.SYNTAX, 1, "second YAML document"),
        ("a: 1\nb: [", Problem.SYNTAX, 1, "not YAML"),
        ("hidden_dim:64", Problem.SYNTAX, 0, "a space is missing after the colon"),
        ("- hidden_dim", Problem.SYNTAX, 0, "not a mapping"),
        ("# only\n# comments", Problem.SYNTAX, 0, "empty"),
        ("config = dict(\n**other)", Problem.SYNTAX, 1, "'**' is not supported"),
        ("{'a': 1}, {'b': 2}", Problem.SYNTAX, 0, "neither JSON nor YAML"),
        ("a: 1\nb: \u2028c: 3", Problem.SYNTAX, 1, "U+2028"),
        ("a: 1\nb: \x85c: 3", Problem.SYNTAX, 1, "U+0085"),
        ("a: 1\nb: \x07", Problem.SYNTAX, 1, "U+0007"),
        ("a: 1\nb: " + "[" * 5000, Problem.SYNTAX, 1, "levels of nesting"),
        ("{'a': 1,\n'b': " + "[" * 100 + "]" * 100 + "}", Problem.SYNTAX, 1, "levels of nesting"),
        ("a: " + "x" * 1_000_000, Problem.SYNTAX, 0, "more than 1,000,000 characters"),
    ],
)
def test_unsupported_structure(text: str, problem: Problem, line: int, message: str) -> None:
    error = refused(text)
    assert (error.problem, error.line) == (problem, line)
    assert message in str(error)


@pytest.mark.parametrize(
    "value",
    [
        "__import__('os').makedirs('executed')",
        "open('executed', 'w')",
        "[open('executed', 'w') for _ in (1,)]",
        "(x := open('executed', 'w'))",
        'f\'{open("executed", "w")}\'',
        "2 ** 6",
        "lambda: 64",
        "size",
        "b'64'",
        "...",
    ],
)
def test_nothing_is_evaluated(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    error = refused(f"{{\n'hidden_dim':\n {value}}}")
    assert (error.problem, error.line) == (Problem.SYNTAX, 2)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    ["{**other}", "dict(**other)", "dict([('hidden_dim', 64)])", "{1: 64}", "{f'a': 64}"],
)
def test_dicts_that_are_more_than_literals(text: str) -> None:
    assert refused(text).problem is Problem.SYNTAX


@pytest.mark.parametrize(
    "value",
    ["-" * 1500 + "5", "1" + "+1" * 700, "a" + ".b" * 1500, "not " * 1500 + "1", "[" * 90_000],
    ids=["minus", "plus", "attributes", "not", "brackets"],
)
def test_deep_expressions_are_refused_too(value: str) -> None:
    assert refused(f"{{'hidden_dim': {value}}}").line == 0


@pytest.mark.parametrize(
    "text", ['{"hidden_size": 64}', '\ufeff{"hidden_size": 64}', '\r\n{\r\n"hidden_size":64\r\n}']
)
def test_json(text: str) -> None:
    section = read_json(text)
    assert plain(section) == {"hidden_size": 64}
    assert section.entries[0].line == text.count("\n", 0, text.index('"'))


@pytest.mark.parametrize("value", ["Infinity", "-Infinity", "NaN", "1e400"])
def test_infinities_and_nan_in_json(value: str) -> None:
    section = read_json(f'{{"a": [0.0, {value}]}}')
    assert repr(plain(section)["a"][1]) == repr(float(value))


@pytest.mark.parametrize(
    ("second", "line", "message"),
    [
        ('"b": -NaN', 2, "not JSON"),
        ('"a": 2', 2, "duplicate key"),
        ('"b": 2,', 3, "not JSON"),
        ('"b": 010', 2, "not JSON"),
        ("'b': 2", 2, "not JSON"),
        ('"b": "\\ud800"', 2, "surrogate"),
        ('"b": {"c": 1,\n "c": 2}', 3, "duplicate key"),
        ('"b": ' + "[" * 100_000, 2, "levels of nesting"),
        ('"b": 2 // two', 2, "not JSON"),
    ],
)
def test_json_is_strict(second: str, line: int, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        read_json(f'{{\n"a": 1,\n{second}\n}}')
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text", ['a: "\\ud800"', '"\\ud800": 1', "{'a': 1, 'b': ['c', '\\ud800']}"]
)
def test_a_lone_surrogate_is_refused(text: str) -> None:
    assert "surrogate" in refused(text).message


@pytest.mark.parametrize("text", ["", "[]", "64", '"a"', "null"])
def test_json_that_is_not_an_object(text: str) -> None:
    with pytest.raises(ConfigError, match=r"not (a )?JSON"):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpt2:mlp", "is not a model's name"),
        ("gpt2 / bloom", "is not a model's name"),
        ("gpt2: {total: [1]}", "neither a number nor a text"),
        ("gpt2: {total: {a: 1}}", "neither a number nor a text"),
        ("gpt2: {total}: {", "a model"),
        ("\n".join(["gpt2"] * 201), "a comparison of 201 models"),
    ],
)
def test_invalid_lines_of_a_comparison(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        [line.parse() for line in comparison_lines(text)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":mlp",
        "?n_head=2",
        "gpt2:",
        "gpt2::mlp",
        "gpt2?",
        "gpt2?=2",
        "gpt2?n_head=",
        "gpt2?n_head",
        "gpt2 / bloom / t5",
        "x" * 501,
    ],
)
def test_invalid_texts_of_a_role(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot read") as caught:
        parse_numbers(text)
    assert caught.value.problem is Problem.NUMBER


@pytest.mark.parametrize(
    "value",
    ["1\0", "'\ud800'", "9" * 5000, "-" * 20_000 + "1", "1" + "+1" * 90_000, "[" * 5000],
    ids=["NUL", "surrogate", "digits", "minus", "plus", "brackets"],
)
def test_dicts_that_python_itself_refuses(value: str) -> None:
    error = refused(f"x = {{'num_layers':\n{value}}}")
    assert (error.problem, error.line) in [(Problem.SYNTAX, 0), (Problem.SYNTAX, 1)]


def test_yaml_that_looks_like_a_dict() -> None:
    assert plain(read_text("{a: b c, d: 1}")) == {"a": "b c", "d": 1}


@pytest.mark.parametrize("code", ["00110000", "7FFFFFFF", "FFFFFFFF"])
def test_an_escape_of_an_invalid_code_point(code: str) -> None:
    error = refused(f'a: "\\U{code}"')
    assert (error.problem, error.line) == (Problem.SYNTAX, 0)


def test_lines_of_a_comparison_have_their_numbers() -> None:
    text = "gpt2\n\n- m: {total: 5,\n   active: 4}\n# c\ngpt2-xl"
    assert [line.number for line in comparison_lines(text)] == [0, 2, 5]


def test_lone_surrogate_has_its_line() -> None:
    with pytest.raises(ConfigError, match="surrogate") as caught:
        read_json('{\n"a": [\n"\\ud800"\n]\n}')
    assert caught.value.line == 2


def test_a_json_number_of_any_length_is_read() -> None:
    digits = "9" * 5000
    assert plain(read_json(f'{{"a": {digits}}}')) == {"a": digits}


def test_a_tag_of_a_key_is_refused() -> None:
    assert "tag" in refused("!!str a: 1").message


def test_fifo_is_not_read(tmp_path: Path) -> None:
    make_fifo(tmp_path / "fifo")
    with pytest.raises(ConfigError, match="not a regular file"):
        read_file(tmp_path / "fifo")


def test_a_folder_is_closed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build reads the same path for every page that names it."""
    opened: list[int] = []
    open_file = os.open

    def record(path: str, flags: int) -> int:
        opened.append(open_file(path, flags))
        return opened[-1]

    monkeypatch.setattr(os, "open", record)
    with pytest.raises(ConfigError):
        read_file(tmp_path)
    for descriptor in opened:
        with pytest.raises(OSError, match="descriptor"):
            os.fstat(descriptor)


def test_files_are_text_of_limited_size(tmp_path: Path) -> None:
    large, latin = tmp_path / "large", tmp_path / "latin"
    large.write_bytes(b" " * (MAX_BYTES + 1))
    latin.write_bytes(b"a: \xe9")
    for path, reason in (
        (large, "too large"),
        (latin, "not UTF-8 text"),
        (tmp_path, "is a directory"),
        (tmp_path / "absent", "no such file"),
    ):
        with pytest.raises(ConfigError, match=reason):
            read_file(path)
    assert "too large" in fingerprint(large)
    assert "no such file" in fingerprint(tmp_path / "absent")


def test_an_error_in_a_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("{", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_file(path)
    assert caught.value.file == str(path)


def test_a_role_names_a_model_by_its_visible_characters() -> None:
    assert (
        parse_numbers("\u202ea \x1b b:total")[0].model
        == load("\u202ea\tb", {"model_type": "gpt2"}).name
    )
