"""Configuration files that cannot be parsed, and paths that must not be read."""

from __future__ import annotations

from dataclasses import replace

from mistakes.case import HERE, Case, directive

SIZES = '{\n"num_layers": 2,\n"hidden_dim": 64,\n"num_heads": 4,\n"vocab_size": 100'
PATHS = {
    "parents": "../../../../../../etc/passwd", "file_url": "file:///etc/passwd",
    "through_a_folder": "../cfg/../../outside.json", "home_of_root": "~root/.netrc",
    "windows": "C:\\Windows\\win.ini", "percent_encoded": "..%2f..%2foutside.json",
    "wildcard": "/cfg/*.json", "absent": "/cfg/absent.json", "folder": "..", "shell": "$(cat x)",
    "below_a_file": "/index.rst/x.json", "nul": "a\0b.json", "device": "//dev/zero",
    "descriptor": "/proc/self/fd/0", "backslashes": "..\\..\\outside.json",
}  # fmt: skip


def file(
    name: str, content: str | bytes, problem: str = "", message: str = "", suffix: str = "json"
) -> Case:
    """A page with a configuration file, with the error at the marked line of the file."""
    path = f"cfg/{name}.{suffix}"
    case = directive(name, "m", f":config: /{path}", "", problem, message=message)
    data = content.encode() if isinstance(content, str) else content
    return replace(case, files={path: data})


def path(name: str, text: str) -> Case:
    """A page with a path that is not a file of the project."""
    return directive(f"path_{name}", "m", f":config: {text}{HERE}", "", "file")


def unreadable(name: str, data: bytes) -> Case:
    """A page with a file that is not text; the warning is at the line of the page."""
    case = directive(name, "m", f":config: /cfg/{name}.json{HERE}", "", "file")
    return replace(case, files={f"cfg/{name}.json": data})


CASES = (
    *(path(name, text) for name, text in PATHS.items()),
    unreadable("utf_16", f"{SIZES}}}".encode("utf-16")),
    unreadable("latin_1", b'{"name": "Mod\xe8le"}'),
    unreadable("surrogate_bytes", b'{"name": "\xed\xa0\x80"}'),
    file("left_open", f"{SIZES}{HERE}", "syntax", "not JSON"),
    file("comma", f'{SIZES},\n}}{HERE}', "syntax", "a comma after the last entry (remove it)"),
    file("comment", f"{SIZES}\n// sizes{HERE}\n}}", "syntax", "not JSON"),
    file("single_quotes", f"{{\n'num_layers': 2{HERE}\n}}", "syntax", "not JSON"),
    file("empty", f"{HERE}", "syntax"),
    file("blanks", f"\n\n  {HERE}", "syntax"),
    file("only_a_list", f"[2, 64]{HERE}", "syntax", "not a JSON object"),
    file("only_a_text", f'"llama"{HERE}', "syntax", "not a JSON object"),
    file("bad_escape", f'{{\n"name": "\\x41"{HERE}\n}}', "syntax", "not JSON"),
    file("tab_in_text", f'{{\n"name": "a\tb"{HERE}\n}}', "syntax", "not JSON"),
    file("huge_exponent", f'{SIZES},\n"ffn_dim": 1e400{HERE}\n}}', "value"),
    file("number_of_5000_digits", f'{SIZES},\n"ffn_dim": {"9" * 5000}{HERE}\n}}', "value"),
    file("half", f'{SIZES},\n"ffn_dim": 0.5{HERE}\n}}', "value"),
    file("size_in_quotes", f'{SIZES},\n"ffn_dim": "256"{HERE}\n}}', "value"),
    file("twice_within", f'{SIZES},\n"a": {{\n"b": 1,\n"b": 2{HERE}\n}}}}', "key", "duplicate"),
    file("slip", f'{SIZES},\n"num_kv_head": 2{HERE}\n}}', "key", "num_kv_heads"),
    file("brackets", f'{{"a": {"[" * 5000}{HERE}', "syntax"),
    file("escaped_pair_ok", f'{SIZES},\n"note": "\\ud83e\\udde0"}}'),
    file("keys_of_others_ok", f'{SIZES},\n"auto_map": {{"x": [1]}}, "torch_dtype": "bf16"}}'),
    file("yaml_aliases", f"a: &a [x, x]{HERE}\nb: &b [*a, *a]\nc: [*b, *b]", "syntax", "", "yaml"),
    file("yaml_tab", f"num_layers: 2\nrope:\n\tx: 1{HERE}", "syntax", "", "yaml"),
    file("python_ok", "config = dict(num_layers=2, hidden_dim=8, num_heads=2, vocab_size=9)",
         suffix="txt"),
)  # fmt: skip
