"""Where blocks are shown: Sphinx, Markdown, JSON."""
