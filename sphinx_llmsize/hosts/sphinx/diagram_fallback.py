"""Fallback for diagrams: a description in words; and a warning if ``mmdc`` is missing.

The description also contains the cross-references of ``:links:``, so that Sphinx resolves them.
"""

from __future__ import annotations

import shlex
import shutil
from functools import partial
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.guards import connect, for_each, guarded_transform
from sphinx_llmsize.hosts.sphinx.links import link
from sphinx_llmsize.hosts.sphinx.nodes import mermaid_pipeline, pipeline, runs_scripts
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.html.class_names import DRAWN_CLASS
from sphinx_llmsize.translation import _


class DescribeDiagrams(SphinxPostTransform):
    """Add the description of a diagram that is not drawn, or that has links to resolve."""

    default_priority = 5  # before Sphinx resolves the links in the description, at 10
    formats = ("html", "latex")  # their writers draw diagrams

    @guarded_transform
    def apply(self, **kwargs: Any) -> None:
        """Describe diagrams; remove text that refers to a drawing if none is drawn.

        Unlike :meth:`run`, Sphinx calls this for all formats.
        """
        is_drawn = self.is_supported()
        diagrams = self.document.findall(pipeline)
        for_each((each for each in diagrams if each["links"] or not is_drawn), describe)
        if not is_drawn:
            for text in list(self.document.findall(nodes.inline)):
                if DRAWN_CLASS in text["classes"]:
                    text.parent.remove(text)


def _warn_without_command(app: Sphinx, page: nodes.document, docname: str) -> None:
    """Warn once if Mermaid's command is needed but not installed."""
    diagram = page.next_node(mermaid_pipeline)
    if diagram is None or not runs_scripts(app.builder, page):
        return
    if command := missing_command(app.config):
        message = _("mermaid_cmd {command} cannot be run", command=repr(command))
        hint = _(
            'diagrams are drawn without it; set mermaid_output_format = "raw" or'
            ' llmsize_diagram = "svg"'
        )
        warn(ConfigError(message, Problem.OPTION, hint), diagram, once=True)


def missing_command(config: Config) -> str:
    """Name of Mermaid's command if it is needed but not installed, else an empty string."""
    # a command that a shell runs may be more than the name of a program
    if config.mermaid_output_format == "raw" or config.mermaid_cmd_shell in (True, "True", "true"):
        return ""
    command = config.mermaid_cmd
    try:
        program, *_arguments = shlex.split(command) if isinstance(command, str) else command
        is_installed = bool(shutil.which(program))
        return "" if is_installed else program or "mmdc"
    except (ValueError, TypeError, IndexError, AttributeError):  # a setting of the wrong kind
        return "mmdc"


def describe(diagram: pipeline) -> None:
    """Add a diagram's description, unless it has one."""
    from sphinx_llmsize.hosts.sphinx.diagram_description import description

    if not diagram.children:
        diagram.append(description(diagram["diagram"], partial(link, diagram)))


def setup(app: Sphinx) -> None:
    """Register the transform and the check."""
    app.add_post_transform(DescribeDiagrams)
    connect(app, "doctree-resolved", _warn_without_command)
