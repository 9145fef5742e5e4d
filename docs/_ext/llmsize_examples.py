"""Directives for examples that run during the build: messages, commands, Python sessions."""

from __future__ import annotations

import re
import shlex
from code import InteractiveInterpreter
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import BytesIO, StringIO, TextIOWrapper
from textwrap import indent
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.make_model import make_model
from sphinx_llmsize.sources.text import read_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


_FENCE = re.compile(
    r"^(`{3,})\{(?P<name>[\w-]+)\} *(?P<argument>.*)\n(?P<content>[\s\S]*?)^\1$", re.MULTILINE
)
_ROLE = re.compile(r"\{([\w-]+)\}(`[^`]+`)")
_INDENT = "   "


class Example(SphinxDirective):
    """MyST Markdown: its source, the same source in reStructuredText, and the result.

    Only for pages in Markdown. The content has directives as fences, roles and plain text.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Tabs with the sources, then the result."""
        source = "\n".join(self.content)
        sources = (
            ("MyST Markdown", "myst", "markdown", source),
            ("reStructuredText", "rst", "rst", in_rst(source)),
        )
        tabs = "".join(map(_tab, *zip(*sources, strict=True)))
        text = f"::::{{tab-set}}\n:sync-group: markup\n\n{tabs}::::\n\n{source}\n"
        return self.parse_text_to_nodes(text)


class Result(SphinxDirective):
    """The result of MyST Markdown, then its source. Only for pages in Markdown."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The result and a block of code."""
        source = "\n".join(self.content)
        return self.parse_text_to_nodes(f"{source}\n\n`````markdown\n{source}\n`````\n")


def in_rst(source: str) -> str:
    """MyST Markdown with directives and roles as reStructuredText."""
    return _ROLE.sub(r":\1:\2", _FENCE.sub(_directive, source))


def _directive(fence: re.Match[str]) -> str:
    """A directive, whose content may contain others."""
    content = in_rst(fence["content"])
    if content and not content.startswith((":", "\n")):
        content = f"\n{content}"
    return f".. {fence['name']}:: {fence['argument']}\n{indent(content, _INDENT)}".rstrip()


def _tab(title: str, sync: str, language: str, source: str) -> str:
    fence = "`" * 8
    block = f"{fence}{{code-block}} {language}\n{source}\n{fence}"
    return f":::{{tab-item}} {title}\n:sync: {sync}\n\n{block}\n:::\n\n"


class Message(SphinxDirective):
    """A configuration with a mistake, and its warning."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The configuration and the warning, as literal blocks."""
        source = "\n".join(self.content)
        try:
            make_model("model", read_text(source), is_config_json=False)
        except ConfigError as error:
            place = "" if error.line is None else f"line {error.line + 1}: "
            message = f"{place}{error} [llmsize.{error.problem.value}]"
            warning = nodes.container("", _literal_block(message, "text"))
            warning["classes"].append("reference-message")
            return [_literal_block(source, "yaml"), warning]
        raise self.error("there is no mistake in this configuration")


class Command(SphinxDirective):
    """A shell command and its output."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The command and its output."""
        command = self.arguments[0]
        printed = TextIOWrapper(BytesIO(), "utf-8")
        with redirect_stdout(printed), suppress(SystemExit):
            main(shlex.split(command)[1:])
        printed.seek(0)
        return [_literal_block(f"$ {command}\n{printed.read()}", "console")]


class Session(SphinxDirective):
    """Python statements, one per line, and their output."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The statements with their output; an exception is an error of the page."""
        interpreter = InteractiveInterpreter({})
        lines: list[str] = []
        for statement in self.content:
            printed, failed = StringIO(), StringIO()
            with redirect_stdout(printed), redirect_stderr(failed):
                interpreter.runsource(statement)
            if failed.getvalue():
                raise self.error(failed.getvalue())
            lines += [f">>> {statement}", *printed.getvalue().splitlines()]
        return [_literal_block("\n".join(lines), "pycon")]


def _literal_block(text: str, language: str) -> nodes.literal_block:
    text = text.rstrip("\n")
    return nodes.literal_block(text, text, language=language)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives."""
    app.add_directive("llmsize-example", Example)
    app.add_directive("llmsize-result", Result)
    app.add_directive("llmsize-message", Message)
    app.add_directive("llmsize-command", Command)
    app.add_directive("llmsize-session", Session)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
