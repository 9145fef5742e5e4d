"""What follows from other values, and what must fit together: rules that families list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.keys.common import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
)
from sphinx_llmsize.config.keys.expert_keys import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.rule import Rule, Settings, known, same_as, whole
from sphinx_llmsize.config.symbols import K
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.key import Key
    from sphinx_llmsize.config.parsed import ParsedConfig


def _derive_heads(settings: Settings) -> Settings:
    heads, hidden = known(settings, NUM_HEADS), known(settings, HIDDEN_DIM)
    return {NUM_KV_HEADS: heads, HEAD_DIM: hidden // heads}


def _check_heads(settings: Settings, parsed: ParsedConfig) -> None:
    hidden, heads = whole(settings, HIDDEN_DIM), whole(settings, NUM_HEADS)
    if hidden and heads and not whole(settings, HEAD_DIM) and hidden % heads:
        hint = _("choose {key} so that it divides", key=parsed.name(NUM_HEADS))
        if HEAD_DIM in settings:
            hint = _("give head_dim, or {other}", other=hint)
        raise ConfigError(
            _(
                "{heads} heads do not divide {key} {hidden}",
                heads=heads,
                key=parsed.name(HIDDEN_DIM),
                hidden=hidden,
            ),
            Problem.SHAPE,
            hint=hint,
            line=parsed.line(NUM_HEADS, HIDDEN_DIM),
        )
    _check_kv_heads(settings, parsed)


def _check_kv_heads(settings: Settings, parsed: ParsedConfig) -> None:
    heads, kv_heads = whole(settings, NUM_HEADS), whole(settings, NUM_KV_HEADS)
    if heads and kv_heads and heads % kv_heads:
        raise ConfigError(
            _(
                "{kv_heads} key/value heads do not divide {heads} heads",
                kv_heads=kv_heads,
                heads=heads,
            ),
            Problem.SHAPE,
            hint=_("choose {key} so that it divides", key=parsed.name(NUM_KV_HEADS)),
            line=parsed.line(NUM_KV_HEADS, NUM_HEADS),
        )


def heads_fill_hidden(when: Key | None = None) -> Rule:
    """All heads together must be as wide as D, or wherever a flag is set: norms span them."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        hidden, heads = whole(settings, HIDDEN_DIM), whole(settings, NUM_HEADS)
        head_dim = whole(settings, HEAD_DIM)
        applies = when is None or settings.get(when) is True
        if applies and hidden and heads and head_dim and heads * head_dim != hidden:
            raise ConfigError(
                _(
                    "{heads} heads of {head_dim} do not fill {key} {hidden}",
                    heads=heads,
                    head_dim=head_dim,
                    key=parsed.name(HIDDEN_DIM),
                    hidden=hidden,
                ),
                Problem.SHAPE,
                hint=_("leave {key} out, or choose it so that they do", key=parsed.name(HEAD_DIM)),
                line=parsed.line(HEAD_DIM, NUM_HEADS),
            )

    return Rule(check=check)


def _four_times_hidden(settings: Settings) -> Settings:
    return {FFN_DIM: 4 * known(settings, HIDDEN_DIM)}


def _experts_used(settings: Settings) -> Key:
    """The family's own key of k: it is of another kind where a token may use none."""
    return next((key for key in settings if key.symbol == K), EXPERTS_PER_TOKEN)


def _used(settings: Settings, key: Key) -> tuple[int, ...]:
    """The experts that a token uses, in each layer where that differs."""
    value = settings.get(key)
    many = value if isinstance(value, tuple) else (value,)
    return tuple(count for count in many if isinstance(count, int))


def _check_experts(settings: Settings, parsed: ParsedConfig) -> None:
    key = _experts_used(settings)
    experts, used = whole(settings, NUM_EXPERTS), max(_used(settings, key), default=0)
    if parsed.ignore_unknown or key not in parsed.settings:
        return  # a default, written or not: it then means all of them
    if experts and used > experts:
        raise ConfigError(
            _(
                "a token cannot use {used} of {experts} experts",
                used=used,
                experts=experts,
            ),
            Problem.SHAPE,
            hint=_(
                "choose {key} no larger than {other}",
                key=parsed.name(key),
                other=parsed.name(NUM_EXPERTS),
            ),
            line=parsed.line(key, NUM_EXPERTS),
        )


def _experts_that_there_are(settings: Settings) -> Settings:
    key = _experts_used(settings)
    experts, used = whole(settings, NUM_EXPERTS), _used(settings, key)
    if experts is None or max(used, default=0) <= experts:
        return {}
    bounded = tuple(min(count, experts) for count in used)
    return {key: bounded if isinstance(settings[key], tuple) else experts}


EXPERTS_IN_USE = Rule(check=_check_experts, clamp=_experts_that_there_are)
"""A token uses no more experts than there are; this holds for every family."""

ALL_EXPERTS = same_as(NUM_EXPERTS, EXPERTS_PER_TOKEN)
"""Where the experts of a token are not told, it uses all."""

ATTENTION_HEADS = Rule(_derive_heads, _check_heads)
"""Key/value heads are the heads, head_dim is D / H; heads divide D, key/value heads the heads."""

HEADS_ROUNDED_DOWN = Rule(_derive_heads, _check_kv_heads)
"""As :data:`ATTENTION_HEADS`, but heads need not divide D: D / H is rounded down."""

FFN_FOUR_TIMES_HIDDEN = Rule(_four_times_hidden)
"""The feed-forward width of the original transformer, 4·D."""
