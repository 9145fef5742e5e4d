"""Source of the plugin for mystmd, with the directives and options of this release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx_llmsize.directives.markdown_role import ROLE
from sphinx_llmsize.directives.registry import DIRECTIVES
from sphinx_llmsize.directives.template import TEMPLATE
from sphinx_llmsize.views.option_declarations import options_of

SOURCES = tuple(Path(__file__).with_name(name) for name in ("plugin.mjs", "mistakes.mjs"))
"""Parts of the plugin, one below the other."""
PLACEHOLDER = '"DECLARED"'
"""Text in the first part that the declarations replace."""


def plugin_source(version: str) -> str:
    """The plugin of a release, a JavaScript module without dependencies."""
    declared = json.dumps({"version": version, **declarations()}, indent=2)
    source = "\n".join(path.read_text("utf-8") for path in SOURCES)
    return source.replace(PLACEHOLDER, declared, 1)


def declarations() -> dict[str, Any]:
    """Names and descriptions of the directives with their options, and of the role."""
    directives = [
        {
            "name": name,
            "doc": directive.help,
            "options": {
                option: f"{declared.help_text} Value: {declared.metavar}."
                for option, declared in options_of(directive.options).items()
            },
        }
        for name, directive in DIRECTIVES.items()
    ]
    template = {"name": TEMPLATE, "doc": "Text with expressions over models.", "options": {}}
    return {
        "directives": [*directives, template],
        "role": {"name": ROLE, "doc": "A number of a model, such as llama-7b:total."},
    }
