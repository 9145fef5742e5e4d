"""Configuration keys, one vocabulary: ``from sphinx_llmsize.config import keys as k``.

Each key has a plain name, the names that ``config.json`` files use for it, a kind and, if it is a
size, a symbol. Keys that only one family has stand in that family's file.
"""

from sphinx_llmsize.config.keys.common import *  # noqa: F403
from sphinx_llmsize.config.keys.embedding_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.encoder_decoder_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.expert_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.global_attention import *  # noqa: F403
from sphinx_llmsize.config.keys.indexer_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.latent_attention_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.layer_types import *  # noqa: F403
from sphinx_llmsize.config.keys.mixer_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.ngram_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.sliding_latent import *  # noqa: F403
from sphinx_llmsize.config.keys.stream_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.window_keys import *  # noqa: F403
