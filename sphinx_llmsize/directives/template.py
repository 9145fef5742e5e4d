"""Name and errors of ``llm-template``, whose output is markup that each host parses itself."""

from __future__ import annotations

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

TEMPLATE = "llm-template"
"""Name of the directive."""


def nested_template_error() -> ConfigError:
    """Error for a template in the output of another one: their resource limits would multiply."""
    hint = _("write the inner template's text without its directive")
    return ConfigError(_("llm-template inside llm-template"), Problem.EXPRESSION, hint)
