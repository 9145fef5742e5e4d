"""Commands of ``llmsize``: each declares its arguments and returns the text to print.

``llmsize update`` has a package of its own, :mod:`sphinx_llmsize.update`.
"""
