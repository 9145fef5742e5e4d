"""Differences between two models: what changed, and what each change costs."""
