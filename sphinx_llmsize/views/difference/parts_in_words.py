"""Parts of an architecture in a few words: ``gated MLP``, ``8 experts, 2 active``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Source
from sphinx_llmsize.architecture.tensors import SINGLE, Role
from sphinx_llmsize.config.symbols import D_H, H_DEC, H_ENC, H_KV, T_SEEN, H
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text, tied_text

LABELS = {
    **{aspect: aspect.value[0].label for aspect in Aspect},
    Aspect.EMBEDDING: N_("Embeddings"),
}
"""Label of each part: that of its first group, except "Embeddings" instead of "Embedding"."""
Places = Sequence[PlacedStage]


def part_in_words(model: Model, aspect: Aspect) -> str:
    """The part of a model in a few words; ``none`` if it has no such part."""
    places = places_of_part(model, aspect)
    if not places:
        return _("none")
    return DESCRIPTIONS[aspect](model, places)


def places_of_part(model: Model, aspect: Aspect) -> Places:
    """The stages of a part of the model."""
    return [p for p in model.architecture.places() if p.stage.group in aspect.value]


def blocks_in_words(model: Model, places: Places) -> str:
    """Some stages of one group in a few words: ``grouped-query attention``, ``gated MLP``."""
    group = places[0].stage.group
    if group is Group.ATTENTION:
        return _attention(model, places)
    if group is Group.MIXER:
        return _mixer(places)
    if group is Group.FEED_FORWARD:
        return _mlp(places)
    if group is Group.EXPERTS:
        return _experts(model, places)
    return _labels(model, places)


def _labels(_model: Model, places: Places) -> str:
    """The labels of the stages: ``token embedding and position embedding``."""
    labels = dict.fromkeys(in_sentence(place.stage.label) for place in places)
    return listed_text(list(labels))


def _sequence(model: Model, places: Places) -> str:
    """Kinds of attention and of mixers, with their numbers of layers if there are several."""
    attention = [p for p in places if p.stage.group is Group.ATTENTION]
    mixers = [p for p in places if p.stage.group is Group.MIXER]
    parts: list[tuple[str, Places]] = []
    if mixers:
        parts.append((_mixer(mixers), mixers))
    if attention:
        parts.append((_attention(model, attention), attention))
    return _with_layers(model, parts)


def _mixer(places: Places) -> str:
    """Names of the sequence mixers: ``Mamba``."""
    components = (t.component for place in places for t in place.stage.tensors)
    labels = dict.fromkeys(in_sentence(COMPONENT_LABELS[c]) for c in components)
    return listed_text(list(labels))


def _attention(model: Model, places: Places) -> str:
    """The kind of attention, by its number of key/value heads: ``grouped-query attention``."""
    kind = _kind_of_attention(model, places)
    sources = {place.stage.source for place in places}
    if Source.ENCODER in sources and Source.BEFORE in sources:
        return _("{attention} and cross-attention", attention=kind)
    return kind


def _kind_of_attention(model: Model, places: Places) -> str:
    if caches_latents(place.stage for place in places):
        return _("multi-head latent attention")
    sizes = model.config.sizes
    if H_ENC in sizes or H_DEC in sizes:
        return _("multi-head attention")
    heads, shared = sizes.get(H), key_value_heads(model, places)
    if not heads or not shared:
        return _("attention")
    if shared == heads:
        return _("multi-head attention")
    return _("multi-query attention") if shared == 1 else _("grouped-query attention")


def key_value_heads(model: Model, places: Places) -> int | None:
    """Number of key/value heads in the attention of a model; None if there is no such number.

    Falcon 7B and StarCoder cache one head, whatever the number of key/value heads in their files.
    """
    sizes = model.config.sizes
    single_arrays = [p.stage.caches[0] for p in places if len(p.stage.caches) == 1]
    if any(product(*shape).symbols() == {T_SEEN, D_H} for shape in single_arrays):
        return 1
    return sizes.get(H_KV)


def _feed_forward(model: Model, places: Places) -> str:
    """MLPs and experts, with their numbers of layers if there are both."""
    dense = [p for p in places if p.stage.group is Group.FEED_FORWARD]
    experts = [p for p in places if p.stage.group is Group.EXPERTS]
    parts: list[tuple[str, Places]] = []
    if dense:
        parts.append((_mlp(dense), dense))
    if experts:
        parts.append((_experts(model, experts), experts))
    return _with_layers(model, parts)


def _mlp(places: Places) -> str:
    components = {t.component for place in places for t in place.stage.tensors}
    is_gated = any(component.startswith("mlp_gate") for component in components)
    return _("gated MLP") if is_gated else _("MLP")


def _experts(model: Model, places: Places) -> str:
    """``8 experts (2 active)``, ``256 experts (8 active) plus shared experts``."""
    text = _("experts")
    expert_counts = [p.stage.expert_count for p in places if p.stage.expert_count is not SINGLE]
    if expert_counts:
        total = model.architecture.count(expert_counts[0].total)
        active = model.architecture.count(expert_counts[0].per_token)
        text = _("{total} experts ({used} active)", total=total, used=active)
    has_shared = any(t.component == "shared_experts" for p in places for t in p.stage.tensors)
    return _("{experts} plus shared experts", experts=text) if has_shared else text


def _norms(model: Model, places: Places) -> str:
    """``65 norms``, ``129 norms before and after each block, plus Q and K norms in 32 layers``."""
    in_heads = [place for place in places if _is_within_heads(place)]
    text = _plain_norms(model, [place for place in places if place not in in_heads])
    if not in_heads:
        return text
    layers = _layers(model, in_heads)
    return ngettext(
        "{norms}, plus {others} in {n} layer",
        "{norms}, plus {others} in {n} layers",
        layers,
        norms=text,
        others=_labels(model, in_heads),
        n=layers,
    )


def _is_within_heads(place: PlacedStage) -> bool:
    """True for norms of queries, keys and latents."""
    return place.stage.id.startswith(("qk_norm", "q_norm", "kv_norm"))


def _plain_norms(model: Model, places: Places) -> str:
    """``25 layer norms with biases``, ``65 norms``, ``33 norms without weights``."""
    number = sum(model.architecture.count(place.layers) for place in places)
    roles = {tensor.role for place in places for tensor in place.stage.tensors}
    if Role.BIAS in roles:  # an RMS norm has a scale only
        text = ngettext(
            "{n} layer norm with a bias", "{n} layer norms with biases", number, n=number
        )
    elif roles:
        text = ngettext("{n} norm", "{n} norms", number, n=number)
    else:
        text = ngettext("{n} norm without weights", "{n} norms without weights", number, n=number)
    if any(place.stage.id.startswith("post_") for place in places):
        return _("{norms} before and after each block", norms=text)
    return text


def _head(_model: Model, places: Places) -> str:
    """Labels of the stages, with the weights that they reuse: ``LM head, tied to …``."""
    texts = []
    for place in places:
        label, tied = in_sentence(place.stage.label), tied_text(place.stage)
        text = _with_biases(label, [place]) if place.stage.id == "lm_head" else label
        texts.append(f"{text}, {tied}" if tied else text)
    return listed_text(texts)


DESCRIPTIONS: dict[Aspect, Callable[[Model, Places], str]] = {
    Aspect.EMBEDDING: _labels,
    Aspect.SEQUENCE: _sequence,
    Aspect.FEED_FORWARD: _feed_forward,
    Aspect.RESIDUAL: _labels,
    Aspect.NORMS: _norms,
    Aspect.HEAD: _head,
}
"""Functions that describe the stages of each part of a model."""


def _with_layers(model: Model, parts: Sequence[tuple[str, Places]]) -> str:
    """``gated MLP in 3 layers and 8 experts in 58 layers``; a single part without its layers.

    Args:
        model: the model.
        parts: name and stages of each part.
    """
    if len(parts) == 1:
        ((name, places),) = parts
        return _with_biases(name, places)
    texts = []
    for name, places in parts:
        layers, part = _layers(model, places), _with_biases(name, places)
        text = ngettext("{part} in {n} layer", "{part} in {n} layers", layers, part=part, n=layers)
        texts.append(text)
    return listed_text(texts)


def _layers(model: Model, places: Iterable[PlacedStage]) -> int:
    """Number of layers that have one of the stages."""
    stacks = dict.fromkeys(place.stack for place in places)
    return sum(model.architecture.count(stack.uses) for stack in stacks if stack)


def _with_biases(name: str, places: Iterable[PlacedStage]) -> str:
    has_biases = any(t.role is Role.BIAS for place in places for t in place.stage.tensors)
    return _("{part} with biases", part=name) if has_biases else name
