"""Sessions that take longer, or need more, than the plain test command."""

from __future__ import annotations

from pathlib import Path

import nox

nox.options.sessions = []
nox.options.error_on_missing_interpreters = False

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
PROJECT = nox.project.load_toml("pyproject.toml")["project"]
BOOKS = Path("tests", "projects").resolve()
GPT2 = "124,439,808"
"""The parameters that a page about GPT-2 must tell."""


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The tests, with the newest releases that this Python has."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session(python=PYTHONS[0])
def oldest(session: nox.Session) -> None:
    """The tests, with the oldest releases that are said to do."""
    extras = PROJECT["optional-dependencies"]
    needed = (*PROJECT["dependencies"], *extras["myst"], *extras["docs"])
    releases = (name.replace(">=", "==") for name in needed if ">=" in name)
    session.install("-e", ".[test]", *releases)
    session.run("pytest", *session.posargs)


@nox.session
def jupyter_book(session: nox.Session) -> None:
    """A book of Jupyter Book 1, whose releases of Sphinx and MyST are its own."""
    session.install("-e", ".", "jupyter-book<2")
    out = session.create_tmp()
    session.run("jupyter-book", "build", "-W", "--all", "--path-output", out, str(BOOKS / "book"))
    page = Path(out, "_build", "html", "intro.html").read_text("utf-8")
    if GPT2 not in page or "llmsize-error" in page:
        session.error("the page does not tell the model's size")


@nox.session
def ablog(session: nox.Session) -> None:
    """A blog, whose feed is read where neither stylesheet nor script is."""
    session.install("-e", ".", "ablog")
    out = session.create_tmp()
    session.run("sphinx-build", "-E", "-W", "-b", "dirhtml", str(BOOKS / "blog"), out)
    feed = Path(out, "blog", "atom.xml").read_text("utf-8")
    told = (GPT2, "Token embedding", "QKV projection", "underbrace")
    missing = [text for text in told if text not in feed]
    if missing or "flowchart" in feed:
        session.error(f"the feed lacks {missing}, or has a diagram's source in place of a diagram")


@nox.session
def themes(session: nox.Session) -> None:
    """Every theme in every look, in a browser; CONTRIBUTING tells what that needs."""
    session.install("-e", ".[test]")
    looks = {"LLMSIZE_EVERY_THEME": "1", "LLMSIZE_REQUIRE_BROWSER": "1"}
    session.run("pytest", "tests/browser", *session.posargs, env=looks)


@nox.session
def differential(session: nox.Session) -> None:
    """Random configurations of every family against what transformers builds of them.

    ``nox -s differential -- --examples 100`` draws more for each ``model_type``.
    """
    needed = ("pytest", "pytest-xdist", "hypothesis", "torch==2.13.0", "transformers==5.23.0")
    session.install(".", *needed)
    session.run("pytest", "differential", "-s", *session.posargs)


@nox.session
def incremental(session: nox.Session) -> None:
    """Hundreds of scripts of edits, and every way to build: nothing may lie stale or differ."""
    session.install("-e", ".[test]")
    every = ("--scripts", "200", "--ways", "16")
    session.run("pytest", "tests/test_incremental.py", *every, *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Whatever reads text, given any text, for as many seconds: ``nox -s fuzz -- 600``.

    Then random pages, five a second.
    """
    seconds = session.posargs[0] if session.posargs else "60"
    session.install("-e", ".[test]")
    try:
        session.install("--only-binary", "atheris", "atheris")
    except nox.command.CommandFailed:
        session.warn("there is no atheris for this Python: random pages only")
    else:
        session.run("python", "-m", "fuzz", "--seconds", seconds)
    pages = {"LLMSIZE_EXAMPLES": str(5 * int(seconds))}
    session.run("pytest", "tests/test_fuzz_pages.py", env=pages)


@nox.session
def guards(session: nox.Session) -> None:
    """Every guard taken away in turn: some test must fail.

    ``nox -s guards -- sphinx_llmsize/sandbox --tests tests/test_sandbox*.py`` is for one part.
    """
    session.install("-e", ".[test]")
    session.run("python", "-m", "fuzz.guards", *session.posargs)


@nox.session
def translations(session: nox.Session) -> None:
    """Update the catalogues; ``-- fr`` adds a language, ``-- --check`` fails if any is incomplete.

    The check belongs to a release: until then a missing translation falls back to English.
    """
    session.install("-e", ".", "babel>=2.12")
    session.run("python", "tests/catalogues.py", *session.posargs)
    session.install("-e", ".")  # compiles them
