"""Which layers have attention and which have something in its place, as configurations list it."""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.architecture.layers import Kinds, listed
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.layer_keys import LAYER_TYPES


def mixer_names(kind: str) -> dict[str, str]:
    """Names in ``layer_types`` where a layer has attention, or a mixer of that kind."""
    return {
        "linear_attention": kind,
        "mamba": kind,
        "full_attention": "full attention",
        "attention": "full attention",
    }


def mixers(config: Config, names: Mapping[str, str], *, otherwise: Kinds) -> Kinds:
    """The kinds that ``layer_types`` lists, by our names; where it is null, the family's own."""
    entries = config.names(LAYER_TYPES)
    return listed([names[entry] for entry in entries]) if entries else otherwise
