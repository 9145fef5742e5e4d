"""Consistency of the workflows, citation file, changelog and README."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import sphinx_llmsize

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RUN_NOX = re.compile(r"\bnox\b.* --session (\S+|\$\{\{.*?\}\})$")


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def nox_sessions() -> set[str]:
    """Names of the sessions in noxfile.py, as ``nox --session`` takes them."""
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    (pythons,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PYTHONS"
    )
    names: set[str] = set()
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
        if any("python=PYTHONS)" in decorator for decorator in decorators):
            names |= {f"{function.name}-{version}" for version in pythons}
        if any(decorator.startswith("nox.session") for decorator in decorators):
            names.add(function.name)
    return names


def called_sessions(workflow: Any) -> set[str]:
    """Names of the nox sessions that a workflow's jobs run, with their matrices expanded."""
    called: set[str] = set()
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        listed = {
            *matrix.get("session", ()),
            *(row["session"] for row in matrix.get("include", ())),
        }
        for step in job.get("steps", ()):
            for session in RUN_NOX.findall(step.get("run", "")):
                called |= listed if session == "${{ matrix.session }}" else {session}
    return called


def test_continuous_integration_runs_sessions_of_noxfile() -> None:
    called = called_sessions(read_yaml(ROOT / ".github" / "workflows" / "ci.yml"))
    assert {"tests-3.10", "tests-3.14", "oldest", "themes", "fuzz"} <= called
    assert called <= nox_sessions()


def test_classifiers_and_sessions_name_the_same_pythons() -> None:
    classified = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert {f"tests-{version}" for version in classified} == {
        name for name in nox_sessions() if name.startswith("tests-")
    }


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_only_the_publishing_job_may_write(path: Path) -> None:
    workflow = read_yaml(path)
    assert workflow["permissions"] == {"contents": "read"}
    widened = {
        name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job
    }
    publishes = {"publish": {"id-token": "write"}} if path.name == "release.yml" else {}
    assert widened == publishes


def test_citation_has_the_version() -> None:
    assert read_yaml(ROOT / "CITATION.cff")["version"] == sphinx_llmsize.__version__


def test_changelog_has_a_dated_section_for_the_version() -> None:
    version, released = re.escape(sphinx_llmsize.__version__), r"\d{4}-\d{2}-\d{2}"
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (date,) = re.findall(rf"^## \[{version}\] - ({released})$", changelog, re.MULTILINE)
    assert read_yaml(ROOT / "CITATION.cff")["date-released"] == date


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
    ids=lambda path: path.name,
)
def test_issue_forms_are_complete(path: Path) -> None:
    form = read_yaml(path)
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)


def test_links_of_the_readme_work_outside_the_repository() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    relative = [link for link in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in link]
    assert relative == []


def test_links_to_the_catalogue_lead_to_its_pages() -> None:
    """It is built into a folder of the site; absolute links would leave the version of the docs."""
    (command,) = read_yaml(ROOT / ".readthedocs.yaml")["build"]["jobs"]["post_build"]
    assert command.split()[-2:] == ["catalogue", '"$READTHEDOCS_OUTPUT/html/catalogue"']
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.rst")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    targets = set(re.findall(r"(?:{catalogue}|:catalogue:)`[^`]*<(.*?)>`", text))
    assert {"index", "lineage", "pipelines"} == targets
    assert all((ROOT / "catalogue" / f"{target}.rst").exists() for target in targets)
    assert "readthedocs.io/en/latest/catalogue" not in text


def test_the_first_blocks_of_the_readme_build_the_docs_and_run_the_tests() -> None:
    """CI runs these two blocks; other commands are indented."""
    readme = (ROOT / "README.md").read_text("utf-8")
    build, tests, *_others = re.findall(r"^```sh\n(.*?)^```", readme, re.M | re.S)
    assert build.splitlines()[-1] == ".venv/bin/sphinx-build docs docs/_build/html"
    assert tests.splitlines()[-1] == ".venv/bin/pytest -n auto"
