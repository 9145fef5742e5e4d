"""Names that are data: labels of stages, meanings of symbols and keys, kinds of layers, notes.

They are plain text where a model is described, and are translated where they are shown; so what
tells them apart from other text is what they are given to.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python

from sphinx_llmsize.architecture.layers import adjective

Found = tuple[int, str, object, list[str]]
"""A message as Babel takes it: line, function, text, comments."""

SECOND = frozenset(
    [
        "Key",
        "Length",
        "Quantity",
        "Stage",
        "Symbol",
        "altup_projections",
        "block_residual",
        "classifier",
        "flag",
        "further_embedding",
        "gated_connection",
        "hyper_connection",
        "latent_norm",
        "layer_norm",
        "layer_norm_of",
        "low_rank_connection",
        "norm",
        "norm_with_gate",
        "output_convolution",
        "plain_norm",
        "prompt",
        "residual_scale",
        "rms_norm",
        "rms_norm_of",
        "scale_and_shift",
        "scaled_residual",
        "_gate",
        "_head_dim",
        "_mixing",
        "_width",
    ]
)
"""What takes a name second, after what it is called in formulas or files."""
FIRST = frozenset(["MatMul", "Note", "Part", "_adapter", "_experts", "_feed_forward", "part"])
FOURTH = frozenset(["Tensor", "_convolution", "table"])
FIFTH = frozenset(["vector"])
PLACES = ((SECOND, 1), (FIRST, 0), (FOURTH, 3), (FIFTH, 4))
NAMED = frozenset(["label", "labels", "meaning", "tied_to", "states", "scale", "shift"])
"""What names are assigned to, or passed as."""
KINDS = frozenset(
    [
        "among",
        "decoder_with_experts",
        "delta_net_decoder",
        "every",
        "ffn_kinds",
        "first",
        "first_dense",
        "listed",
        "mixer_names",
        "only_these",
        "reusing",
        "same",
        "where",
        "with_windows",
    ]
)
"""What takes kinds of layers."""
KIND_NAMES = frozenset(
    [
        "ATTENTION_NAMES",
        "FULL",
        "HEAVY",
        "INDEXED",
        "KINDS",
        "LETTERS",
        "LINEAR",
        "OWN",
        "PLAIN",
        "SHARED",
        "SLIDING",
        "SPARSE",
        "kind",
        "kinds",
        "names",
        "otherwise",
        "usual",
    ]
)
GROUPS = frozenset(["Group", "Kind"])
"""Enumerations whose values are shown."""


def extract_names(
    file: BinaryIO, keywords: Any, comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """The names of a module, and its messages."""
    source = file.read()
    yield from extract_python(BytesIO(source), keywords, comment_tags, options)
    for node in ast.walk(ast.parse(source)):
        for name, line in _names(node):
            if any(map(str.isalpha, name)) and len(name) > 1 and not _is_code(name):
                yield line, "", name, []


def extract_notes(
    file: BinaryIO, keywords: Any, comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """The notes on presets."""
    for fields in json.load(file).values():
        if note := fields.get("note"):
            yield 1, "", note, []


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.ClassDef) and node.name in GROUPS:
        for line in node.body:
            if isinstance(line, ast.Assign):
                yield from _texts(line.value)
    elif isinstance(node, ast.Assign):
        yield from _assigned(node)
    elif isinstance(node, ast.DictComp):
        yield from _kinds(node.key)
    elif isinstance(node, ast.comprehension) and getattr(node.target, "id", "") == "name":
        yield from _texts(node.iter)


def _of_call(call: ast.Call) -> Iterator[tuple[str, int]]:
    function = _function(call.func)
    for functions, place in PLACES:
        if function in functions and place < len(call.args):
            yield from _texts(call.args[place])
    for keyword in call.keywords:
        if keyword.arg in NAMED:
            yield from _texts(keyword.value)
        elif keyword.arg == "kind" or (keyword.arg and function in KINDS):
            yield from _kinds(keyword.value)
    if function in KINDS:
        for argument in call.args:
            yield from _kinds(argument)
    if function == "Stack" and len(call.args) > 3:  # noqa: PLR2004 - id, layers, block, kind
        yield from _kinds(call.args[3])


def _assigned(node: ast.Assign) -> Iterator[tuple[str, int]]:
    names = {part.id for target in node.targets for part in ast.walk(target) if _is_name(part)}
    if names & NAMED:
        yield from _texts(node.value)
    if names & KIND_NAMES and not isinstance(node.value, ast.Constant):
        yield from _kinds(node.value)


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _function(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _function(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _kinds(node: ast.expr) -> Iterator[tuple[str, int]]:
    """Kinds as they are shown, a number in them apart."""
    for text, line in _texts(node):
        if text.replace("{", "").replace("}", "").replace(" ", "").replace("-", "").isalnum():
            yield adjective(text), line


def _texts(node: ast.expr) -> Iterator[tuple[str, int]]:
    """The texts that an expression may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value, node.lineno
    elif isinstance(node, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else "{number}" for p in node.values)
        yield "".join(map(str, parts)), node.lineno
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            yield from _texts(element)
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        yield from _texts(node.elt)


def _is_code(name: str) -> bool:
    """Whether it is called so in files or formulas: ``conv_L_cache``, ``L_own``."""
    return " " not in name and ("_" in name or set(name) <= set("kqrv12"))
