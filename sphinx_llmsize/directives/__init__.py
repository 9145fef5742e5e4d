"""Directives: options, models, errors and output, which are the same in every host.

Hosts find the calls in their own syntax, and render the blocks that a directive returns.
"""
