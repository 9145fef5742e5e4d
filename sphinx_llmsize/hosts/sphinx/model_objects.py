"""Sphinx domain ``llm``: every model shown in a project is an object that pages can refer to.

``:llm:model:`llama-7b``` links to the output that shows the model, in this project or, by
intersphinx, in another one. Models are also in the index, the search and ``objects.inv``.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.domains import Domain, ObjType
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.nodes import make_id, make_refnode

from sphinx_llmsize.errors import NEAR, ConfigError, Problem, nearest, suggestion
from sphinx_llmsize.hosts.sphinx.guards import connect, on_error
from sphinx_llmsize.hosts.sphinx.locate import Location, first_line
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.sources.files import digest
from sphinx_llmsize.sources.preset_files import find_preset, presets
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.model import Model

logger = logging.getLogger(__name__)
MODEL = "model"
"""Type of the objects, and role that refers to them."""


@dataclass(frozen=True)
class ModelObject:
    """A model, and the output of a directive that shows it.

    Attributes:
        name: name by which pages refer to the model: a preset's, or the author's.
        title: the model's display name.
        config_digest: hash of the model's configuration.
        page: the page's docname.
        id: id of the output on the page.
        location: file and line of the directive.
    """

    name: str
    title: str
    config_digest: str
    page: str
    id: str
    location: Location


class ModelDomain(Domain):
    """The models that pages show; Sphinx stores them and merges those of several processes."""

    name = "llm"
    label = "Language models"
    object_types = {MODEL: ObjType(MODEL, MODEL)}  # noqa: RUF012 - the base class declares it so
    roles = {MODEL: XRefRole(innernodeclass=nodes.inline, warn_dangling=True)}  # noqa: RUF012
    initial_data = {"pages": {}}  # noqa: RUF012
    data_version = 4

    @property
    def pages(self) -> dict[str, dict[str, ModelObject]]:
        """The models of each page, by docname and name in lower case."""
        return cast("dict[str, dict[str, ModelObject]]", self.data["pages"])

    def outputs_of(self, name: str) -> list[ModelObject]:
        """The outputs that show the model of a name, in the order of docnames."""
        return self._outputs_of_exact_name(name) or self._outputs_of_exact_name(preset_name(name))

    def _outputs_of_exact_name(self, name: str) -> list[ModelObject]:
        """The outputs in which the model has exactly this name, in any case."""
        objects = (self.pages[page].get(name.casefold()) for page in sorted(self.pages))
        return [each for each in objects if each]

    def add(self, shown: ModelObject) -> bool:
        """Add a model; return False if its page has shown it already."""
        models = self.pages.setdefault(shown.page, {})
        return models.setdefault(shown.name.casefold(), shown) is shown

    def clear_doc(self, docname: str) -> None:
        """Remove the models of a page that was removed or is about to be reread."""
        self.pages.pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Add the models of pages read by another process."""
        others: dict[str, dict[str, ModelObject]] = otherdata["pages"]
        self.pages.update((page, others[page]) for page in docnames if page in others)

    def resolve_xref(  # type: ignore[override]  # noqa: PLR0917 - of the base class
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: addnodes.pending_xref,
        contnode: nodes.Element,
    ) -> nodes.Element | None:
        """Reference to a model, or None if no page shows it; only the text if that fails."""
        with on_error(lambda error: warn(error, node)):
            return self._reference(fromdocname, builder, target, node, contnode)
        return contnode

    def _reference(
        self,
        page: str,
        builder: Builder,
        target: str,
        node: addnodes.pending_xref,
        content: nodes.Element,
    ) -> nodes.reference | None:
        """Reference from a page to a model, or None if no page shows it."""
        outputs = self.outputs_of(target)
        if not outputs:
            # intersphinx looks for the name in the inventories of other projects
            node["reftarget"] = preset_name(target)
            return None
        first = outputs[0]
        if not node.get("refexplicit"):
            content = nodes.inline("", first.title)
        return make_refnode(builder, page, first.page, first.id, content, first.title)

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """Kind of the objects, as the search shows it."""
        return _("language model")

    def resolve_any_xref(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return no targets for the role ``any``.

        An author's label may have the name of a model, and references to it would be ambiguous.
        """
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """The models in their first outputs, for the search and ``objects.inv``."""
        for shown in self._first_outputs().values():
            yield shown.name, shown.title, MODEL, shown.page, shown.id, 1

    def check_consistency(self) -> None:
        """Warn of different models with the same name, once Sphinx has read all pages."""
        first = self._first_outputs()
        for page in sorted(self.pages):
            for name, shown in self.pages[page].items():
                if shown.config_digest != first[name].config_digest:
                    warn(_duplicate_error(first[name], shown), shown.location)

    def _first_outputs(self) -> dict[str, ModelObject]:
        """The first output of each model in the order of docnames, by its name in lower case."""
        first: dict[str, ModelObject] = {}
        for page in sorted(self.pages):
            for name, shown in self.pages[page].items():
                first.setdefault(name, shown)
        return first


def preset_name(name: str) -> str:
    """The preset's name for any of its names, such as a Hub id; else the name itself."""
    preset = find_preset(name)
    return preset.name if preset else name


def register_model(directive: SphinxDirective, model: Model) -> list[nodes.Node]:
    """Make a model an object of the project, with the output of the directive as its target.

    Changed presets, models without a name in the directive, and a model that this page has shown
    already are not registered. (``Page.define`` reports two models of one name on a page.)

    Returns:
        The model's entry in the index, and the target of references; nothing if not registered.
    """
    if model.changes or not directive.arguments:
        return []
    env, document = directive.env, directive.state.document
    name = model.preset.name if model.preset else model.name
    id = make_id(env, document, "llm-model", nodes.make_id(name))
    settings = [(key.name, value) for key, value in model.config.settings]
    config_digest = digest(repr(settings).encode())
    shown = ModelObject(name, model.name, config_digest, env.docname, id, first_line(directive))
    domain = cast("ModelDomain", env.get_domain(ModelDomain.name))
    if not domain.add(shown):
        return []
    target = nodes.target("", "", ids=[id])
    document.note_explicit_target(target)
    return [addnodes.index(entries=[("single", model.name, id, "", None)]), target]


def _warn_of_missing_model(
    app: Sphinx, domain: Domain | None, node: addnodes.pending_xref
) -> bool | None:
    """Warn of a reference to a model that neither this project nor another one shows."""
    if not isinstance(domain, ModelDomain):
        return None
    target = node["reftarget"]
    if find_preset(target):
        hint = _("show it on a page with llm-size")
    else:
        names = _names_by_text(app.env, domain)
        near = nearest(target, names, NEAR)
        hint = suggestion(names.get(near, ""))
    message = _("no page shows the model {name}", name=repr(target[:100]))
    error = ConfigError(message, Problem.MODEL, hint)
    logger.warning("%s", str(error), location=node, type="ref", subtype=MODEL)
    return True


def _names_by_text(env: BuildEnvironment, domain: ModelDomain) -> dict[str, str]:
    """Names that references can have, by the texts that a mistake may resemble.

    The texts are the display names of presets, and the names of models in this and other projects.
    """
    names = {preset.title: preset.name for preset in presets().values()}
    inventories = getattr(env, "intersphinx_inventory", {})
    for name in inventories.get(f"{domain.name}:{MODEL}", {}):
        names[name] = name
    for name, *_others in domain.get_objects():
        names[name] = name
    return names


def _duplicate_error(first: ModelObject, other: ModelObject) -> ConfigError:
    """Error for a name under which an earlier page shows another model."""
    message = _("{page} shows another model called {name}", page=first.page, name=repr(other.name))
    return ConfigError(message, Problem.DUPLICATE, _("give one of them another name"))


def setup(app: Sphinx) -> None:
    """Register the domain and the warning of references that lead nowhere."""
    app.add_domain(ModelDomain)
    connect(app, "warn-missing-reference", _warn_of_missing_model)
