"""Parts of an architecture in a few words: ``gated MLP``, ``8 experts, 2 active``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import SINGLE, Role
from sphinx_llmsize.config.symbols import D_H, H_KV, R_KV, T_SEEN, H
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.shared.wording import (
    in_sentence,
    listed_text,
    tied_text,
)

LABELS = {
    **{aspect: aspect.value[0].label for aspect in Aspect},
    Aspect.EMBEDDING: N_("Embeddings"),
}
"""Label of each part: that of its main group, but with several embeddings."""
Places = Sequence[PlacedStage]


def part_in_words(model: Model, aspect: Aspect) -> str:
    """The part of a model in a few words; ``none`` if it has no such part."""
    places = [p for p in model.architecture.places() if p.stage.group in aspect.value]
    if not places:
        return _("none")
    return WORDS[aspect](model, places)


def blocks_in_words(model: Model, places: Places) -> str:
    """Some stages of one group in a few words: ``grouped-query attention``, ``gated MLP``."""
    group = places[0].stage.group
    if group is Group.ATTENTION:
        return _attention(model, places)
    if group is Group.MIXER:
        return _mixer(places)
    if group is Group.FEED_FORWARD:
        return _mlp(places)
    return _experts(model, places) if group is Group.EXPERTS else _labels(model, places)


def _labels(_model: Model, places: Places) -> str:
    """The labels of the stages: ``token embedding and position embedding``."""
    labels = dict.fromkeys(in_sentence(place.stage.label) for place in places)
    return listed_text(list(labels))


def _sequence(model: Model, places: Places) -> str:
    """Kinds of attention and of mixers, with their numbers of layers if there are several."""
    attention = [p for p in places if p.stage.group is Group.ATTENTION]
    mixers = [p for p in places if p.stage.group is Group.MIXER]
    named = [(_attention(model, attention), attention)] if attention else []
    if mixers:
        named.insert(0, (_mixer(mixers), mixers))
    return _with_layers(model, named)


def _mixer(places: Places) -> str:
    components = (t.component for place in places for t in place.stage.tensors)
    labels = dict.fromkeys(in_sentence(COMPONENT_LABELS[c]) for c in components)
    return listed_text(list(labels))


def _attention(model: Model, places: Places) -> str:
    symbols = {s for p in places for shape in p.stage.caches for n in shape for s in n.symbols()}
    if R_KV in symbols:
        return _("multi-head latent attention")
    heads, shared = model.config.sizes.get(H), key_value_heads(model, places)
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
    shapes = {shape for p in places for shape in p.stage.caches if len(p.stage.caches) == 1}
    if any(product(*shape).symbols() == {T_SEEN, D_H} for shape in shapes):
        return 1
    return sizes.get(H_KV)


def _feed_forward(model: Model, places: Places) -> str:
    """MLPs and experts, with their numbers of layers if there are both."""
    dense = [p for p in places if p.stage.group is Group.FEED_FORWARD]
    experts = [p for p in places if p.stage.group is Group.EXPERTS]
    named = [(_mlp(dense), dense)] if dense else []
    if experts:
        named.append((_experts(model, experts), experts))
    return _with_layers(model, named)


def _mlp(places: Places) -> str:
    components = {t.component for place in places for t in place.stage.tensors}
    is_gated = any(component.startswith("mlp_gate") for component in components)
    return _("gated MLP") if is_gated else _("MLP")


def _experts(model: Model, places: Places) -> str:
    count, text = model.architecture.count, _("experts")
    expert_counts = (place.stage.expert_count for place in places)
    if experts := next((each for each in expert_counts if each is not SINGLE), None):
        total, used = count(experts.total), count(experts.per_token)
        text = _("{total} experts ({used} active)", total=total, used=used)
    shared = any(t.component == "shared_experts" for p in places for t in p.stage.tensors)
    return _("{experts} plus shared experts", experts=text) if shared else text


def _norms(model: Model, places: Places) -> str:
    """``65 norms``: the number of norms in all layers."""
    number = sum(model.architecture.count(place.layers) for place in places)
    text = ngettext("{n} norm", "{n} norms", number, n=number)
    return _with_biases(text, places)


def _head(_model: Model, places: Places) -> str:
    """Labels of the stages, with the weights that they reuse: ``LM head, tied to …``."""

    def text(place: PlacedStage) -> str:
        return ", ".join(filter(None, (in_sentence(place.stage.label), tied_text(place.stage))))

    return listed_text([text(place) for place in places])


WORDS: dict[Aspect, Callable[[Model, Places], str]] = {
    Aspect.EMBEDDING: _labels,
    Aspect.SEQUENCE: _sequence,
    Aspect.FEED_FORWARD: _feed_forward,
    Aspect.RESIDUAL: _labels,
    Aspect.NORMS: _norms,
    Aspect.HEAD: _head,
}
"""The function that writes each part of a model in words."""


def _with_layers(model: Model, named: Sequence[tuple[str, Places]]) -> str:
    """The names, each with its number of layers if there are several."""
    named = [(_with_biases(name, places), places) for name, places in named]
    if len(named) == 1:
        return named[0][0]
    return listed_text([_in_layers(name, _layers(model, places)) for name, places in named])


def _in_layers(name: str, layers: int) -> str:
    """``gated MLP in 3 layers``."""
    return ngettext("{part} in {n} layer", "{part} in {n} layers", layers, part=name, n=layers)


def _layers(model: Model, places: Iterable[PlacedStage]) -> int:
    stacks = dict.fromkeys(place.stack for place in places)
    return sum(model.architecture.count(stack.uses) for stack in stacks if stack)


def _with_biases(name: str, places: Iterable[PlacedStage]) -> str:
    has_biases = any(t.role is Role.BIAS for place in places for t in place.stage.tensors)
    return _("{part} with biases", part=name) if has_biases else name
