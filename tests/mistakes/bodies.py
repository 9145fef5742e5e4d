"""Configurations with errors: scalars, structure, and values that do not fit."""

from __future__ import annotations

from mistakes.case import HERE, SIZES, body

ROWS = SIZES.split("\n")[1:]
NOT_SIZES = {
    "separators": "1_0_0", "plus": "+4", "binary": "0b11", "octal": "0o17", "small": "1e-3",
    "comma": "4,096", "single_quotes": "'4'", "word": "four", "variable": "${LAYERS}",
    "percent": "4%", "semicolon": "4;", "arabic_digit": "\u0664", "zero_width": "4\u200b",
    "blank": "1 000", "point": "1.000", "zero": "0", "too_large": "9999999999999999",
    "tilde": "~", "mapping": "{}", "list": "[4]", "date": "2001-01-01", "exponent": "e9",
    "thousand": "4k", "two_signs": "--4", "superscript": "4\u00b2", "roman": "\u2163",
}  # fmt: skip
YAML_TAGS = {
    "int_tag": "!!int 4", "anchor": "&four 4", "alias": "*four", "python_tag": "!!python/name:os",
    "own_tag": "!env LAYERS", "set_tag": "!!set {4}",
}  # fmt: skip


def with_layers(value: str) -> str:
    """A configuration with this number of layers."""
    return "\n".join((f"num_layers: {value}{HERE}", *ROWS))


def extra(*lines: str) -> str:
    """A configuration with additional lines."""
    return "\n".join((SIZES, *lines))


