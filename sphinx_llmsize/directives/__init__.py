"""Directives outside Sphinx: what a call in a Markdown page shows, as blocks.

Hosts find calls in their own syntax; the options, models and errors are the same in all of them.
"""
