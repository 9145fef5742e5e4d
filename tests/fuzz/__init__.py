"""Fuzzing: random text must give every parser a result or raise our own error, nothing else."""
