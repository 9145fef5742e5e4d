"""Ministral; transformers fails if its head_dim is null."""

from __future__ import annotations

from differential.draw import Space

SPACES = {"ministral": Space(always=("head_dim",))}
