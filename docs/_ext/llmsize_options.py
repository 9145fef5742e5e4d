"""Lists of options, generated from their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.directive_options import OPTIONS, PageOptions
from sphinx_llmsize.views.option_declarations import Option, options_of
from sphinx_llmsize.views.view_options import ViewOptions

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


class Options(SphinxDirective):
    """The options of a directive, from their declarations.

    The argument is ``views`` or ``page`` for options that several directives share, or a
    directive's name for its own.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """An entry for each option."""
        lines: list[str] = []
        for name, declared in self.declared().items():
            example = f" Example: ``:{name}: {declared.example}``." if declared.example else ""
            lines += [
                f".. rst:directive:option:: {name}",
                f"   :type: {declared.metavar}",
                "",
                f"   {declared.help_text}{example}",
                "",
            ]
        return self.parse_text_to_nodes("\n".join(lines))

    def declared(self) -> dict[str, Option]:
        """The options by name."""
        shared = {"views": options_of(ViewOptions), "page": options_of(PageOptions)}
        if self.arguments[0] in shared:
            return shared[self.arguments[0]]
        own = OPTIONS[self.arguments[0]]
        kinds = (kind for kind in (ViewOptions, PageOptions) if issubclass(own, kind))
        known = {name for kind in kinds for name in options_of(kind)}
        return {name: each for name, each in options_of(own).items() if name not in known}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("llmsize-options", Options)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
