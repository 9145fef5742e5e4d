"""Chart of the scaling view: the costs as curves, relative to the unchanged model."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.charts import Curves, Series
from sphinx_llmsize.formats import factor_text, significant, thousands
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.scaling.growth import CountGrowth, without_weights
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels
from sphinx_llmsize.views.shared.key_text import size_with_value
from sphinx_llmsize.views.shared.wording import capital, listed_text


def growth_chart(scaled: ScaledModels, costs: Sequence[CountGrowth]) -> Curves:
    """A curve for each cost but the memory for weights, which grows as the parameters do."""
    factors = scaled.factors
    size = size_with_value(scaled.key, scaled.value())
    at_last_factor = [
        f"{cost.name} {significant(cost.ratio(factors[-1]))}×" for cost in without_weights(costs)
    ]
    return Curves(
        title=_("Growth of the costs, relative to {size}", size=size),
        description=_(
            "At {factor}×: {costs}. Both axes are logarithmic.",
            factor=factor_text(factors[-1]),
            costs=listed_text(at_last_factor),
        ),
        x_label=capital(_(scaled.key.meaning)),
        x=tuple(map(float, factors)),
        x_ticks=tuple(thousands(scaled.value(factor)) for factor in factors),
        series=tuple(
            Series(cost.name, tuple(float(cost.ratio(factor)) for factor in factors))
            for cost in without_weights(costs)
        ),
    )
