"""From a mapping to a checked configuration: the vocabulary of keys, values, resolution."""
