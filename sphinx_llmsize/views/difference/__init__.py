"""The view of what changed between two models, and what it cost."""
