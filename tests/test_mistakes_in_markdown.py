"""The mistakes of :mod:`mistakes` in Python-Markdown and in ``llmsize update``, as in Sphinx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown import markdown
from mistakes import CASES
from mistakes.case import HERE, Case

from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.hosts.python_markdown import makeExtension

ELSEWHERE = re.compile(
    "markup_|in_|option_(links|no_box|goes_on)|path_parents|only_a_comment|first_.*compare"
)
"""Names of cases whose markup, option, path or hint is that of Sphinx or MyST."""
OF_DIRECTIVES = re.compile("template_|first_(template|body|role_commas)|name_")
"""Names of cases of directives that files updated by the command don't have."""
MISTAKES = [
    case for case in CASES if case.problem and "md" in case.pages and not ELSEWHERE.match(case.name)
]
FENCE = re.compile(
    r"^(?P<mark>~{3,}|`{3,})\{(?P<name>llm-size|llm-compare)\} ?(?P<argument>.*)\n"
    r"(?P<options>(?::.*\n)*)\n?(?P<body>(?:.*\n)*?)(?P=mark)$",
    re.MULTILINE,
)
ROLE = re.compile(r"\{llm-size\}(`+)([^\n]*?)\1")


def line_of(text: str) -> int:
    """Line of the mark; 0 without one."""
    before, here, _after = text.partition(HERE)
    return before.count("\n") + 1 if here else 0


def write_files(case: Case) -> None:
    for name, data in case.files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.replace(HERE.encode(), b""))


def page_of(case: Case) -> str:
    """The page, with paths of configuration files relative to it."""
    return case.pages["md"].replace(":config: /cfg/", ":config: cfg/")


def places(case: Case, page: str) -> Iterator[str]:
    """File and line of the mark; the name of a page is left out."""
    files = ((name, data.decode("utf-8", "replace")) for name, data in case.files.items())
    for name, text in ("", page), *files:
        if line := line_of(text):
            yield f"{name}:{line}: " if name else f"{line}: "


def test_every_kind_is_among_them() -> None:
    sphinx_only = {Problem.TEMPLATE, Problem.LINK, Problem.DUPLICATE}
    others = {*Problem} - {Problem.INTERNAL} - sphinx_only  # internal errors are no mistakes
    assert {case.problem for case in MISTAKES} == {problem.value for problem in others}


def test_mistakes_in_python_markdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning of its kind, with the line, and one notice on the page."""
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for case in MISTAKES:
        write_files(case)
        page = page_of(case)
        caplog.clear()
        extensions = ["tables", "toc", "fenced_code", makeExtension(stylesheet="none")]
        shown = markdown(page.replace(HERE, ""), extensions=extensions)
        warnings = [record.getMessage().removeprefix(f"{tmp_path}/") for record in caplog.records]
        if not (
            len(warnings) == shown.count("llmsize-error") == 1
            and warnings[0].endswith(f" [llmsize.{case.problem}]")
            and all(warnings[0].startswith(place) for place in places(case, page))
            and case.message.replace("the page", "the Markdown file") in warnings[0]
        ):
            wrong[case.name] = (warnings, [*places(case, page)])
    assert wrong == {}


def as_markers(page: str) -> str:
    """Fences as regions and roles as numbers."""

    def region(found: re.Match[str]) -> str:
        head = "".join(found.group("argument", "options"))
        options = re.findall(r"^:([\w-]+): ?(.*)$", found["options"].replace(HERE, ""), re.M)
        written = "".join(
            f" {name}={mark}{value}{mark}"
            for name, value in options
            for mark in ("'" if '"' in value else '"')
        )
        argument = found["argument"].replace(HERE, "")
        start = f"<!-- {found['name']}: {argument}{written}"
        body = f"{HERE if HERE in head else ''}\n{found['body']}"
        return f"{start}{body}-->\n<!-- /{found['name']} -->"

    return ROLE.sub(r"<!-- llm-size: \2 --><!-- /llm-size -->", FENCE.sub(region, page))


def test_mistakes_in_updated_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message with the file and the line; the file stays as it was."""
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for case in MISTAKES:
        if OF_DIRECTIVES.match(case.name):
            continue
        page = as_markers(page_of(case))
        write_files(case)
        text = page.replace(HERE, "")
        Path("page.md").write_bytes(text.encode())
        code = main(("update", "page.md"))
        printed = capsys.readouterr().err
        expected = [
            place if ":" in place[:-2] else f"page.md:{place}" for place in places(case, page)
        ]
        if not (
            code == 2
            and printed.count("\n") == 1
            and all(printed.startswith(f"llmsize: {place}") for place in expected)
            and case.message.replace("the page", "the Markdown file") in printed
            and Path("page.md").read_bytes() == text.encode()
        ):
            wrong[case.name] = (code, printed, expected)
    assert wrong == {}
