"""Scaling view: growth of costs with a size."""
