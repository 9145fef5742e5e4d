"""Output of a directive: its blocks as nodes, with the caption, name and links of its options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import Table
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.hosts.sphinx import locate, project_templates, render
from sphinx_llmsize.hosts.sphinx.inlines import paragraph
from sphinx_llmsize.hosts.sphinx.interactive import with_explorer
from sphinx_llmsize.hosts.sphinx.nodes import chart, mermaid_pipeline, pipeline
from sphinx_llmsize.hosts.sphinx.pictures import LANGUAGES
from sphinx_llmsize.hosts.sphinx.render import Caption
from sphinx_llmsize.hosts.sphinx.settings import MATHML, MERMAID
from sphinx_llmsize.html.class_names import OUTPUT_CLASS
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.template_files import FOLDER, template_name
from sphinx_llmsize.translation import N_, _

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.blocks import Block, Document
    from sphinx_llmsize.hosts.sphinx.directive_options import PageOptions

DIAGRAM_TEMPLATE = f"{FOLDER}/diagram.mmd.jinja"
"""Template of the Mermaid source of diagrams."""
FLOATS = (Table, Diagram, Chart)
"""Blocks with a caption and a name."""


@dataclass(frozen=True)
class DirectiveOutput:
    """Blocks that a directive shows, with the options that apply to them."""

    directive: SphinxDirective
    blocks: Document
    options: PageOptions

    def build(self) -> list[nodes.Node]:
        """A container with every block, and the messages from parsing the caption.

        Raises:
            ConfigError: a link names an unknown box, or no block can have the caption.
        """
        self._check_links()
        floats = [block for block in self.blocks if isinstance(block, FLOATS)]
        captioned = floats[0] if floats else None
        caption, messages = self._caption(captioned)
        container = nodes.container(classes=[OUTPUT_CLASS, *self.options.class_])
        float_nodes: list[nodes.Element] = []
        for block in self.blocks:
            node = self._node(block, caption if block is captioned else None)
            container += node
            if isinstance(block, FLOATS):
                # a table is inside a scroll region: align and name the table itself
                float_nodes.append(next(node.findall(nodes.table), node))
        if self.options.align:
            for node in float_nodes:
                node["align"] = self.options.align.value
        self.directive.set_source_info(container)
        self.directive.add_name(float_nodes[0] if float_nodes else container)
        return [self._with_explorer(container), *messages]

    def _with_explorer(self, container: nodes.container) -> nodes.Element:
        """The container; inside a node with an explorer if the output is interactive."""
        if not isinstance(self.blocks, InteractiveDocument):
            return container
        node = with_explorer(self.directive, self.blocks, container, self.options.links)
        self.directive.set_source_info(node)
        return node

    @property
    def _is_interactive(self) -> bool:
        """True for output whose formulas and diagrams a script changes."""
        return isinstance(self.blocks, InteractiveDocument)

    def _check_links(self) -> None:
        """Raise ConfigError for the first link whose box no diagram has."""
        boxes = [box for block in self.blocks if isinstance(block, Diagram) for box in block.boxes]
        known: dict[str, None] = {}  # keys only: a set in order
        for box in boxes:
            known |= dict.fromkeys(box.names or (box.id,))
        for name, _target in self.options.links:
            if not any(box.is_called(name) for box in boxes):
                error = unknown_word(N_("no box {name} to link"), name, known, Problem.LINK)
                raise error.at(option="links")

    def _node(self, block: Block, caption: Caption | None) -> nodes.Element:
        """Node of a block; ``caption`` replaces the generated caption unless it is None."""
        if isinstance(block, Table):
            return render.table(block, caption)
        if isinstance(block, Diagram):
            return render.figure(block, self._diagram(block), caption)
        if isinstance(block, Chart):
            return render.figure(block, self._chart(block), caption)
        in_mathml = self._is_interactive or self.directive.config.llmsize_math == MATHML
        return render.block(block, in_mathml=in_mathml)

    def _caption(self, captioned: Block | None) -> tuple[Caption | None, list[nodes.Node]]:
        """The caption of the options, if any, and the messages from parsing it.

        Raises:
            ConfigError: there is a caption, but ``captioned``, the block to have it, is None.
        """
        text = self.options.caption
        if not text:
            return None, []
        if captioned is None:
            hint = _("show the table or the diagram too, or remove the caption")
            message = _("nothing here takes a caption")
            raise ConfigError(message, Problem.OPTION, hint, option="caption")
        parsed, messages = self.directive.parse_inline(text, lineno=self.directive.lineno)
        source, line = locate.option_line(self.directive, "caption")
        caption = Caption(text, tuple(parsed), source, line)
        return caption, list(messages)

    def _diagram(self, diagram: Diagram) -> pipeline:
        """Node of a diagram; with links, its location is that of ``:links:``, for warnings."""
        env, links = self.directive.env, self.options.links
        attributes = {"diagram": diagram, "links": links, **picture_data(env, pipeline.kind)}
        if env.config.llmsize_diagram == MERMAID and not self._is_interactive:
            search_path, version = project_templates.depend(env, DIAGRAM_TEMPLATE)
            code = mermaid_source(diagram, search_path, version)
            node: pipeline = mermaid_pipeline(code=code, options={}, **attributes)
        else:
            node = pipeline(**attributes)
        if links:
            node.source, node.line = locate.option_line(self.directive, "links")
        else:
            node.source, node.line = locate.first_line(self.directive)
        return node

    def _chart(self, block: Chart) -> chart:
        """Node of a chart, which contains its description in words."""
        description = paragraph((block.description,))
        node = chart("", description, chart=block, **picture_data(self.directive.env, chart.kind))
        node.source, node.line = locate.first_line(self.directive)
        return node


def picture_data(env: BuildEnvironment, kind: str) -> dict[str, Any]:
    """Attributes ``docname`` and ``number`` of the next picture of the page being read.

    The templates of pictures of this kind become dependencies of the page.
    """
    for language in LANGUAGES:
        project_templates.depend(env, template_name(kind, language))
    return {"docname": env.docname, "number": env.new_serialno("llmsize")}


@lru_cache(maxsize=512)
def mermaid_source(diagram: Diagram, search_path: tuple[str, ...], version: str = "") -> str:
    """Mermaid source of a diagram.

    Args:
        diagram: the diagram.
        search_path: folders with templates of the project.
        version: fingerprint of the template, for the cache.
    """
    context = {"diagram": diagram, "coloured": False}
    return templating.render(DIAGRAM_TEMPLATE, search_path, version, **context)
