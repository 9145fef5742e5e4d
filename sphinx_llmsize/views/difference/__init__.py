"""Views of what changed between two models, and what it cost.

``docs/how/architecture.md`` has an overview of the modules, and their vocabulary.
"""
