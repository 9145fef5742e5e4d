"""The view of what is stored: weights, KV cache, training state."""
