"""Page text with Jinja's expressions over models in it, evaluated within bounds.

Jinja only parses. What it finds is evaluated here, node by node, by a language of a few
dozen words: nothing of a page becomes Python code, no attribute of a Python object can be
reached, and whatever is not a word of that language is refused. So the text is as safe as
the words are, whichever release of Jinja is installed.

Why it is bounded in time and size:

- Every node that is evaluated, and every turn of a loop, costs a step, and there are at most
  ``MAX_STEPS``. Loops go through what is already there or through ``range``; nothing calls
  itself, as there are no macros. A model costs ``MODEL_STEPS``.
- What a step takes depends on the size of its operands alone, and those are bounded: a number
  has at most ``MAX_BITS`` bits, estimated before a power is computed; a list is written down
  in the text or lazy; and of text at most ``MAX_CHARACTERS`` characters are ever made, on the
  page and in values together. Comparing texts costs steps by their length.
- The text that is read has at most ``MAX_SOURCE`` characters, and what is evaluated in it nests
  at most ``MAX_DEPTH`` deep.
"""

from __future__ import annotations

from sphinx_llmsize.sandbox.statements import Rendered, render

__all__ = ["Rendered", "render"]
