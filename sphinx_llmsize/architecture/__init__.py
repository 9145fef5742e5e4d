"""Architecture of a configuration: tensors with symbolic shapes, in stages and stacks."""
