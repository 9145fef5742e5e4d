"""Memory view: weights, KV cache, several sequences at once, training."""
