"""Commands of ``llmsize``: each module declares the arguments of one and runs it."""
