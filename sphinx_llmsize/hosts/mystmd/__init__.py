"""mystmd host, for MyST sites and Jupyter Book 2.

mystmd loads a plugin in JavaScript, ``plugin.mjs``, which requests the output of each directive and
role from ``llmsize``. The output consists of mdast, the nodes of MyST Markdown, which every theme
and export can render.
"""
