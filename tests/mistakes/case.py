"""A case: the same page in both markup languages, and the line of its error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import indent

HERE = " <--"
"""Mark at the end of the line with the error; it is removed from the page."""
SIZES = "num_layers: 2\nhidden_dim: 64\nnum_heads: 4\nvocab_size: 100"


@dataclass(frozen=True)
class Case:
    """A page's text and the expected warning.

    Attributes:
        name: name of the page.
        pages: text of the page by suffix; :data:`HERE` marks the line with the error, if any.
        problem: subtype of the expected warning; empty for a correct page.
        message: part of the warning's message.
        shown: name of a model that the page must show like this.
        files: contents of other files, by name.
    """

    name: str
    pages: Mapping[str, str]
    problem: str = ""
    message: str = ""
    shown: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


def directive(
    name: str, argument: str, options: str, body: str, problem: str = "", *, message: str = ""
) -> Case:
    """A page with one ``llm-size``."""
    content = "\n".join(filter(None, (options, body and f"\n{body}")))
    pages = {
        "rst": f"Title\n=====\n\ntext\n\n.. llm-size:: {argument}\n{indent(content, '   ')}\n",
        "md": f"# Title\n\ntext\n\n~~~~{{llm-size}} {argument}\n{content}\n~~~~\n",
    }
    return Case(name, pages, problem, message)


def body(name: str, text: str, problem: str = "", message: str = "") -> Case:
    """A page with a configuration."""
    return directive(name, "m", ":show: table", text, problem, message=message)


def sentence(name: str, role: str, problem: str, message: str = "") -> Case:
    """A page with a role in its second paragraph."""
    pages = {
        "rst": f"Title\n=====\n\ntext\n\nIt has :llm-size:`{role}` of them.{HERE}\n",
        "md": f"# Title\n\ntext\n\nIt has {{llm-size}}`{role}` of them.{HERE}\n",
    }
    return Case(name, pages, problem, message)
