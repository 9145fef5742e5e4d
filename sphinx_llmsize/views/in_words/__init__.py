"""A model's parts in words: kinds of attention and norms, feed-forward networks, biases."""
