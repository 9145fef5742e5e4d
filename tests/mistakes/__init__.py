"""Pages with errors and hostile names in both markup languages, as those of ``data/corpus``."""

from __future__ import annotations

from mistakes import bodies, files, names, others, places

CASES = (*bodies.CASES, *files.CASES, *names.CASES, *others.CASES, *places.CASES)
