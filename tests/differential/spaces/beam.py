"""Lists that say which of Beam's layers have experts."""

from __future__ import annotations

from differential.draw import Space
from differential.spaces.deepseek import ffn_layer_types

SPACES = {"beam": Space(values={"mlp_layer_types": ffn_layer_types})}
