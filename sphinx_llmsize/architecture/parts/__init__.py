"""Parts that families are composed of: ``from sphinx_llmsize.architecture import parts``.

A part makes stages: norms, attention, feed-forward networks, mixers, embeddings, heads. Frames put
blocks together to a decoder, an encoder, or both.
"""

from sphinx_llmsize.architecture.parts.altup import *  # noqa: F403
from sphinx_llmsize.architecture.parts.attention_to_encoder import *  # noqa: F403
from sphinx_llmsize.architecture.parts.block_residuals import *  # noqa: F403
from sphinx_llmsize.architecture.parts.blocks import *  # noqa: F403
from sphinx_llmsize.architecture.parts.cca import *  # noqa: F403
from sphinx_llmsize.architecture.parts.compressed_keys import *  # noqa: F403
from sphinx_llmsize.architecture.parts.convolution import *  # noqa: F403
from sphinx_llmsize.architecture.parts.decoder_frame import *  # noqa: F403
from sphinx_llmsize.architecture.parts.distance_biases import *  # noqa: F403
from sphinx_llmsize.architecture.parts.embeddings import *  # noqa: F403
from sphinx_llmsize.architecture.parts.encoder_decoder_frame import *  # noqa: F403
from sphinx_llmsize.architecture.parts.encoder_frame import *  # noqa: F403
from sphinx_llmsize.architecture.parts.experts import *  # noqa: F403
from sphinx_llmsize.architecture.parts.feed_forward import *  # noqa: F403
from sphinx_llmsize.architecture.parts.hashed_ngrams import *  # noqa: F403
from sphinx_llmsize.architecture.parts.hyper_connections import *  # noqa: F403
from sphinx_llmsize.architecture.parts.indexers import *  # noqa: F403
from sphinx_llmsize.architecture.parts.layer_kinds import *  # noqa: F403
from sphinx_llmsize.architecture.parts.linear_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.matrix_memory import *  # noqa: F403
from sphinx_llmsize.architecture.parts.mla import *  # noqa: F403
from sphinx_llmsize.architecture.parts.norms import *  # noqa: F403
from sphinx_llmsize.architecture.parts.other_sizes import *  # noqa: F403
from sphinx_llmsize.architecture.parts.per_layer_inputs import *  # noqa: F403
from sphinx_llmsize.architecture.parts.reused_projections import *  # noqa: F403
from sphinx_llmsize.architecture.parts.rg_lru import *  # noqa: F403
from sphinx_llmsize.architecture.parts.scores import *  # noqa: F403
from sphinx_llmsize.architecture.parts.sections import *  # noqa: F403
from sphinx_llmsize.architecture.parts.self_attention import *  # noqa: F403
from sphinx_llmsize.architecture.parts.shared_layers import *  # noqa: F403
from sphinx_llmsize.architecture.parts.sparse_layers import *  # noqa: F403
from sphinx_llmsize.architecture.parts.state_spaces import *  # noqa: F403
from sphinx_llmsize.architecture.parts.states import *  # noqa: F403
from sphinx_llmsize.architecture.parts.time_mixing import *  # noqa: F403
from sphinx_llmsize.architecture.parts.weights import *  # noqa: F403
from sphinx_llmsize.architecture.parts.window_patterns import *  # noqa: F403
