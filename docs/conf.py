"""Sphinx configuration of the documentation, which uses the extension itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import sphinx_llmsize

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "sphinx-llmsize"
author = copyright = "The sphinx-llmsize authors"
version = release = sphinx_llmsize.__version__

extensions = [
    "folded",
    "llmsize_catalogue",
    "llmsize_examples",
    "llmsize_families",
    "llmsize_keys",
    "llmsize_models",
    "llmsize_options",
    "llmsize_reference",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_llmsize",
]
exclude_patterns = ["_build", "snippets"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
mermaid_height = "auto"
# .readthedocs.yaml adds the folder with the catalogue to the site
has_catalogue = os.environ.get("READTHEDOCS") == "True"

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_use_ivar = True
# types of the standard library and internal types, which have no pages here
nitpick_ignore_regex = [
    (
        r"py:.*",
        r"(builtins|collections\.abc|pathlib|typing)\..*|[a-z]+|Path|Mapping|LookupError|Part|Line|Direction|BoxKind|Box",
    ),
    (r"py:.*", r"(sphinx_llmsize\.)?(algebra|architecture|config|sources)\..*"),
    (r"py:.*", r"sphinx_llmsize\.(blocks|charts|diagram\w*|drawing|html)\..*"),
    (r"py:.*", r"sphinx_llmsize\.(inline|interactive|model|tables|views)\..*"),
]

html_theme = "furo"
html_title = "sphinx-llmsize"
html_static_path = ["_static"]
html_extra_path = ["../sphinx_llmsize/schema.json"]
html_css_files = ["reference.css"]
html_js_files = ["accessibility.js", "filter.js"]
html_theme_options = {
    "source_repository": "https://github.com/sphinx-llmsize/sphinx-llmsize/",
    "source_branch": "main",
    "source_directory": "docs/",
    "top_of_page_buttons": [],
}

# local copies of MathJax and Mermaid if present, otherwise their CDNs
VENDOR = HERE / "_static" / "vendor"
if (VENDOR / "mermaid" / "mermaid.esm.min.mjs").is_file():
    mermaid_use_local = "vendor/mermaid/mermaid.esm.min.mjs"
    mathjax_path = "vendor/mathjax/tex-svg.js"
