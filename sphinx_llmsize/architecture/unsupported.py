"""Well-known ``model_type``s that are not supported, with similar ones that are."""

from __future__ import annotations

from sphinx_llmsize.translation import N_, _

REASONS: dict[str, str] = {
    N_("a model of speech; supported text encoder-decoders: bart, t5, m2m_100 …"): (
        "whisper speech_to_text speecht5 moonshine moonshine_streaming seamless_m4t "
        "seamless_m4t_v2 bark musicgen musicgen_melody moshi csm dia kyutai_speech_to_text "
        "parakeet pop2piano cohere_asr"
    ),
    N_("an encoder of speech; supported text encoders: bert, roberta, modernbert …"): (
        "wav2vec2 wav2vec2-bert wav2vec2-conformer hubert wavlm unispeech unispeech-sat sew sew-d "
        "audio-spectrogram-transformer clap data2vec-audio"
    ),
    N_("supported models of T5 and Gemma: t5, mt5, umt5, longt5, gemma, gemma2, gemma3_text"): (
        "t5gemma t5gemma2"
    ),
    N_("supported models of this line: pegasus, bigbird_pegasus"): "pegasus_x",
    N_("supported model of this line: esm"): "esmc esmfold2",
}
"""Unsupported types, separated by spaces, by the hint that is shown for them."""


def unsupported_hint(model_type: str) -> str:
    """Hint for an unsupported type: the reason, or similar supported types; empty if not listed."""
    return next((_(text) for text, types in REASONS.items() if model_type in types.split()), "")
