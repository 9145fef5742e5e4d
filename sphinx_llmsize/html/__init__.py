"""HTML of blocks: fragments, pages, formulas as MathML, pictures as SVG, and the stylesheet.

Hosts that write HTML share this package. Only interactive documents need a script, and none needs
another file.
"""
