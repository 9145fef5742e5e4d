"""Contents of the distributions, and layers of the package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CATALOGUE = "sphinx_llmsize/hosts/sphinx/catalogue"


def python(code: str) -> str:
    """Output of a program in a separate Python process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    return done.stdout.decode().strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize(
    ("folder", "within"),
    [
        ("templates", "sphinx_llmsize/templates"),
        ("sphinx_llmsize/presets", "sphinx_llmsize/presets"),
        ("sphinx_llmsize/html/static", "sphinx_llmsize/html/static"),
        ("sphinx_llmsize/hosts/sphinx/books", "sphinx_llmsize/hosts/sphinx/books"),
        (f"{CATALOGUE}/static", f"{CATALOGUE}/static"),
    ],
)
def test_the_wheel_has_every_data_file(folder: str, within: str, wheel: set[str]) -> None:
    files = {
        path.relative_to(ROOT / folder).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    assert files
    assert {name.removeprefix(f"{within}/") for name in wheel if name.startswith(within)} == files


def test_the_wheel_has_compiled_catalogues_of_every_language(wheel: set[str]) -> None:
    sources = {path.relative_to(ROOT) for path in (ROOT / "sphinx_llmsize/locale").rglob("*.po")}
    assert len(sources) > 1
    assert {str(path.with_suffix(".mo")) for path in sources} <= wheel


def test_the_wheel_has_the_package_and_nothing_else(wheel: set[str]) -> None:
    assert "sphinx_llmsize/py.typed" in wheel
    tops = {name.split("/")[0] for name in wheel}
    assert {top.split("-")[0] for top in tops} == {"sphinx_llmsize"}
    assert not [name for name in wheel if "__pycache__" in name]


def test_layers() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import sphinx_llmsize", ["docutils", "jinja2", "sphinx", "sympy", "yaml"]),
        ("import sphinx_llmsize; sphinx_llmsize.load('gpt2').total", ["sphinx", "sympy", "jinja2"]),
        (
            "from sphinx_llmsize.cli import main; main(['show', 'gpt2', '--format', 'json'])",
            ["docutils", "jinja2", "sphinx", "sympy"],
        ),
        (
            "import sphinx_llmsize.hosts.sphinx",
            ["sympy", "sphinx_llmsize.model", "sphinx_llmsize.views"],
        ),
    ],
)
def test_nothing_is_imported_before_it_is_needed(code: str, heavy: list[str]) -> None:
    loaded = (
        python(f"import sys; {code}; print('loaded', *sys.modules)").split("loaded")[-1].split()
    )
    assert "sphinx_llmsize" in loaded
    assert [name for name in heavy if name in loaded] == []


@pytest.mark.parametrize("name", ["ConfigError", "Model", "UnknownModel", "load", "setup"])
def test_public_names(name: str) -> None:
    assert python(f"import sphinx_llmsize; print(sphinx_llmsize.{name}.__name__)") == name


def test_other_names_do_not_exist() -> None:
    import sphinx_llmsize

    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        sphinx_llmsize.laod  # noqa: B018
