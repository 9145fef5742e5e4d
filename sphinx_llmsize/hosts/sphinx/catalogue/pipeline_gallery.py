"""Gallery of pipelines: the diagram of one model of each family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.hosts.sphinx.catalogue.headings import heading
from sphinx_llmsize.hosts.sphinx.catalogue.references import model_reference
from sphinx_llmsize.hosts.sphinx.directive_output import picture_data
from sphinx_llmsize.hosts.sphinx.inlines import GENERATED, paragraph
from sphinx_llmsize.hosts.sphinx.nodes import pipeline
from sphinx_llmsize.html.class_names import MUTED_CLASS
from sphinx_llmsize.model import Model
from sphinx_llmsize.picture_widths import NARROW
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views import document
from sphinx_llmsize.views.features.features import features_of
from sphinx_llmsize.views.pipeline.gallery_legend import gallery_legend
from sphinx_llmsize.views.view_options import Detail, ViewOptions

KINDS = {
    "": N_("Dense decoders"),
    "experts": N_("Mixtures of experts"),
    "latent_attention": N_("Latent attention"),
    "hybrid": N_("Hybrids of attention and other mixers"),
    "recurrent": N_("Recurrent models"),
    "encoder": N_("Encoders"),
    "encoder_decoder": N_("Encoder-decoders"),
}
"""Headings by the id of a feature; a model with several of these is under the last of them."""


def pipeline_gallery(directive: SphinxDirective, models: Sequence[Model]) -> Iterator[nodes.Node]:
    """A legend, and the diagram of the first model of each family under a heading for each kind."""
    families: dict[str, Model] = {}
    for model in models:
        families.setdefault(model.model_type, model)
    ordered = sorted(families.values(), key=lambda model: model.name.casefold())
    pairs = [(model, brief_diagram(model)) for model in ordered]
    if pairs:
        legend = paragraph(gallery_legend(pairs))
        yield nodes.container("", legend, classes=["llmsize-cards-legend"])
    for kind, label in KINDS.items():
        cards = [_card(directive, *pair) for pair in pairs if _kind(pair[0]) == kind]
        if cards:
            yield heading(directive, _(label))
            yield nodes.container("", *cards, classes=["llmsize-cards"])


def brief_diagram(model: Model) -> Diagram:
    """The brief diagram of a model."""
    blocks = document(model, ("diagram",), ViewOptions(detail=Detail.BRIEF))
    (diagram,) = (block for block in blocks if isinstance(block, Diagram))
    return diagram


def _kind(model: Model) -> str:
    """Key of a model's heading in :data:`KINDS`."""
    ids = {feature.id for feature in features_of(model)}
    for kind in reversed(KINDS):
        if kind in ids:
            return kind
    return ""


def _card(directive: SphinxDirective, model: Model, diagram: Diagram) -> nodes.container:
    """The model's name, linked to its page, and its brief diagram without a legend.

    All diagrams are drawn for the narrow width, so that their boxes are equally high. The family is
    below the name, unless the name begins with it.
    """
    attributes = picture_data(directive.env, pipeline.kind)
    picture = pipeline(diagram=diagram, links=(), width=NARROW, **attributes)
    figure = nodes.figure("", picture)
    family = model.family.title
    link = model_reference(directive.env, model, model.name)
    lines = [nodes.paragraph("", "", link, **GENERATED)]
    if not model.name.casefold().startswith(family.casefold()):
        lines.append(nodes.paragraph("", family, classes=[MUTED_CLASS], **GENERATED))
    return nodes.container("", *lines, figure, classes=["llmsize-card"])
