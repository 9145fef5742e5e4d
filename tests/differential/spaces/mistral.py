"""Ministral, whose code in transformers has no head_dim to take where it is null."""

from __future__ import annotations

from differential.draw import Space

SPACES = {"ministral": Space(always=("head_dim",))}
