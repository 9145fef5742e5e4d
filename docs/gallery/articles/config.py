# Model configuration (before training)
config = {
    "hidden_dim": 4096,  # ← your choice: the embedding dimension
    "num_layers": 32,  # ← your choice
    "num_heads": 32,  # ← your choice
    "vocab_size": 50_000,  # ← depends on your tokenizer
}
