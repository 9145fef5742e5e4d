"""Names of the parts outside the layers: embeddings, and heads such as an LM head or a pooler."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import Labels, own_label
from sphinx_llmsize.views.shared.wording import in_sentence


def parts_outside_layers(model: Model, labels: Labels) -> str:
    """``embeddings and LM head``: the embeddings, and heads with weights, such as a pooler."""
    heads = model.architecture.heads_with_weights
    if not heads:
        return _("embeddings")
    if own := own_label(labels, (*heads, Group.HEAD.value), ""):
        return _("embeddings and {head}", head=in_sentence(own))
    if heads == {"lm_head"}:
        return _("embeddings and LM head")
    return _("embeddings and head")
