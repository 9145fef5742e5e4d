"""Which released model follows which: series of models by their names, and predecessors."""