SCALARS = [
    *(body(f"size_{name}", with_layers(value), "value") for name, value in NOT_SIZES.items()),
    *(body(f"size_{name}", with_layers(value), "syntax") for name, value in YAML_TAGS.items()),
    body("size_commented_ok", with_layers("4   # four").replace(HERE, "")),
    body("size_separated_ok", with_layers("1_000").replace(HERE, "")),
]
STRUCTURE = [
    body("key_in_capitals", extra(f"Num_Layers: 3{HERE}"), "key", "did you mean 'num_layers'"),
    body("key_twice_in_quotes", extra(f"'num_layers': 3{HERE}"), "key", "duplicate"),
    body("key_by_another_name", extra(f"n_layer: 3{HERE}"), "key", "names of the same key"),
    body("key_of_braces", extra(f"'{{{{ 7 * 7 }}}}': 3{HERE}"), "key", "{{ 7 * 7 }}"),
    body("key_with_percent", extra(f"'%(x)s %s': 3{HERE}"), "key", "%(x)s %s"),
    body("key_dunder", extra(f"__class__: 3{HERE}"), "key"),
    body("key_empty", extra(f"'': 3{HERE}"), "key"),
    body("key_that_is_a_number", extra(f"4: 3{HERE}"), "key"),
    body("key_of_emoji", extra(f"\U0001f9e0: 3{HERE}"), "key"),
    body("key_from_right_to_left", extra(f"'\u202enum_layers': 3{HERE}"), "key"),
    body("second_document", extra(f"---{HERE}", "num_layers: 3"), "syntax", "second"),
    body("list_at_the_root", f"- num_layers{HERE}\n- hidden_dim", "syntax"),
    body("only_a_comment", f"# nothing{HERE}", "syntax", "empty"),
    body("only_a_word", f"configuration{HERE}", "syntax"),
    body("bracket_left_open", extra(f"layer_types: [a,{HERE}", "dropout: 0"), "syntax"),
    body("quote_left_open", extra(f"name: 'a{HERE}", "dropout: 0"), "syntax"),
    body("space_missing", extra(f"ffn_dim:64{HERE}", "dropout: 0"), "syntax", "after the colon"),
    body("equals_sign", extra(f"ffn_dim = 64{HERE}", "dropout: 0"), "syntax", "ffn_dim: …"),
    body("factor_without_a_model", f"hidden_dim: '*2'{HERE}\nnum_layers: 2", "value", "a factor"),
    body("factor_without_quotes", f"num_layers: 2\nhidden_dim: *2{HERE}", "syntax", "in quotes"),
    body("key_of_several_lines", extra(f"? a{HERE}", ": 3"), "key"),
    body("nul_escape", extra(f'"\\0": 3{HERE}'), "key"),
    body("brackets_within_brackets", extra(f"x: {'[' * 200}{']' * 200}{HERE}"), "syntax"),
    body("python_call", f"config = {{\n    'num_layers': int('4'),{HERE}\n}}", "syntax"),
    body("python_import", f"config = {{\n    'n': __import__('os').getcwd(),{HERE}\n}}", "syntax"),
    body("python_sum", f"config = {{\n    'num_layers': 2 + 2,{HERE}\n}}", "syntax"),
    body("python_power", f"config = {{\n    'num_layers': 9**9**9,{HERE}\n}}", "syntax"),
    body("python_set", f"config = {{\n    'num_layers': {{4}},{HERE}\n}}", "syntax"),
    body("python_format", f"config = {{\n    'num_layers': f'4',{HERE}\n}}", "syntax"),
    body("python_bytes", f"config = {{\n    'num_layers': b'4',{HERE}\n}}", "syntax"),
    body("python_complex", f"config = {{\n    'num_layers': 4j,{HERE}\n}}", "syntax"),
    body("python_unpacked", f"config = {{\n    **defaults,{HERE}\n}}", "syntax"),
    body("python_comprehension", f"config = {{k: 4 for k in 'ab'}}{HERE}", "syntax"),
    body("python_left_open", f"config = {{{HERE}\n    'num_layers': 4,", "syntax", "never closed"),
    body("python_goes_on", f"config = {{\n    'num_layers': 4,\n}}\nprint(config){HERE}", "syntax"),
    body("json_comment", f'{{\n  "num_layers": 2, // two{HERE}\n  "a": 1\n}}', "syntax", "'#'"),
    body("json_block", f'{{\n  "num_layers": 2, /* 2 */{HERE}\n  "a": 1\n}}', "syntax", "'#'"),
    body("unquoted_ok", "config = {num_layers: 2, hidden_dim: 64, num_heads: 4, vocab_size: 9}"),
    body("comma_ok", "c = {'num_layers': 2, 'hidden_dim': 64, 'num_heads': 4, 'vocab_size': 9},"),
    body("json_ok", '{"num_layers": 2, "hidden_dim": 64, "num_heads": 4, "vocab_size": 100}'),
    body("dict_call_ok", "config = dict(num_layers=2, hidden_dim=64, num_heads=4, vocab_size=9)"),
]
EXPERTS = "model_type: mixtral\nnum_local_experts: 4"
FIT = [
    body("no_vocabulary", f"num_layers: 2{HERE}\nhidden_dim: 64\nnum_heads: 4", "missing"),
    body("heads_that_do_not_divide", extra("model_type: llama", f"head_dim: 0{HERE}"), "value"),
    body("shared_heads", f"model_type: llama\nnum_heads: 8\nnum_kv_heads: 3{HERE}", "shape"),
    body("more_experts_used", f"{EXPERTS}\nnum_experts_per_tok: 8{HERE}", "shape"),
    body("type_in_capitals", f"model_type: LLaMA{HERE}\n{SIZES}", "value", "did you mean 'llama'"),
    body("type_that_is_a_list", f"model_type: [llama]{HERE}", "value"),
    body("type_of_a_class", f"architectures: [NopeForCausalLM]{HERE}", "value"),
    body("flag_that_is_a_word", f"model_type: llama\ntie_embeddings: yes{HERE}", "value"),
    body("experts_of_a_dense_model", f"model_type: llama\nnum_experts: 4{HERE}", "key"),
]
CASES = (*SCALARS, *STRUCTURE, *FIT)
