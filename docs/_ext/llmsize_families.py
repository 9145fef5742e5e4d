"""The families by kind, each with its classes, its keys and their defaults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes
from folded import filtered, fold
from llmsize_reference import Cell, names, table_of
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.architecture.families import all_families
from sphinx_llmsize.architecture.family import COMMON_KEYS, Family
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.make_model import load_preset, make_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section, section_of
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

DENSE, EXPERTS = "Dense decoders", "Mixtures of experts"
HYBRID = "State-space, linear-attention and hybrid models"
ENCODER, ENCODER_DECODER = "Encoders", "Encoder–decoder models"
KINDS = (DENSE, EXPERTS, HYBRID, ENCODER, ENCODER_DECODER)
ANY_COUNT = 8
"""A value for keys without a default, where only the other keys matter."""


class Families(SphinxDirective):
    """A folded table of families for each kind."""

    def run(self) -> list[nodes.Node]:
        """The tables; each family has the id ``family-MODEL_TYPE``."""
        by_title: dict[str, list[Model]] = {}
        for model in map(load_preset, presets()):
            by_title.setdefault(model.family.title, []).append(model)
        by_kind: dict[str, list[Family]] = {kind: [] for kind in KINDS}
        for family in all_families():
            by_kind[kind_of(family, by_title.get(family.title, []))].append(family)
        header = ("Family", "model_type", "Classes, keys and defaults")
        return [
            filtered(
                *(
                    fold(kind, f"{len(families)} families", table_of(header, rows(families)))
                    for kind, families in by_kind.items()
                )
            )
        ]


def kind_of(family: Family, models: list[Model]) -> str:
    """The kind of most of its released models, or else of a model of its default sizes."""
    if not models:
        try:
            models = [make_model(family.title, smallest_section(family, required=False))]
        except ConfigError:
            return EXPERTS if k.NUM_EXPERTS in family.keys else DENSE
    return Counter(map(kind_of_model, models)).most_common(1)[0][0]


def kind_of_model(model: Model) -> str:
    """One of ``KINDS``."""
    if not has_kv_cache(model) and not model.architecture.has_unknown_lengths:
        return ENCODER
    if L not in model.architecture.sizes:
        return ENCODER_DECODER
    if model.parameters_in(Group.MIXER):
        return HYBRID
    return DENSE if model.active == model.total else EXPERTS


def rows(families: list[Family]) -> Iterator[tuple[Cell, ...]]:
    """A row for each family, in alphabetical order."""
    for family in sorted(families, key=lambda family: family.title.casefold()):
        id = nodes.make_id(f"family-{family.model_type or 'textbook'}")
        link = nodes.reference("", family.title, refuri=family.source, internal=False)
        title = nodes.inline("", "", link, ids=[id])
        model_type = names(family.model_type) if family.model_type else [nodes.Text("absent")]
        own = [key for key in family.keys if key not in COMMON_KEYS]
        classes = nodes.paragraph("", "Classes: ", *names(*family.architectures))
        listed = fold("", f"{len(own)} keys", classes, defaults(family, own))
        yield [title], model_type, [listed]


def defaults(family: Family, own: list[Key]) -> nodes.paragraph:
    """The keys of a family, each with its effect if absent."""
    paragraph = nodes.paragraph("", "Keys: ")
    for number, key in enumerate(own):
        separator = [nodes.Text(", ")] if number else []
        paragraph += [*separator, *names(key.name), nodes.Text(f" {default(family, key)}")]
    return paragraph


def default(family: Family, key: Key) -> str:
    """Effect of an absent key in a family: a word or a value."""
    if key in family.required:
        return "required"
    value = family.defaults[key]
    if value is None:
        return "derived" if derives(family, key) else "none"
    if isinstance(value, bool):
        return str(value).lower()
    return thousands(value) if isinstance(value, int) else str(value)


def derives(family: Family, key: Key) -> bool:
    """True if a model with no optional key still has a value for this key."""
    try:
        model = make_model(family.title, smallest_section(family, required=True))
    except ConfigError:
        return False  # without more keys, it is not a model
    return model.config[key] is not None


def smallest_section(family: Family, *, required: bool) -> Section:
    """A configuration with no optional key, with or without the required ones."""
    keys: dict[str, object] = {key.name: ANY_COUNT for key in family.required if required}
    if family.model_type:
        keys[k.MODEL_TYPE.name] = family.model_type
    return section_of(keys)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("llmsize-families", Families)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
