"""Lists of models that ``llm-catalogue`` shows, by the value of its option ``show``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.catalogue.lineage_list import lineage
from sphinx_llmsize.hosts.sphinx.catalogue.model_table import model_table
from sphinx_llmsize.hosts.sphinx.catalogue.pipeline_gallery import pipelines
from sphinx_llmsize.hosts.sphinx.directive_options import CatalogueList
from sphinx_llmsize.model import Model

MakeList = Callable[[SphinxDirective, Sequence[Model]], Iterator[nodes.Node]]

LISTS: dict[CatalogueList, MakeList] = {
    CatalogueList.TABLE: model_table,
    CatalogueList.LINEAGE: lineage,
    CatalogueList.PIPELINES: pipelines,
}
