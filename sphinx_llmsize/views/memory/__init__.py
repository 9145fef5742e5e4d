"""Memory view: weights, KV cache, training."""
