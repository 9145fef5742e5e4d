"""Building blocks of the model families: ``from sphinx_llmsize.architecture import parts``.

A part is a function that returns a stage or a block of stages: norms, attention, feed-forward
networks, mixers, embeddings, heads. A frame (``norms.py``) arranges them as a layer, and
``decoders.py`` and ``encoders.py`` make whole models of layers. ``weights.py`` makes the tensors of
all parts; ``layer_kinds.py`` and ``window_patterns.py`` read values by layer from a configuration.
"""

from sphinx_llmsize.architecture.parts.attention_convolutions import *  # noqa: F403
from sphinx_llmsize.architecture.parts.block_edits import *  # noqa: F403
from sphinx_llmsize.architecture.parts.compressed_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.configured_layers import *  # noqa: F403
from sphinx_llmsize.architecture.parts.decoders import *  # noqa: F403
from sphinx_llmsize.architecture.parts.embeddings import *  # noqa: F403
from sphinx_llmsize.architecture.parts.encoder_decoder_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.encoder_decoder_stacks import *  # noqa: F403
from sphinx_llmsize.architecture.parts.encoders import *  # noqa: F403
from sphinx_llmsize.architecture.parts.feed_forward import *  # noqa: F403
from sphinx_llmsize.architecture.parts.layer_kinds import *  # noqa: F403
from sphinx_llmsize.architecture.parts.linear_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.mla import *  # noqa: F403
from sphinx_llmsize.architecture.parts.ngrams import *  # noqa: F403
from sphinx_llmsize.architecture.parts.norms import *  # noqa: F403
from sphinx_llmsize.architecture.parts.recurrences import *  # noqa: F403
from sphinx_llmsize.architecture.parts.residual_streams import *  # noqa: F403
from sphinx_llmsize.architecture.parts.scores import *  # noqa: F403
from sphinx_llmsize.architecture.parts.self_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.shared_layers import *  # noqa: F403
from sphinx_llmsize.architecture.parts.shared_projections import *  # noqa: F403
from sphinx_llmsize.architecture.parts.state_spaces import *  # noqa: F403
from sphinx_llmsize.architecture.parts.submodels import *  # noqa: F403
from sphinx_llmsize.architecture.parts.weights import *  # noqa: F403
from sphinx_llmsize.architecture.parts.window_patterns import *  # noqa: F403
from sphinx_llmsize.architecture.positions import *  # noqa: F403
