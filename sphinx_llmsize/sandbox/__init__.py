"""Jinja templates over models, evaluated within limits and without access to Python.

Jinja only parses. The parsed template is evaluated here, node by node: nothing of a page becomes
Python code, and nodes, operations, filters, attributes and functions that are not listed in this
package do not exist. So the list is what has to be safe, whichever release of Jinja is installed.

Time and memory are bounded, because

- every node that is evaluated and every turn of a loop costs a step. Loops go through lists that
  exist or through a ``range``; nothing calls itself;
- an operation takes time in proportion to its operands, which cost steps by their length and are
  bounded: numbers by their bits, estimated before a power is computed; texts by the characters
  that a template may make; lists are written out or a ``range``;
- the source and its nesting are bounded before anything is evaluated.
"""

from __future__ import annotations

from sphinx_llmsize.sandbox.interpreter import Rendered, render

__all__ = ["Rendered", "render"]
