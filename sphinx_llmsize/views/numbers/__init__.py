"""One number of a model, as text."""
