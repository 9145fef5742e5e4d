"""From a configuration to tensors in stages in stacks, all symbolic."""
