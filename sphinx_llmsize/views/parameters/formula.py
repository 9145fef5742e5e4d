"""Formula view: all parameters as an exact sum, and the active ones."""

from __future__ import annotations

from sphinx_llmsize.blocks import Block, Paragraph, Variable
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.parameters.parameter_sums import active_sum, total_sum
from sphinx_llmsize.views.shared.wording import filled
from sphinx_llmsize.views.view_options import ViewOptions


def formula(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A lead-in and the sum of all parameters, and that of the active ones if they are fewer."""
    lead_in = Paragraph((_("The components add up to the total:"),))
    total = total_sum(model, options.labels)
    if model.active == model.total:
        return (lead_in, total)
    message = _("A token is sent to {k} of the {E} experts. Its active parameters are:")
    sentence = Paragraph(filled(message, k=Variable("k"), E=Variable("E")))
    return (lead_in, total, sentence, active_sum(model))
