"""Pages with errors and hostile names in both markup languages, as those of ``data/corpus``."""

from __future__ import annotations

from mistakes import bodies, files, first_pages, names, others, places

CASES = (
    *bodies.CASES,
    *files.CASES,
    *first_pages.CASES,
    *names.CASES,
    *others.CASES,
    *places.CASES,
)
