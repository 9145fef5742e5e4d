"""GLM: a padding token that is in the small vocabularies."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.draw import Space

SMALL = Space({"pad_token_id": st.just(0)}, always=("pad_token_id",))

SPACES = {"glm": SMALL, "glm4": SMALL}
