"""Links to the catalogue, which is a folder of the documentation's site with a build of its own.

They are plain text in a site without that folder, unless the setting ``has_catalogue`` is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import ReferenceRole

from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_assets import LIST_CLASS
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import file_name
from sphinx_llmsize.hosts.sphinx.model_objects import MODEL

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

FOLDER = "catalogue"
"""The catalogue's folder in the site, see ``.readthedocs.yaml``."""
MODELS = "models"
"""Folder of the models' pages in the catalogue, see its ``conf.py``."""


class CatalogueRole(ReferenceRole):
    """``{catalogue}`family tree <lineage>```: link to a page of the catalogue."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """A link that is relative, so that it stays within a version of the site."""
        text = nodes.Text(self.title)
        has_catalogue = self.config.has_catalogue
        return [_link(self.env.docname, self.target, text) if has_catalogue else text], []


def _link(docname: str, target: str, *content: nodes.Node) -> nodes.reference:
    """A link from a page of the documentation to a page of the catalogue."""
    up = "../" * docname.count("/")
    return nodes.reference("", "", *content, refuri=f"{up}{FOLDER}/{target}.html", internal=True)


def _link_models(app: Sphinx, page: nodes.document) -> None:
    """Link the models in lists to their pages in the catalogue, even if a page here shows them."""
    lists = [each for each in page.findall(nodes.container) if LIST_CLASS in each["classes"]]
    for reference in [ref for each in lists for ref in each.findall(addnodes.pending_xref)]:
        if reference["reftype"] != MODEL:
            continue
        if app.config.has_catalogue:
            target = f"{MODELS}/{file_name(reference['reftarget'])}"
            reference.replace_self(_link(reference["refdoc"], target, *reference.children))
        else:
            reference.replace_self(reference.children)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the role and its setting, and link models in lists."""
    app.add_config_value("has_catalogue", False, "env", bool)
    app.add_role("catalogue", CatalogueRole())
    app.connect("doctree-read", _link_models)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
