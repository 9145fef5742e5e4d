"""Jinja templates over models, evaluated within limits and without access to Python.

Jinja only parses. The parsed template is evaluated here, node by node, and never becomes Python
code. Only the nodes, operations, filters, attributes and functions listed in this package exist,
whichever release of Jinja is installed.

Time and memory are bounded, because

- every evaluated node and every turn of a loop costs a step. Loops iterate over existing lists or
  a ``range``, and there is no recursion;
- an operation takes time in proportion to its operands, which cost steps by their length and are
  bounded: numbers by their bits, estimated before a power is computed; texts by the characters
  that a template may make; lists are written out or a ``range``;
- the source and its nesting are bounded before anything is evaluated.
"""

from __future__ import annotations

from sphinx_llmsize.sandbox.interpreter import Rendered, render

__all__ = ["Rendered", "render"]
