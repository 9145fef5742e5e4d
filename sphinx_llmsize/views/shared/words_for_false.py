"""Words for flags that are false, by the flag's name: ``bidirectional attention``.

A flag that is true has its own meaning, ``causal attention``. All are things that a model has, as
in ``BERT Base with causal attention``. A flag whose meaning is several things, ``biases in
attention``, needs no words here: it is ``no biases in attention`` if it is false.
"""

from __future__ import annotations

from sphinx_llmsize.translation import N_

IN_SEQUENCE = N_("attention and FFN one after the other")
NO_BIASES = N_("no biases on projections")
NO_EMBEDDING_NORM = N_("no norm on the embeddings")
NO_GATE_IN_FFN = N_("no gate in the FFN")
NO_OUTPUT_BIAS = N_("no bias on the attention's output projection")

WORDS_FOR_FALSE = {
    # attention
    "attention_gate": N_("no output gate"),
    "attention_output_bias": NO_OUTPUT_BIAS,
    "bidirectional_attention": N_("causal attention"),
    "causal": N_("bidirectional attention"),
    "decoder_cross_attention_everywhere": N_(
        "cross-attention in the first layer of the decoder only"
    ),
    "encoder_cross_attention_everywhere": N_(
        "cross-attention in the last layer of the encoder only"
    ),
    "full_rank_gates": N_("gates of delta attention as two matrices"),
    "grouped_kv_heads": N_("a fixed number of key/value heads"),
    "grouped_queries": N_("as many key/value heads as query heads"),
    "has_head_gate": N_("no gate on the heads' results"),
    "has_sliding_layers": N_("full attention in all layers"),
    "indexed_attention": N_("no indexer that selects keys"),
    "is_decoder": N_("bidirectional attention"),
    "key_query_shared_bottleneck": N_("no bottleneck for queries and keys"),
    "keys_as_values": N_("separate values in full-attention layers"),
    "multi_query": N_("a key/value head for each query head"),
    "narrow_attention": N_("values from the layer's input"),
    "output_bias": NO_OUTPUT_BIAS,
    "pool_q_only": N_("pooling of queries, keys and values in a block's first layer"),
    "separate_cls": N_("pooling of the first token too"),
    "shared_position_projections": N_("separate projections for relative positions"),
    "truncate_seq": N_("pooling of the last token too"),
    # positions and embeddings
    "absolute_positions": N_("no table of positions"),
    "axial_positions": N_("one table of position embeddings"),
    "concatenates_embeddings": N_("averaged embeddings"),
    "embedding_norm": NO_EMBEDDING_NORM,
    "has_alibi": N_("rotary positions in place of ALiBi"),
    "has_embedding_norm": NO_EMBEDDING_NORM,
    "has_patcher": N_("no patcher"),
    "has_task_types": N_("no embedding of the task type"),
    "language_embedding": N_("no embedding of the language"),
    "learned_positions": N_("computed positions"),
    "shares_embeddings": N_("a token embedding for each stack"),
    "trigram_input": N_("embeddings of single tokens"),
    # mixers
    "mixer_conv_bias": N_("no bias on the mixer's convolution"),
    "mixer_input_bias": N_("no bias on the mixer's input projection"),
    "mixer_norm": N_("no gated norm before the mixer's output projection"),
    "mixer_output_bias": N_("no bias on the mixer's output projection"),
    # feed-forward networks and experts
    "adjust_ffn_dim": N_("an unadjusted FFN dimension"),
    "dense_beside_experts": N_("no gated FFN in parallel with the experts"),
    "dense_residual": N_("no FFN in parallel with the experts"),
    "double_wide_mlp": N_("equally wide FFNs in all layers"),
    "gated_ffn": NO_GATE_IN_FFN,
    "has_gated_ffn": NO_GATE_IN_FFN,
    "router_bias": N_("no bias on the router"),
    "router_correction": N_("no correction bias in routers"),
    # layers
    "add_to_norms": N_("residual additions to the norms' inputs"),
    "bias": NO_BIASES,
    "bias_outside_experts": NO_BIASES,
    "has_bottleneck": N_("layers as wide as the hidden dimension"),
    "linear_biases": N_("biases on queries, keys and values at most"),
    "no_bias": N_("biases on all projections of a layer"),
    "parallel_attention": IN_SEQUENCE,
    "parallel_residual": IN_SEQUENCE,
    "projection_and_norm_bias": NO_BIASES,
    "positions_2d": N_("the layers of ChatGLM2 and later"),
    # norms
    "final_norm": N_("no norm after the last layer"),
    "has_adapter_norm": N_("no norm before the adapters"),
    "no_final_norm": N_("a norm after the layers"),
    "norm_bias": N_("no biases in norms"),
    "norm_first": N_("norms after attention and FFN, not before"),
    "post_norm": N_("norms before attention and FFN, not after"),
    "rms_norm": N_("layer norms instead of RMS norms"),
    "sandwich_norm": N_("norms only before attention and FFN"),
    # heads
    "adaptive_softmax": N_("an LM head in place of an adaptive softmax"),
    "has_pooler": N_("no matrix before the classifier"),
    "has_shared_embeddings": N_("an LM head besides the token embedding"),
    "head_transform_bias": N_("no bias on the transform before the LM head"),
    "legacy": N_("a head for masked tokens that is always tied"),
    "lm_head_bias": N_("no bias on the LM head"),
    "summary_proj_to_labels": N_("a summary of a sequence projected to the hidden dimension"),
    "summary_use_proj": N_("no projection of the summary of a sequence"),
}
