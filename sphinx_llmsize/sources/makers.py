"""Makers of the released models, by the organisations that publish them on the Hugging Face Hub."""

from __future__ import annotations

import re

from sphinx_llmsize.sources.presets import Preset

# model lines follow the name of a maker that is less known than its models
ORGANISATIONS = {
    "Meta": ("meta-llama", "facebook", "FacebookAI", "huggyllama", "codellama"),
    "AI21 Labs (Jamba)": ("ai21labs",),
    "Alibaba (Qwen)": ("Qwen", "Alibaba-NLP"),
    "Allen Institute for AI (OLMo)": ("allenai",),
    "Ant Group (Ling)": ("inclusionAI",),
    "Apple": ("apple",),
    "BAAI (BGE, Aquila)": ("BAAI",),
    "Baichuan": ("baichuan-inc",),
    "Baidu (ERNIE)": ("baidu",),
    "ByteDance": ("ByteDance-Seed",),
    "Cerebras": ("cerebras",),
    "China Telecom (TeleChat)": ("Tele-AI",),
    "Cohere (Command, Aya)": ("CohereLabs",),
    "Databricks (DBRX, MPT, Dolly)": ("databricks", "mosaicml"),
    "DeepSeek": ("deepseek-ai",),
    "G42 (Jais)": ("inceptionai", "core42"),
    "Google": ("google", "google-bert", "google-t5", "albert"),
    "Hugging Face": ("HuggingFaceTB", "HuggingFaceH4", "distilbert"),
    "IBM (Granite)": ("ibm-granite", "ibm-fms"),
    "LG AI Research (EXAONE)": ("LGAI-EXAONE",),
    "Liquid AI": ("LiquidAI",),
    "Microsoft": ("microsoft", "intfloat"),
    "MiniMax": ("MiniMaxAI",),
    "Mistral AI": ("mistralai",),
    "Moonshot AI (Kimi)": ("moonshotai",),
    "NVIDIA": ("nvidia",),
    "OpenAI": ("openai", "openai-community"),
    "OpenBMB (MiniCPM)": ("openbmb",),
    "Salesforce": ("Salesforce",),
    "Shanghai AI Laboratory (InternLM)": ("internlm",),
    "Stability AI": ("stabilityai",),
    "Technology Innovation Institute (Falcon)": ("tiiuae",),
    "Tencent (Hunyuan)": ("tencent",),
    "Together AI": ("togethercomputer",),
    "Upstage (Solar)": ("upstage",),
    "xAI (Grok)": ("xai-org",),
    "Xiaomi (MiMo)": ("XiaomiMiMo",),
    "XVERSE": ("xverse",),
    "Z.ai (GLM)": ("zai-org", "THUDM"),
    "Zyphra": ("Zyphra",),
    "01.AI (Yi)": ("01-ai",),
    "EleutherAI, BigScience and BigCode": ("EleutherAI", "bigscience", "bigcode"),
}
"""Hub organisations by maker, in the order of the page."""
WITHOUT_ORGANISATION = {"opt-175b": "Meta", "nemotron-4-15b": "NVIDIA", "lfm3-1.7b": "Liquid AI"}
"""Makers of presets that have neither a Hub id nor a source on the Hub."""
OTHERS = "Other makers, universities and communities"
MAKERS = (*ORGANISATIONS, OTHERS)
_MAKER_OF = {
    organisation: maker
    for maker, organisations in ORGANISATIONS.items()
    for organisation in organisations
}
_HUB_SOURCE = re.compile("https://huggingface.co/([^/]+)/[^/]+$")
_REPOSITORY = re.compile("https://github.com/([^/]+)/")


def maker_of(preset: Preset) -> str:
    """The maker: by the preset's source, else its first Hub id; one of ``MAKERS``."""
    source = _HUB_SOURCE.match(preset.source)
    organisation = source[1] if source else _first_organisation(preset)
    if organisation in _MAKER_OF:
        return _MAKER_OF[organisation]
    return WITHOUT_ORGANISATION.get(preset.name, OTHERS)


def maker_or_organisation(preset: Preset) -> str:
    """The maker, or else the owner of the first Hub id or of the repository; empty without any."""
    maker = maker_of(preset)
    return maker if maker != OTHERS else _first_organisation(preset) or _repository_owner(preset)


def _first_organisation(preset: Preset) -> str:
    """The organisation in the first Hub id; empty if there is none."""
    return preset.hub[0].partition("/")[0] if preset.hub else ""


def _repository_owner(preset: Preset) -> str:
    """The owner of the repository that is the preset's source; empty for another source."""
    repository = _REPOSITORY.match(preset.source)
    return repository[1] if repository else ""
