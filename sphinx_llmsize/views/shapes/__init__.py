"""Shapes of activations: a table of all operations of a model."""
