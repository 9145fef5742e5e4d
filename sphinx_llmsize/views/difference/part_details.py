"""Details that tell two parts of the same kind apart: biases, windows, widths, layers.

Each function returns a detail of a model's part in a few words; empty if it has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, T_SOURCE
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text, shape_numbers

Places = Sequence[PlacedStage]
Detail = Callable[[Model, Places], str]
PARTS_OF_FUSED = {
    "attn_qkv": ("attn_q", "attn_k", "attn_v"),
    "attn_qk": ("attn_q", "attn_k"),
    "attn_kv": ("attn_k", "attn_v"),
    "mlp_gate_up": ("mlp_gate", "mlp_up"),
}
"""Components that are one matrix in some families, and several in others."""
DOWN = frozenset(("mlp_down", "experts"))
"""Components with the matrices from the inside of a feed-forward network to its output."""


def _biases(_model: Model, places: Places) -> str:
    """``in Q, K and V``: the matrices with biases."""
    found: list[str] = []
    for tensor in _tensors(places):
        if tensor.role is Role.BIAS:
            own = f"attn_{tensor.label}"  # a fused matrix may have a bias of one part only
            parts = parts_of(tensor.component)
            found += [own] if own in parts else parts
    return _("in {parts}", parts=names_of(found)) if found else ""


def _shared_weights(model: Model, places: Places) -> str:
    """``the same weights in 12 layers``."""
    count = model.architecture.count
    shared = [stack for stack in _stacks(places) if count(stack.shared_by) > 1]
    if not shared:
        return ""
    layers = sum(count(stack.uses) for stack in shared)
    return ngettext(
        "the same weights in {n} layer", "the same weights in {n} layers", layers, n=layers
    )


def _windows(_model: Model, places: Places) -> str:
    """``windows of 4,096 tokens in 32 layers``."""
    attention = [place for place in places if place.stage.group is Group.ATTENTION]
    if not attention:
        return ""
    layers_by_window: Counter[int] = Counter()
    for stack in _stacks(attention):
        for windowed in stack.windows:
            layers_by_window[windowed.window] += windowed.layers
    texts = [
        ngettext(
            "windows of {tokens} tokens in {n} layer",
            "windows of {tokens} tokens in {n} layers",
            layers,
            tokens=tokens,
            n=layers,
        )
        for tokens, layers in sorted(layers_by_window.items())
    ]
    return listed_text(texts) if texts else _("no sliding windows")


def window_sizes(places: Places) -> str:
    """``windows of 4,096 tokens``; empty if no stage belongs to attention."""
    attention = [place for place in places if place.stage.group is Group.ATTENTION]
    if not attention:
        return ""
    sizes = sorted({each.window for stack in _stacks(attention) for each in stack.windows})
    if not sizes:
        return _("no sliding windows")
    return _("windows of {numbers} tokens", numbers=listed_text([thousands(n) for n in sizes]))


def _cache(_model: Model, places: Places) -> str:
    return _("with a KV cache") if any(p.stage.caches for p in places) else _("no KV cache")


def _head_width(model: Model, places: Places) -> str:
    """``128 dimensions per head``."""
    width = model.config.sizes.get(D_H)
    has_heads = any(tensor.component.startswith("attn_") for tensor in _tensors(places))
    return _("{n} dimensions per head", n=width) if width and has_heads else ""


def _inner_width(model: Model, places: Places) -> str:
    """``11,008 wide``: inside the feed-forward networks."""
    widths = {
        model.architecture.count(tensor.shape[-2])
        for tensor in _tensors(places)
        if tensor.component in DOWN and "down" in tensor.name and tensor.role is Role.WEIGHT
    }
    if not widths:
        return ""
    return _("{widths} wide", widths=listed_text([thousands(each) for each in sorted(widths)]))


def _layers(model: Model, places: Places) -> str:
    """``in 24 layers``, ``in 12 encoder layers and 12 decoder layers``."""
    of_encoder = [place for place in places if T_SOURCE in place.stage.length.symbols()]
    of_others = [place for place in places if place not in of_encoder]
    encoder, others = (_uses(model, each) for each in (of_encoder, of_others))
    if encoder and others:
        return _(
            "in {encoder} encoder layers and {decoder} decoder layers",
            encoder=encoder,
            decoder=others,
        )
    layers = encoder + others
    return ngettext("in {n} layer", "in {n} layers", layers, n=layers) if layers else ""


def _uses(model: Model, places: Places) -> int:
    return sum(model.architecture.count(stack.uses) for stack in _stacks(places))


def _applications(model: Model, places: Places) -> str:
    """``3 times for each token``: the products of a token with the same matrix."""
    times = {model.architecture.count(tensor.applications) for tensor in _tensors(places)} - {0, 1}
    if not times:
        return ""
    numbers = listed_text([thousands(each) for each in sorted(times)])
    return _("{numbers} times for each token", numbers=numbers)


DETAILS: tuple[Detail, ...] = (
    _biases,
    _shared_weights,
    _windows,
    _cache,
    _head_width,
    _inner_width,
    _layers,
    _applications,
)
"""The details, in the order in which they are shown."""


def shapes(model: Model, places: Places) -> dict[str, str]:
    """The shape of each tensor by its name: ``K 6,144 × 1,024``, or ``768 × 3,072``.

    It follows the name of the component if there are several.
    """
    found: dict[str, str] = {}
    has_one_component = len(set(components_of(places))) == 1
    for tensor in _tensors(places):
        text = shape_numbers(tensor.shape, model.architecture)
        if not has_one_component:
            component = names_of([tensor.component])
            text = _("{component} {shape}", component=component, shape=text)
        found[tensor.name] = text
    return found


def parts_of(component: str) -> tuple[str, ...]:
    """The components that a fused matrix consists of; others themselves."""
    return PARTS_OF_FUSED.get(component, (component,))


def names_of(components: Iterable[str]) -> str:
    """``Q, K and output projection``: the components, each once."""
    labels = [_(COMPONENT_LABELS[component]) for component in dict.fromkeys(components)]
    # "Attention: Q" is "Q" in a text on attention
    return listed_text([in_sentence(label.rpartition(": ")[2]) for label in labels])


def components_of(places: Places) -> tuple[str, ...]:
    """The components of these stages, fused ones as their parts."""
    return tuple(part for tensor in _tensors(places) for part in parts_of(tensor.component))


def computations_of(places: Places) -> tuple[str, ...]:
    """The labels of products of activations: ``queries × keys``."""
    labels = (matmul.label for place in places for matmul in place.stage.computes)
    return tuple(label for label in labels if "×" in label)


def _tensors(places: Places) -> Iterator[Tensor]:
    return (tensor for place in places for tensor in place.stage.tensors)


def _stacks(places: Places) -> Iterator[Stack]:
    return iter(dict.fromkeys(place.stack for place in places if place.stack))
