"""View ``features``: special parts of a model's architecture."""
