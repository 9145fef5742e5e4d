"""All configuration keys: ``from sphinx_llmsize.config import keys as k``.

Each key has a plain name, its names in ``config.json`` files, a kind, and a symbol if it is a size.
Keys of a single family may also be defined in the family's file. Rules for these keys are here too.
"""

from sphinx_llmsize.config.keys.common import *  # noqa: F403
from sphinx_llmsize.config.keys.common_rules import *  # noqa: F403
from sphinx_llmsize.config.keys.embedding_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.experts import *  # noqa: F403
from sphinx_llmsize.config.keys.global_heads import *  # noqa: F403
from sphinx_llmsize.config.keys.latent_attention_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.layer_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.mixers import *  # noqa: F403
from sphinx_llmsize.config.keys.sliding_latents import *  # noqa: F403
