"""The view of what passes through: the life of a tensor."""
