"""Released models whose makers publish neither sizes nor weights, by name.

``closed_models.txt`` has a name per line. A ``*`` matches nothing, or a hyphen or dot followed by
anything: ``gpt-4*`` matches ``gpt-4`` and ``gpt-4-turbo``, but not ``gpt-4all``. A model whose name
states its size, such as ``gemini-1.5-flash-8b``, is not closed.
"""

from __future__ import annotations

import re
from importlib.resources import files

_SEPARATORS = re.compile(r"[\s_:]+|(?<=[^\W\d_])(?=\d)")
"""Places where a name may lack the hyphen: ``GPT 4``, ``gpt4``."""
_SIZE = re.compile(r"\d[bm]\b")
"""End of a size in a name: ``8b``, ``270m``."""


def is_closed(name: str) -> bool:
    """True for the name of a closed model, with or without its organisation, in any letter case."""
    model = name.rpartition("/")[2].casefold()
    spellings = {model, re.sub("-+", "-", _SEPARATORS.sub("-", model))}
    return any(map(_names().fullmatch, spellings)) and not _SIZE.search(model)


def _names() -> re.Pattern[str]:
    """Pattern of the names in ``closed_models.txt``."""
    text = files("sphinx_llmsize.sources").joinpath("closed_models.txt").read_text("utf-8")
    names = (re.escape(line).replace(r"\*", "([-.].*)?") for line in text.split())
    return re.compile("|".join(names))
