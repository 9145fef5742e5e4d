"""Directive ``llm-template``: its output is text in the page's markup, which each host parses."""

from __future__ import annotations

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

TEMPLATE = "llm-template"
"""Name of the directive."""


def nested_template() -> ConfigError:
    """Error for a template in the output of another one: their resource limits would multiply."""
    hint = _("remove the inner llm-template and keep its text")
    return ConfigError(_("llm-template inside llm-template"), Problem.EXPRESSION, hint)
