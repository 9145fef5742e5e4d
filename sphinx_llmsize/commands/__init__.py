"""Commands of ``llmsize``, and the parser of their arguments.

``llmsize update`` has a package of its own, :mod:`sphinx_llmsize.update`.
"""
