"""Notes for readers on the parameter count."""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.translation import N_


@dataclass(frozen=True)
class Note:
    """Remark on the parameter count.

    Attributes:
        text: the remark.
        key: if set, the note is shown only where this key's value is not null, 0, false or empty.
        component: if set, the note is shown only for models with untied tensors of this component.
    """

    text: str
    key: Key | None = None
    component: str = ""


TEXT_ONLY = Note(
    N_(
        "Text decoder only: other parts of the model, such as a vision or audio tower, are not "
        "counted here."
    )
)

MTP_NOTE = Note(
    N_(
        "The released weights also have multi-token-prediction layers, used in training "
        "and for speculative decoding; they are not counted here."
    ),
    k.MTP_LAYERS,
)

CORRECTION_BIAS_NOTE = Note(
    N_(
        "In every layer with experts the router also has a correction bias "
        "(e_score_correction_bias), one number for each expert: a buffer that balances the load, "
        "not a parameter. Some published totals count it; it is not counted here."
    ),
    k.NUM_EXPERTS,
)

UNTIED_NOTE = Note(N_("The LM head is never tied; tie_embeddings has no effect."), k.TIE_EMBEDDINGS)
