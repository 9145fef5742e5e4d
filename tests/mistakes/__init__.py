"""Mistaken and hostile pages of the same kinds as in ``data/corpus``, written for both markups."""

from __future__ import annotations

from mistakes import bodies, files, names, others, places

CASES = (*bodies.CASES, *files.CASES, *names.CASES, *others.CASES, *places.CASES)
