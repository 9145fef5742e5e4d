"""The examples of CONTRIBUTING.md pass the tests that it names, in a copy of the project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = Path("sphinx_llmsize")
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
FILE = re.compile(r'`(\w+\.py)`[^`]*```python\n( *""".*?)\n *```', re.DOTALL)
"""Name and text of a complete file."""
FOLDERS = {"example.py": "architecture/families", "devices.py": "views", "jsonl.py": "hosts"}
LINE = re.compile(r"Add the line `([^`]+)`[^`]*(?:`[^`]+`[^`]*)?to `([A-Z]+)` in\s+`([^`]+)`")
"""A line, the table that it is added to, and the file of the table."""
PRESET = re.compile(r"```json\n(.*?)\n *```", re.DOTALL)
OPTION = re.compile(r"```python\n( *device_memory: .*?)\n *```", re.DOTALL)


def insert(path: Path, after: str, text: str) -> None:
    """Insert lines after the first place of another text."""
    before, found, rest = path.read_text("utf-8").partition(after)
    assert found
    path.write_text(f"{before}{found}\n{text}{rest}", "utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project with all examples."""
    root = tmp_path / "copy"
    root.mkdir()
    shutil.copy(ROOT / "pyproject.toml", root)
    for folder in (PACKAGE, "templates", "tests"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    files = dict(FILE.findall(TEXT))
    assert files.keys() == FOLDERS.keys()
    for name, source in files.items():
        (root / PACKAGE / FOLDERS[name] / name).write_text(f"{dedent(source)}\n", "utf-8")
    lines = LINE.findall(TEXT)
    assert [table for _line, table, _path in lines] == ["MODULES", "VIEWS", "HOSTS"]
    for line, table, path in lines:
        start = re.search(rf"^{table}\b.*\{{$", (root / path).read_text("utf-8"), re.MULTILINE)
        assert start
        insert(root / path, start[0], f"    {line}")
    insert(root / PACKAGE / "presets" / "llama.json", "{", f"{PRESET.findall(TEXT)[0]},")
    option = indent(dedent(OPTION.findall(TEXT)[0]), "    ")
    assert len(option) <= 100
    options = root / PACKAGE / "views" / "view_options.py"
    insert(options, "class ViewOptions:", option)
    return root


def test_examples_pass_their_tests(copy: Path) -> None:
    names = ("counts", "config", "hosts", "number_names")
    files = [f"tests/test_{name}.py" for name in names]
    command = (sys.executable, "-m", "pytest", "-o", "addopts=", "-q", *files)
    chosen = ("-k", "example or devices or jsonl or published or unique")
    done = subprocess.run(
        (*command, *chosen), cwd=copy, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout
