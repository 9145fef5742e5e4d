"""Commands of ``llmsize``: modules that declare arguments and return the text to print.

``llmsize update`` has a package of its own, :mod:`sphinx_llmsize.update`.
"""
