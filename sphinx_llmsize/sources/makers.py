"""Makers of the released models, by the organisations that publish them on the Hugging Face Hub."""

from __future__ import annotations

import re

from sphinx_llmsize.sources.preset_files import Preset

ORGANISATIONS = {
    "Meta": ("meta-llama", "facebook", "FacebookAI", "huggyllama", "codellama"),
    "AI21 Labs (Jamba)": ("ai21labs",),
    "Alibaba (Qwen)": ("Qwen", "Alibaba-NLP"),
    "Allen Institute for AI (OLMo)": ("allenai",),
    "Ant Group (Ling)": ("inclusionAI",),
    "Apple": ("apple",),
    "BAAI (BGE, Aquila)": ("BAAI",),
    "Baichuan": ("baichuan-inc",),
    "Baidu (ERNIE)": ("baidu", "nghuyong"),
    "BigCode (StarCoder)": ("bigcode",),
    "BigScience (BLOOM)": ("bigscience",),
    "ByteDance": ("ByteDance-Seed",),
    "Cerebras": ("cerebras",),
    "China Telecom (TeleChat)": ("Tele-AI",),
    "Cohere (Command, Aya)": ("CohereLabs",),
    "Databricks (DBRX, MPT, Dolly)": ("databricks", "mosaicml"),
    "DeepSeek": ("deepseek-ai",),
    "EleutherAI": ("EleutherAI",),
    "G42 (Jais)": ("inceptionai", "core42"),
    "Google": ("google", "google-bert", "google-t5", "albert"),
    "Hugging Face": ("HuggingFaceTB", "HuggingFaceH4", "distilbert", "sshleifer"),
    "IBM (Granite)": ("ibm-granite", "ibm-fms"),
    "LG AI Research (EXAONE)": ("LGAI-EXAONE",),
    "Liquid AI": ("LiquidAI",),
    "Microsoft": ("microsoft", "intfloat", "alpindale"),
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
}
"""Hub organisations by maker, in the order of the documentation's page of released models.

Models in brackets are better known than their maker.
"""
OTHER_ORGANISATIONS = {
    "ABEJA": ("abeja",),
    "Adept": ("adept",),
    "Aleph Alpha": ("Aleph-Alpha",),
    "Andrej Karpathy": ("karpathy",),
    "Answer.AI": ("answerdotai",),
    "Arcee AI": ("arcee-ai",),
    "Barcelona Supercomputing Center": ("BSC-LT",),
    "Carnegie Mellon and Google": ("funnel-transformer", "xlnet"),
    "Carnegie Mellon and Princeton": ("state-spaces",),
    "Deep Cogito": ("deepcogito",),
    "Emily Alsentzer and others": ("emilyalsentzer",),
    "EuroBERT": ("EuroBERT",),
    "HKUST": ("yiyanghkust",),
    "Huawei": ("huawei-noah",),
    "Inria": ("almanach",),
    "IQuest Lab": ("IQuestLab",),
    "JetMoE": ("jetmoe",),
    "Jina AI": ("jinaai",),
    "Johns Hopkins University": ("jhu-clsp",),
    "Korea University": ("dmis-lab",),
    "Kyutai": ("kyutai",),
    "LMSYS": ("lmsys",),
    "Meituan (LongCat)": ("meituan-longcat",),
    "MicroLlama": ("keeeeenw",),
    "Mixedbread": ("mixedbread-ai",),
    "Naver (HyperCLOVA X)": ("naver-hyperclovax",),
    "Nomic AI": ("nomic-ai",),
    "Nous Research": ("NousResearch",),
    "NXAI": ("NX-AI",),
    "OpenChat": ("openchat",),
    "OpenLM Research": ("openlm-research",),
    "OrionStar": ("OrionStarAI",),
    "Preferred Networks (PLaMo)": ("pfnet",),
    "Prime Intellect": ("PrimeIntellect",),
    "Princeton University": ("princeton-nlp",),
    "Prosus": ("ProsusAI",),
    "Rednote (dots)": ("rednote-hilab",),
    "Renmin University of China": ("RUCAIBox",),
    "Rhymes AI": ("rhymes-ai",),
    "RWKV": ("RWKV",),
    "Sentence Transformers": ("sentence-transformers", "cross-encoder"),
    "Snowflake": ("Snowflake",),
    "Stanford University": ("tatsu-lab",),
    "StepFun": ("stepfun-ai",),
    "Swiss AI Initiative": ("swiss-ai",),
    "Teknium": ("teknium",),
    "TinyLlama": ("TinyLlama",),
    "UC Berkeley": ("berkeley-nest",),
    "UCLA": ("uclanlp",),
    "University of Helsinki": ("Helsinki-NLP",),
    "UTTER (EuroLLM)": ("utter-project",),
    "WhereIsAI": ("WhereIsAI",),
    "Yitu Technology": ("YituTech",),
    "Zhuiyi Technology (RoFormer)": ("junnyu",),
}
"""Hub organisations and owners of repositories by maker, for makers with few models.

They have no heading of their own on the documentation's page of released models.
"""
WITHOUT_ORGANISATION = {"opt-175b": "Meta", "nemotron-4-15b": "NVIDIA", "lfm3-1.7b": "Liquid AI"}
"""Makers of presets that have neither a Hub id nor a source on the Hub."""
_MAKER_OF = {
    organisation: maker
    for maker, organisations in (ORGANISATIONS | OTHER_ORGANISATIONS).items()
    for organisation in organisations
}
_HUB_SOURCE = re.compile("https://huggingface.co/([^/]+)/[^/]+$")
_REPOSITORY = re.compile("https://github.com/([^/]+)/")


def maker_of(preset: Preset) -> str:
    """Name of the maker; an organisation that isn't listed here is the maker itself."""
    if preset.name in WITHOUT_ORGANISATION:
        return WITHOUT_ORGANISATION[preset.name]
    organisation = _organisation(preset)
    return _MAKER_OF.get(organisation, organisation)


def _organisation(preset: Preset) -> str:
    """The organisation of the source on the Hub, else of the first Hub id, else of a repository."""
    if source := _HUB_SOURCE.match(preset.source):
        return source[1]
    if preset.hub:
        return preset.hub[0].partition("/")[0]
    repository = _REPOSITORY.match(preset.source)
    return repository[1] if repository else ""
