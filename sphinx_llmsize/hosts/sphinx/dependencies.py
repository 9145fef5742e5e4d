"""What pages were made from besides their own text, so that a change has just those read anew.

Sphinx compares times, so it overlooks a file that was moved or restored; and it reads a page
at every build that depends on a missing file. So each page has the questions that were asked
while it was read (what is in this file? how does the project describe this model?) and their
answers. A page for which one of them would be answered otherwise now is read anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    Question = Callable[[BuildEnvironment, str], str]
    Answers = dict[tuple[Question, str], str]

ANSWERS = "llmsize_answers"
"""The environment's attribute with the answers that each page was made from."""


def ask(env: BuildEnvironment, question: Question, subject: str) -> str:
    """The answer, on which the page that is being read depends from now on.

    Args:
        env: the environment.
        question: a function of a module that is cheap to import, as it is pickled by its name.
        subject: what it is about.
    """
    answers = _of_pages(env).setdefault(env.docname, {})
    asked = question, subject
    if asked not in answers:
        answers[asked] = question(env, subject)
    return answers[asked]


def _of_pages(env: BuildEnvironment) -> dict[str, Answers]:
    return cast("dict[str, Answers]", env.__dict__.setdefault(ANSWERS, {}))


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """The pages for which an answer is another now."""
    now: Answers = {}

    def is_other(asked: tuple[Question, str], before: str) -> bool:
        if asked not in now:
            question, subject = asked
            now[asked] = question(env, subject)
        return now[asked] != before

    known = added | changed | removed
    return [
        page
        for page, answers in _of_pages(env).items()
        if page not in known and any(is_other(*item) for item in answers.items())
    ]


def _purge(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _of_pages(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    """Take what another process has read."""
    read = _of_pages(other)
    _of_pages(env).update((page, read[page]) for page in pages if page in read)


def setup(app: Sphinx) -> None:
    """Ask again before each build, and keep the answers as pages come and go."""
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
