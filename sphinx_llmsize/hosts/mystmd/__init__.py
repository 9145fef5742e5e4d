"""mystmd host, for MyST sites and Jupyter Book 2.

mystmd reads a plugin in JavaScript, ``plugin.mjs``, which asks ``llmsize`` for the output of each
directive and role. Output is mdast, the nodes of MyST Markdown, so that every theme and export
renders it.
"""
