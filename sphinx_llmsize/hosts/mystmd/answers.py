"""Answers to the plugin's requests; each is a JSON object on one line.

A request has the folder of a page, a role or a directive, and the directives above it, which may
define models. The answer has nodes, or lines of Markdown that the plugin parses. If the call is
wrong, the nodes are a notice, and the answer also has the mistake.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.markdown_role import ROLE
from sphinx_llmsize.directives.page import MarkdownPage, Page
from sphinx_llmsize.directives.registry import DIRECTIVES, define_model
from sphinx_llmsize.directives.template import TEMPLATE, nested_template_error
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.mystmd.block_nodes import nodes_of, notice
from sphinx_llmsize.hosts.mystmd.inline_nodes import text
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.role_text import role_text

Answer = dict[str, Any]
"""``nodes``, or ``lines`` with ``origins``, the 0-based line of the body that each is from.

The answer to a wrong call also has a ``mistake``.
"""


def answers(requests: Iterable[str]) -> Iterator[str]:
    """The answer to each request, as JSON."""
    for request in requests:
        yield json.dumps(answer(json.loads(request)))


def answer(request: Mapping[str, Any]) -> Answer:
    """Answer a request.

    Args:
        request: ``folder``, to which paths are relative; ``earlier``, the calls of directives above
            this one; and either ``role``, the text of a role, or ``call``, a directive. A call has
            the attributes of :class:`.Call`, and ``isWithin`` beside it is true if the directive
            is in the output of a template.
    """
    page = MarkdownPage(Path(request["folder"]))
    for earlier in request["earlier"]:
        try:
            define_model(page, Call(**earlier))
        except ConfigError:
            continue  # reported in the answer for that directive
    role = request.get("role")
    if role is not None:
        return _answer_role(page, role)
    try:
        call = Call(**request["call"])
        return _directive_output(page, call, is_in_template=request["isWithin"])
    except ConfigError as error:
        return {"nodes": [notice(_("Error"), str(error))], "mistake": _mistake(error)}


def _answer_role(page: Page, role: str) -> Answer:
    """The number that a role's text names; for a wrong one, "Error", the text and the mistake."""
    try:
        number = role_text(" ".join(role.split()), page.model_of_number)
    except ConfigError as error:
        label = {"type": "strong", "children": [text(_("Error"))]}
        code = {"type": "inlineCode", "value": visible(role) or ROLE}
        return {"nodes": [label, text(" "), code], "mistake": _mistake(error)}
    return {"nodes": [text(number)]}


@only_config_errors()
def _directive_output(page: Page, call: Call, *, is_in_template: bool) -> Answer:
    """The nodes of a directive, or the lines of a template.

    Raises:
        ConfigError: the call is wrong.
    """
    if call.directive == TEMPLATE:
        if is_in_template:
            raise nested_template_error()
        from sphinx_llmsize.sandbox import render

        rendered = render(call.body, page.find_model)
        return {"lines": rendered.lines, "origins": rendered.origins}
    define_model(page, call)
    return {"nodes": nodes_of(DIRECTIVES[call.directive].run(page, call))}


def _mistake(error: ConfigError) -> dict[str, Any]:
    """A mistake at an option, or at a 0-based line of the body.

    The message of a mistake in another file begins with the file's path and line.
    """
    message, line = str(error), error.line
    if error.file:
        position = "" if line is None else f"{line + 1}:"
        message = f"{visible(error.file)}:{position} {message}"
        line = None
    return {
        "message": message,
        "rule": f"llmsize.{error.problem.value}",
        "option": error.option,
        "line": line,
    }
