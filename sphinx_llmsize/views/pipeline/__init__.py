"""Pipeline diagram of a model."""
