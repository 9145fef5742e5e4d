"""Series of released models, read from their names, and the predecessor of each model."""
