"""Papers that views name, as links with authors and year."""

from __future__ import annotations

from sphinx_llmsize.blocks import Link

HOFFMANN = Link("Hoffmann et al. 2022", "https://arxiv.org/abs/2203.15556")
KAPLAN = Link("Kaplan et al. 2020", "https://arxiv.org/abs/2001.08361")
KORTHIKANTI = Link("Korthikanti et al. 2022", "https://arxiv.org/abs/2205.05198")
RAJBHANDARI = Link("Rajbhandari et al. 2019", "https://arxiv.org/abs/1910.02054")
