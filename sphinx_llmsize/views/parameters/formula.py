"""Formula view: all parameters as an exact sum, and the active ones."""

from __future__ import annotations

from sphinx_llmsize.blocks import Block, Line, Paragraph
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.parameters.active_sum import active_sum
from sphinx_llmsize.views.parameters.parameter_sums import total_sum
from sphinx_llmsize.views.shared.wording import filled, size_line
from sphinx_llmsize.views.view_options import ViewOptions


def formula(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The sum of all parameters and, if they are fewer, that of the active ones.

    A sentence leads from other views to the sum. If it is the only view, the author's text does.
    """
    sums: tuple[Block, ...] = (total_sum(model, options.labels),)
    if options.shown != ("formula",):
        sums = (Paragraph((_("The components add up to the total:"),)), *sums)
    if model.active == model.total:
        return sums
    return (*sums, Paragraph(_experts_sentence(model)), active_sum(model))


def _experts_sentence(model: Model) -> Line:
    """Sentence on the experts that a token uses: k, or a number that the family fixes."""
    # Fewer parameters are active only in models with experts. All layers with experts are taken to
    # have the same number as the first of these.
    expert_counts = [placed.stage.expert_count for placed in model.architecture.placed_stages()]
    experts = next(filter(None, expert_counts))
    message = _("A token is sent to {k} of the {E} experts. Its active parameters are:")
    return filled(message, k=size_line(experts.per_token), E=size_line(experts.total))
