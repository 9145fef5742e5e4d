"""Jinja templates over models, evaluated within limits and without access to Python.

Jinja only parses. The parsed template is evaluated here, node by node, and never becomes Python
code. Only the nodes, operations, filters, attributes and functions listed in this package are
supported, whichever release of Jinja is installed.

Time and memory are bounded, because

- every evaluated node and every loop iteration costs a step. Loops iterate over existing lists or
  a ``range``, and there is no recursion;
- an operation takes time in proportion to its operands, so longer operands cost more steps. Numbers
  are limited in bits (estimated before a power is computed), texts by the total number of
  characters that a template may produce, and lists by the source or by the limit of ``range``;
- the length of the source and its nesting are checked before anything is evaluated.
"""

from __future__ import annotations

from sphinx_llmsize.sandbox.interpreter import Rendered, render

__all__ = ["Rendered", "render"]
