"""Which layers have which mixer, feed-forward or indexer, as configurations list it."""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.architecture.layers import Kinds, first, listed
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config

OWN, SHARED = "own index", "shared index"


def mixer_names(kind: str) -> dict[str, str]:
    """Names in ``layer_types`` where a layer has attention, or a mixer of that kind."""
    return {
        "linear_attention": kind,
        "mamba": kind,
        "full_attention": "full attention",
        "attention": "full attention",
    }


def mixer_kinds(config: Config, names: Mapping[str, str], *, otherwise: Kinds) -> Kinds:
    """The kinds that ``layer_types`` lists, by our names; where it is null, the family's own."""
    entries = config.names(k.LAYER_TYPES)
    return listed([names[entry] for entry in entries]) if entries else otherwise


def ffn_kinds(config: Config, otherwise: Kinds) -> Kinds:
    """Dense layers and layers with experts: as ``mlp_layer_types`` lists them, or otherwise."""
    names = config.names(k.FFN_LAYER_TYPES)
    kinds = ["MoE" if name == "sparse" else "dense" for name in names]
    return listed(kinds) if kinds else otherwise


def first_dense(config: Config) -> Kinds:
    """The first layers dense, the others with experts."""
    return first(config.count(k.FIRST_DENSE_LAYERS), "dense", then="MoE")


def indexer_kinds(config: Config, otherwise: Kinds) -> Kinds:
    """Layers with an indexer and layers that use the choice of one before, or otherwise."""
    kinds = [SHARED if name == "shared" else OWN for name in config.names(k.INDEXER_TYPES)]
    return listed(kinds) if kinds else otherwise
