"""HTML of blocks: fragments, pages, formulas as MathML, pictures as SVG, and the stylesheet.

Hosts that write HTML share this package. Nothing here needs a script or another file.
"""
