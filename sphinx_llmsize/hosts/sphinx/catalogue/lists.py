"""Functions for the lists that ``llm-catalogue`` can show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.catalogue.lineage_list import lineage_list
from sphinx_llmsize.hosts.sphinx.catalogue.model_table import model_table
from sphinx_llmsize.hosts.sphinx.catalogue.pipeline_gallery import pipeline_gallery
from sphinx_llmsize.hosts.sphinx.directive_options import CatalogueList
from sphinx_llmsize.model import Model

MakeList = Callable[[SphinxDirective, Sequence[Model]], Iterator[nodes.Node]]
"""Function that makes the nodes of a list of models, shown by the directive."""
LISTS: dict[CatalogueList, MakeList] = {
    CatalogueList.TABLE: model_table,
    CatalogueList.LINEAGE: lineage_list,
    CatalogueList.PIPELINES: pipeline_gallery,
}
"""Function for each value of the option ``show``."""
