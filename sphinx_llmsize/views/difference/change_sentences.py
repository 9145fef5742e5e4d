"""Sentences on single changes, without a full stop: ``The vocabulary grew from … to …``."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.symbols import V
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.changed_values import (
    arrow_text,
    changed_name,
    key_change_text,
    key_change_values,
)
from sphinx_llmsize.views.difference.changes_without_cost import (
    ARRANGEMENT,
    KIND,
    FreeChange,
    unnamed_masks_and_positions,
)
from sphinx_llmsize.views.difference.kinds_of_parts import parts_of
from sphinx_llmsize.views.difference.listed_changes import Change, ListedChange
from sphinx_llmsize.views.difference.masks_and_positions import different_window_sizes
from sphinx_llmsize.views.difference.pairs import Models, Texts
from sphinx_llmsize.views.in_words.mlp_in_words import is_mlp
from sphinx_llmsize.views.shared.key_text import flag_text, is_counted
from sphinx_llmsize.views.shared.wording import capital, in_sentence, listed_text

# pairs of messages: for a value that grew, and for one that shrank
VOCABULARY = (
    N_("The vocabulary grew from {before} to {after}"),
    N_("The vocabulary shrank from {before} to {after}"),
)
COUNTED = (
    N_("The number of {things} rose from {before} to {after}"),
    N_("The number of {things} fell from {before} to {after}"),
)
SIZES = (
    N_("The {things} grew from {before} to {after}"),
    N_("The {things} shrank from {before} to {after}"),
)
OTHER_KEY = N_("{name} changed from {before} to {after}")
FLAGS = {
    k.TIE_EMBEDDINGS: (
        N_("The LM head has weights of its own, no longer those of the token embedding"),
        N_("The LM head uses the weights of the token embedding, no longer its own"),
    ),
    k.IS_DECODER: (
        N_("Attention became bidirectional, so that each token sees the whole text"),
        N_("Attention became causal, so that each token sees only earlier ones"),
    ),
}
"""Pairs of messages: for a flag that became false, and for one that became true."""
WITH_SHARED_LAYERS = (
    N_(
        "The LM head has weights of its own, no longer those of the token embedding, and so has "
        "each of the layers that shared theirs"
    ),
    N_(
        "The LM head uses the weights of the token embedding, no longer its own, and several "
        "layers share theirs"
    ),
)
"""Pair of messages as in :data:`FLAGS`, for tied embeddings if they also tie layers."""
OTHER_FLAG = N_("The model now has {things}")
ATTENTION = N_("Attention changed from {before} to {after}")
ATTENTION_CHANGES = N_("Attention changed {changes}")
FROM_TO = N_("from {before} to {after}")
FREE = {
    KIND: N_("The architecture changed from {before} to {after}"),
    Aspect.SEQUENCE.id: ATTENTION,
    ARRANGEMENT: N_("Attention and the FFN of a layer are {after} instead of {before}"),
}
"""Message on each change without a cost, by its id."""
EXPERTS_REPLACE_FFN = N_("A router and {after} replace the {before}")
FFN_REPLACES_EXPERTS = N_("A single {after} replaces the router and {before}")
PARTS = {
    Aspect.EMBEDDING: N_("The embeddings changed from {before} to {after}"),
    Aspect.SEQUENCE: N_("The sequence mixing changed from {before} to {after}"),
    Aspect.FEED_FORWARD: N_("The FFN changed from {before} to {after}"),
    Aspect.RESIDUAL: N_("The residual streams changed from {before} to {after}"),
    Aspect.NORMS: N_("The norms changed from {before} to {after}"),
    Aspect.HEAD: N_("The head changed from {before} to {after}"),
}
ADDED_PARTS = {
    Aspect.EMBEDDING: N_("Embeddings were added ({part})"),
    Aspect.SEQUENCE: N_("Sequence mixing was added ({part})"),
    Aspect.FEED_FORWARD: N_("Feed-forward networks were added ({part})"),
    Aspect.RESIDUAL: N_("Steps were added to the residual connections ({part})"),
    Aspect.NORMS: N_("Norms were added ({part})"),
    Aspect.HEAD: N_("A head was added ({part})"),
}
REMOVED_PARTS = {
    Aspect.EMBEDDING: N_("The embeddings were removed ({part})"),
    Aspect.SEQUENCE: N_("The sequence mixing was removed ({part})"),
    Aspect.FEED_FORWARD: N_("The feed-forward networks were removed ({part})"),
    Aspect.RESIDUAL: N_("Steps of the residual connections were removed ({part})"),
    Aspect.NORMS: N_("Norms were removed ({part})"),
    Aspect.HEAD: N_("The head was removed ({part})"),
}
SOME_NORMS_REMOVED = N_("Some norms were removed ({part})")
OTHER_SHAPES = {
    Aspect.EMBEDDING: N_("The embeddings have other shapes"),
    Aspect.SEQUENCE: N_("The sequence mixing has other shapes"),
    Aspect.FEED_FORWARD: N_("The FFN has other shapes"),
    Aspect.RESIDUAL: N_("The residual streams have other shapes"),
    Aspect.NORMS: N_("The norms have other shapes"),
    Aspect.HEAD: N_("The head has other shapes"),
}


def change_sentence(difference: Difference, listed: ListedChange) -> str:
    """``The vocabulary grew from 32,000 to 128,256 tokens``."""
    texts = listed.values[0]
    match listed.change:
        case ConfigChange() as change:
            return _config_change_sentence(difference, change, listed)
        case StructureChange(aspect) if texts[0] == texts[1]:
            return _(OTHER_SHAPES[aspect])
        case StructureChange(aspect):
            return _part_sentence(difference.models, aspect, texts)
        case FreeChange(id):
            before, after = texts
            return _(FREE[id], before=before, after=after)


def _config_change_sentence(
    difference: Difference, change: ConfigChange, listed: ListedChange
) -> str:
    """The sentence on one or several changed keys, and on the parts that they replace."""
    named_keys, parts = listed.named_keys, listed.parts
    if len(change.key_changes) == len(parts) == 1:
        (part,) = parts
        return _part_sentence(change.models, part.aspect, part.texts)
    if len(named_keys) == 1:
        (key_change,) = named_keys
        return _key_change_sentence(key_change, changed_name(difference.models, key_change))
    texts: list[str] = []
    for each in named_keys:
        # if keys replace parts, the texts on the parts are more precise than the other keys
        if not parts or each.key.symbol or each.key in FLAGS:
            name = changed_name(difference.models, each)
            texts.append(_("{name} ({values})", name=name, values=key_change_text(each)))
    for _aspect, label, (before, after) in parts:
        values = arrow_text(before, after)
        texts.append(_("{name} ({values})", name=in_sentence(label), values=values))
    return _("{changes} changed together", changes=capital(listed_text(texts)))


def _key_change_sentence(change: KeyChange, name: str) -> str:
    """The sentence on a change of one key.

    Args:
        change: the change.
        name: name of the key in the two models.
    """
    before, after = change.values
    if change.key in FLAGS:
        messages = WITH_SHARED_LAYERS if change.ties_layers else FLAGS[change.key]
        became_false, became_true = messages
        return _(became_true if after else became_false)
    if type(after) is bool:
        return _(OTHER_FLAG, things=flag_text(change.key, after))
    before_text, after_text = key_change_values(change)
    if type(before) is not int or type(after) is not int:
        return _(OTHER_KEY, name=capital(name), before=before_text, after=after_text)
    if is_counted(change.key):
        grew, shrank = COUNTED
    elif change.key.symbol == V:
        grew, shrank = VOCABULARY
        after_text = ngettext("{number} token", "{number} tokens", after, number=after)
    elif change.key.symbol:
        grew, shrank = SIZES
    else:
        return _(OTHER_KEY, name=capital(name), before=before_text, after=after_text)
    message = shrank if after < before else grew
    return _(message, things=name, before=before_text, after=after_text)


def _part_sentence(models: Models, aspect: Aspect, texts: Texts) -> str:
    """``A router and 8 experts (2 active) replace the gated FFN``: a replaced part."""
    before, after = texts
    parts = parts_of(models, aspect)
    if not (parts[0] and before):
        return _(ADDED_PARTS[aspect], part=after)
    if not (parts[1] and after):
        # a second model with norms, but without a text on them, lacks only some of the first's
        are_some = aspect is Aspect.NORMS and parts[1]
        return _(SOME_NORMS_REMOVED if are_some else REMOVED_PARTS[aspect], part=before)
    groups = [{placed.stage.group for placed in part} for part in parts]
    message = PARTS[aspect]
    if aspect is Aspect.SEQUENCE and not any(Group.MIXER in of_model for of_model in groups):
        message = ATTENTION
    elif groups == [{Group.FEED_FORWARD}, {Group.EXPERTS}] and is_mlp(parts[0]):
        message = EXPERTS_REPLACE_FFN
    elif groups == [{Group.EXPERTS}, {Group.FEED_FORWARD}] and is_mlp(parts[1]):
        message = FFN_REPLACES_EXPERTS
    return _(message, before=before, after=after)


def attention_sentence(models: Models, listed: Iterable[Change]) -> str:
    """A sentence on the masks, positions and windows of attention, which cost no parameters.

    Empty if they don't differ, if one of the listed changes names them, or if a model has no
    attention.
    """
    if not all(has_attention(model.architecture) for model in models):
        return ""
    pairs = [*unnamed_masks_and_positions(models, listed), different_window_sizes(models)]
    changes = [
        _(FROM_TO, before=before.text, after=after.text)
        for before, after in pairs
        if before and after
    ]
    return _(ATTENTION_CHANGES, changes=listed_text(changes)) if changes else ""
