"""Sphinx configuration of the catalogue, with a page for each released model."""

from __future__ import annotations

from pathlib import Path

import sphinx_llmsize

HERE = Path(__file__).parent

project = "Catalogue of language models"
author = copyright = "The sphinx-llmsize authors"
version = release = sphinx_llmsize.__version__

extensions = ["sphinx_llmsize"]
llmsize_catalogue = {"models": ["*"]}
llmsize_diagram = "svg"
llmsize_math = "mathml"
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Catalogue of language models"
html_static_path = ["_static", "../docs/_static/accessibility.js"]
html_css_files = ["catalogue.css"]
html_js_files = ["accessibility.js"]
html_copy_source = False
html_use_index = False
html_theme_options = {"top_of_page_buttons": []}
