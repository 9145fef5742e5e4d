"""Jinja templates over models, evaluated within limits and without access to Python.

Jinja only parses. The parsed template is evaluated here, node by node, and never becomes Python
code. Only the nodes, operations, filters, attributes and functions listed in this package are
supported, whichever release of Jinja is installed.

Time and memory are bounded. Every evaluated node and every iteration costs a step, and operations
on longer texts and lists cost more. Loops iterate over existing lists or a ``range``; there is no
recursion. Numbers are limited in bits (estimated before a power is computed), texts by the number
of characters that a template may produce, and lists by the source or by the limit of ``range``.
The length of the source and its nesting are checked before anything is evaluated.
"""

from sphinx_llmsize.sandbox.interpreter import Rendered, render

__all__ = ["Rendered", "render"]
