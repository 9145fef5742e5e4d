"""Base class of the directives that take models: their argument, options and body as text."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.internal_errors import only_config_errors

ANY_OPTION: dict[str, Callable[[str], Any]] = defaultdict(
    lambda: directives.unchanged, show=directives.unchanged
)
"""``option_spec`` that accepts every option as text; the directive checks options itself.

Errors of docutils and MyST have no warning type and no hint, and some have no line. The mapping has
an entry, since docutils and MyST take an empty one for a directive without options.
"""


class ModelDirective(SphinxDirective):
    """A directive with models in its argument, which may have several lines, or in its body."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = ANY_OPTION

    def run(self) -> list[nodes.Node]:
        """Return the output, or an error notice if the input is invalid."""
        try:
            with only_config_errors():
                return self.output()
        except ConfigError as error:
            return [problems.report(error, self, takes_name=True)]

    @abstractmethod
    def output(self) -> list[nodes.Node]:
        """Nodes that the directive shows.

        Raises:
            ConfigError: the input is invalid.
        """

    @property
    def argument(self) -> str:
        """The argument on one line; empty if there is none."""
        return " ".join("".join(self.arguments).split())

    @property
    def body(self) -> str:
        """The lines below the options."""
        return "\n".join(self.content)
