"""The view of what doubling costs."""
