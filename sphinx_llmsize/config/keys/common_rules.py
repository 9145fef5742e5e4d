"""Rules shared by many families."""

from __future__ import annotations

from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    heads_do_not_divide,
)
from sphinx_llmsize.config.keys.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, int_of, int_or_none, ints_of, same_as
from sphinx_llmsize.config.symbols import K
from sphinx_llmsize.traced import lesser
from sphinx_llmsize.translation import N_, _


def _derive_heads(settings: Settings) -> Settings:
    """H_kv = H, and d_h = D / H rounded down."""
    heads, hidden = int_of(settings, NUM_HEADS), int_of(settings, HIDDEN_DIM)
    return {NUM_KV_HEADS: heads, HEAD_DIM: hidden // heads}


def _check_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that H divides D unless d_h is set, and that H_kv divides H."""
    hidden, heads = int_or_none(settings, HIDDEN_DIM), int_or_none(settings, NUM_HEADS)
    if hidden and heads and not int_or_none(settings, HEAD_DIM) and hidden % heads:
        error = heads_do_not_divide(parsed, NUM_HEADS, heads, hidden)
        if HEAD_DIM in settings:
            error = error.replace(hint=_("give head_dim, or {other}", other=error.hint))
        raise error
    _check_kv_heads(settings, parsed)


def _check_rounded_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that D / H, rounded down, isn't 0 unless d_h is set, and that H_kv divides H."""
    hidden, heads = int_or_none(settings, HIDDEN_DIM), int_or_none(settings, NUM_HEADS)
    if hidden and heads and not int_or_none(settings, HEAD_DIM) and heads > hidden:
        raise heads_do_not_divide(parsed, NUM_HEADS, heads, hidden)
    _check_kv_heads(settings, parsed)


def _check_kv_heads(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that H_kv divides H."""
    heads, kv_heads = int_or_none(settings, NUM_HEADS), int_or_none(settings, NUM_KV_HEADS)
    if heads and kv_heads and heads % kv_heads:
        message = N_("{kv} key/value heads do not divide {heads} heads")
        if heads == 1:
            message = N_("{kv} key/value heads do not divide a single head")
        hint = N_("choose {key} so that it divides")
        keys = (NUM_KV_HEADS, NUM_HEADS)
        raise parsed.error(message, *keys, kv=kv_heads, heads=heads, hint=hint)


def heads_fill_hidden(when: Key | None = None) -> Rule:
    """Rule: H · d_h equals D, as required by norms across all heads and by fused projections.

    Args:
        when: flag that enables such a norm or projection; None if the family always has one.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        hidden, heads = int_or_none(settings, HIDDEN_DIM), int_or_none(settings, NUM_HEADS)
        head_dim = int_or_none(settings, HEAD_DIM)
        applies = when is None or settings.get(when) is True
        if applies and hidden and heads and head_dim and heads * head_dim != hidden:
            # formatted here, as {key} is another key in the message
            hint = _("leave {key} out, or choose it so that they do", key=parsed.name(HEAD_DIM))
            raise parsed.error(
                N_("{heads} heads of {head_dim} do not fill {key} {hidden}"),
                HEAD_DIM,
                NUM_HEADS,
                heads=heads,
                head_dim=head_dim,
                key=HIDDEN_DIM,
                hidden=hidden,
            ).with_hint(hint)

    return Rule(check=check)


def _derive_ffn_dim(settings: Settings) -> Settings:
    """F = 4 · D."""
    return {FFN_DIM: 4 * int_of(settings, HIDDEN_DIM)}


def ffn_dim_half_of(gate_and_up: Key) -> Rule:
    """Rule: the FFN dimension is half of this key, which counts gate and up; rounded down."""

    def derive(settings: Settings) -> Settings:
        return {FFN_DIM: int_of(settings, gate_and_up) // 2}

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        both, width = int_or_none(settings, gate_and_up), int_or_none(settings, FFN_DIM)
        is_written = gate_and_up in parsed.settings  # its default doesn't count
        if is_written and both and width and both // 2 != width:
            message = N_("{key} {gate_up} is not twice {other} {width}")
            hint = N_("keep one of them")
            raise parsed.error(message, gate_and_up, FFN_DIM, gate_up=both, width=width, hint=hint)

    return Rule(derive=derive, check=check)


def _experts_per_token(settings: Settings) -> tuple[Key, tuple[int, ...]]:
    """The family's key for k, and its values: a single one, or one for each layer."""
    # families in which a token may use no experts define their own key for k
    key = next((key for key in settings if key.symbol == K), EXPERTS_PER_TOKEN)
    return key, ints_of(settings, key)


def _check_experts(settings: Settings, parsed: ParsedConfig) -> None:
    """Check that k is at most E, if an author wrote it.

    A larger k in a ``config.json`` or in defaults is clamped instead (:func:`_clamp_experts`).
    """
    key, counts = _experts_per_token(settings)
    if parsed.is_config_json or key not in parsed.settings:
        return
    experts = int_or_none(settings, NUM_EXPERTS)
    used = max(counts, default=0)
    if experts and used > experts:
        message = N_("a token cannot use {used} of {experts} experts")
        if experts == 1:
            message = N_("a token cannot use {used} experts: there is only one")
        hint = N_("choose {key} no larger than {other}")
        raise parsed.error(message, key, NUM_EXPERTS, used=used, experts=experts, hint=hint)


def _clamp_experts(settings: Settings) -> Settings:
    """Replace a k larger than E by E."""
    key, counts = _experts_per_token(settings)
    experts = int_or_none(settings, NUM_EXPERTS)
    if experts is None or not counts:
        return {}
    clamped = tuple(lesser(count, experts) for count in counts)
    return {key: clamped if isinstance(settings[key], tuple) else clamped[0]}


EXPERTS_IN_USE_RULE = Rule(check=_check_experts, replace=_clamp_experts)
"""k is at most E: larger values are an error, or are clamped in a config.json and in defaults."""

ALL_EXPERTS_RULE = same_as(NUM_EXPERTS, EXPERTS_PER_TOKEN)
"""A token uses all experts by default."""

ATTENTION_HEADS_RULE = Rule(derive=_derive_heads, check=_check_heads)
"""Defaults H_kv = H and d_h = D / H; H must divide D unless d_h is set, and H_kv must divide H."""

ROUNDED_HEAD_DIM_RULE = Rule(derive=_derive_heads, check=_check_rounded_heads)
"""Like :data:`ATTENTION_HEADS_RULE`, but H need not divide D: d_h is D / H, rounded down."""

FFN_FOUR_TIMES_HIDDEN_RULE = Rule(derive=_derive_ffn_dim)
"""Default F = 4 · D, as in the original transformer."""
