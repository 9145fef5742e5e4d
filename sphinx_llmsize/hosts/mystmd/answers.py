"""Answers to the plugin's requests, one line of JSON each.

A request has a page's folder, a call, and the calls before it that may have configured models.
The answer has nodes, or lines of Markdown for the plugin to parse; if the call is wrong, also the
mistake, and then the nodes are a notice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.page import MarkdownPage, Page
from sphinx_llmsize.directives.registry import DIRECTIVES, define_model
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.mystmd.nodes import nodes, notice, text
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.role_text import role_text

ROLE, TEMPLATE = "llm-size", "llm-template"
"""Names of the role, and of the directive whose output is Markdown."""
Answer = dict[str, Any]


def answers(requests: Iterable[str]) -> Iterator[str]:
    """The answer to each request, as JSON."""
    for request in requests:
        yield json.dumps(answer(json.loads(request)))


def answer(request: Mapping[str, Any]) -> Answer:
    """Answer a request.

    Args:
        request: ``folder``, to which paths are relative; ``earlier``, the calls of directives above
            this one; and either ``role``, the text of a role, or ``call``, a directive with
            ``directive``, ``argument``, ``options`` and ``body``, and ``isWithin``, true in the
            output of a template.
    """
    page = MarkdownPage(Path(request["folder"]))
    for earlier in request["earlier"]:
        try:
            define_model(page, Call(**earlier))
        except ConfigError:
            continue  # reported in the answer for that directive
    role = request.get("role")
    try:
        if role is not None:
            return {"nodes": [text(role_text(" ".join(role.split()), page.model_of_number))]}
        return _output(page, Call(**request["call"]), is_within=request["isWithin"])
    except ConfigError as error:
        if role is None:
            shown = notice(_("Error"), str(error))
        else:
            shown = {"type": "inlineCode", "value": visible(role) or ROLE}
        return {"nodes": [shown], "mistake": _mistake(error)}


def _output(page: Page, call: Call, *, is_within: bool) -> Answer:
    if call.directive == TEMPLATE:
        if is_within:  # the limits of nested templates would multiply
            hint = _("remove the inner llm-template and keep its text")
            raise ConfigError(_("llm-template inside llm-template"), Problem.EXPRESSION, hint)
        from sphinx_llmsize.sandbox import render

        rendered = render(call.body, page.find_model)
        return {"lines": rendered.lines, "origins": rendered.origins}
    define_model(page, call)
    return {"nodes": nodes(DIRECTIVES[call.directive].run(page, call))}


def _mistake(error: ConfigError) -> dict[str, Any]:
    """A mistake with its place: an option, or a line of the body, from 0."""
    message = str(error)
    line = error.line
    if error.file:
        position = "" if line is None else f"{line + 1}:"
        message, line = f"{visible(error.file)}:{position} {message}", None
    return {
        "message": message,
        "rule": f"llmsize.{error.problem.value}",
        "option": error.option,
        "line": line,
    }
