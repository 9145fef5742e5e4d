"""All configuration keys: ``from sphinx_llmsize.config import keys as k``.

Each key has a plain name, its names in ``config.json`` files, a kind, and a symbol if it is a size.
Keys of a single family may also be defined in the family's file. The functions that make keys and
rules, and rules that several families share, are in this namespace too: ``k.flag``, ``k.same_as``.
"""

from sphinx_llmsize.config.key import *  # noqa: F403
from sphinx_llmsize.config.keys.common import *  # noqa: F403
from sphinx_llmsize.config.keys.common_rules import *  # noqa: F403
from sphinx_llmsize.config.keys.embedding_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.experts import *  # noqa: F403
from sphinx_llmsize.config.keys.global_heads import *  # noqa: F403
from sphinx_llmsize.config.keys.latent_attention_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.layer_keys import *  # noqa: F403
from sphinx_llmsize.config.keys.mixers import *  # noqa: F403
from sphinx_llmsize.config.keys.sliding_latents import *  # noqa: F403
from sphinx_llmsize.config.rule import *  # noqa: F403
