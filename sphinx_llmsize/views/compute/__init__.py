"""Compute view: FLOPs of a model."""
