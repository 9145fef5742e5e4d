"""Command ``llmsize update``: rewrites marked regions of Markdown files in place."""
