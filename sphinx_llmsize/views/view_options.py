"""Options of the views."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.diagram import Direction
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.author_labels import (
    ChosenColumn,
    Labels,
    read_columns,
    read_labels,
    read_notes,
)
from sphinx_llmsize.views.label_errors import check_labels
from sphinx_llmsize.views.option_declarations import choice, option
from sphinx_llmsize.views.option_values import (
    read_batch,
    read_dtype,
    read_factors,
    read_names,
    read_tokens,
)

DEFAULT_VIEWS = ("table", "formula", "rule", "diagram")
"""Views of ``llm-size`` without ``:show:``."""
NO_FOLLOWERS = ("none",)
"""Value of ``follow`` if no other size grows."""


class Detail(Enum):
    """Level of detail of the parameter table and the diagram, from the least to the most."""

    BRIEF = "brief"
    """A row for each group of components; a box for each block."""
    COMPONENT = "component"
    """A row for each component, with a single one for all norms; a box for each step."""
    FULL = "full"
    """A row for each component, under the headings of their groups; boxes with every tensor."""
    TENSOR = "tensor"
    """A row for each tensor; the same boxes as FULL."""


class Coloring(Enum):
    """Meaning of the colours of a diagram."""

    GROWTH = "growth"
    """Growth of the parameters with the hidden dimension."""
    SHARE = "share"
    """Share of the model's parameters."""


class Legend(Enum):
    """Explanation of frames, colours and symbols in the caption of a diagram: shown or not."""

    YES = "yes"
    NO = "no"


# Checks of a value against a model; errors have the option's name. They import inside the
# functions, because the modules that they use import this one.
def _check_tokens(model: Model, tokens: int, name: str) -> None:
    from sphinx_llmsize.views.shared.lengths import check_tokens

    check_tokens(model, tokens, Problem.OPTION, name)


def _check_key(model: Model, key: str, name: str) -> None:
    from sphinx_llmsize.views.scaling.scaled_models import option_key

    option_key(model, key, name)


def _check_keys(model: Model, keys: tuple[str, ...], name: str) -> None:
    if keys != NO_FOLLOWERS:
        for key in keys:
            _check_key(model, key, name)


def _check_columns(model: Model, columns: tuple[ChosenColumn, ...], name: str) -> None:
    from sphinx_llmsize.views.parameters.parameter_columns import parameter_columns

    try:
        parameter_columns(model, columns)
    except ConfigError as error:
        raise error.at(option=name) from None


@dataclass(frozen=True)
class ViewOptions:
    """Values of the options that change the content of views.

    Attributes:
        shown: names of all views in the document, so that one of them needn't repeat another; it is
            not an option.
    """

    detail: Detail = choice(
        Detail,
        "Level of detail. Rows of the parameter table: groups, components with one row for all "
        "norms, every component, or single tensors. Boxes of the diagram: one for each block, "
        "one for each step, or the same with every tensor and shape.",
        Detail.COMPONENT,
    )
    columns: tuple[ChosenColumn, ...] = option(
        (),
        read_columns,
        "columns",
        "Columns of the parameter table, each with a heading of your own in quotes if you like: "
        "component, shape, per_layer, layers, parameters, active, weights and share.",
        example='shape "Size", parameters:short "Weights, rounded", share',
        check=_check_columns,
    )
    labels: Labels = option(
        (),
        read_labels,
        "id: label, id: label …",
        "Labels of your own for rows of tables and boxes of the diagram. A label with a colon in "
        "it is in quotes.",
        example='qkv: queries, keys and values, lm_head: "the head: one of V tokens"',
        check=check_labels,
    )
    notes: Labels = option(
        (),
        read_notes,
        "id: note, id: note …",
        "Notes of your own beside the arrows that leave a box of the diagram.",
        example='scores: "softmax(QKᵀ/√d) V"',
        check=check_labels,
    )
    color: Coloring = choice(
        Coloring,
        "Colours of the diagram: growth of the parameters with the hidden dimension, or share of "
        "the total.",
        Coloring.GROWTH,
    )
    direction: Direction = choice(
        Direction,
        "Direction of the diagram: left to right, or top to bottom, which also fits a phone.",
        Direction.TB,
    )
    legend: Legend = choice(
        Legend,
        "Whether frames, colours and symbols are explained below the diagram.",
        Legend.YES,
    )
    tokens: int | None = option(
        None,
        read_tokens,
        "number",
        "Number of tokens in a forward pass. By default those in context; if neither is set, 4,096 "
        "or the model's longest context, if that is shorter. The view shapes has 5.",
        example="4,096",
        check=_check_tokens,
    )
    context: int | None = option(
        None,
        read_tokens,
        "number",
        "Number of tokens in the context of a generated token. By default those of a forward pass; "
        "if neither is set, 4,096 or the model's longest context, if that is shorter. The KV cache "
        "has both.",
        example="128,000",
        check=_check_tokens,
    )
    batch: int = option(
        1,
        read_batch,
        "number",
        "Number of sequences that are processed together. Their memory and their cost are shown "
        "beside those of one.",
        example="8",
    )
    dtype: str = option(
        "",
        read_dtype,
        "type",
        "Data type of weights, activations and KV cache, or bits per weight. "
        "Each view has its own default.",
        example="fp8",
    )
    vary: str = option(
        HIDDEN_DIM.name,
        str,
        "key",
        "Key of the size that the scaling view varies.",
        example="num_layers",
        check=_check_key,
    )
    factors: tuple[Fraction, ...] = option(
        (),
        read_factors,
        "numbers",
        "Factors that the varied size is multiplied by. By default 1, 2, 4 and 8.",
        example="1/2, 1, 2",
    )
    follow: tuple[str, ...] | None = option(
        None,
        read_names,
        "keys",
        "Keys that grow with the varied size, or none. By default the usual ones.",
        example="ffn_dim",
        check=_check_keys,
    )
    shown: tuple[str, ...] = ()
