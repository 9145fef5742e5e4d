"""Beam: some layers dense, some with experts."""

from __future__ import annotations

from differential.draw import FFN_LAYER_TYPES, Space

SPACES = {"beam": Space(values={"mlp_layer_types": FFN_LAYER_TYPES})}
