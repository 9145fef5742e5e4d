"""Configuration text in any of its three spellings: YAML, JSON, or a Python dict."""

from __future__ import annotations

from functools import lru_cache

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.json_text import read_json, refuse_slashes
from sphinx_llmsize.sources.located import MAX_BYTES, Section, syntax_error
from sphinx_llmsize.sources.python_text import (
    NotPythonError,
    looks_like_dict,
    read_python,
    without_assignment,
)
from sphinx_llmsize.sources.yaml_text import read_yaml
from sphinx_llmsize.translation import _


@lru_cache(maxsize=512)
def read_text(text: str) -> Section:
    """The configuration that a directive's body is; lines count from its first one.

    Raises:
        ConfigError: it is none of the three, or too large.
    """
    if len(text) > MAX_BYTES:
        raise syntax_error(
            _("a configuration of more than {number} characters", number=MAX_BYTES), 0
        )
    if looks_like_dict(text):
        try:
            return read_python(text)
        except NotPythonError:
            pass  # YAML's flow mapping looks alike, and its reader locates mistakes better
        text = without_assignment(text)
        try:
            return read_yaml(text)
        except ConfigError:
            refuse_slashes(text)
            raise
    return read_yaml(text)


def read_document(text: str, *, strict_json: bool) -> Section:
    """The configuration that a file holds: strict JSON, or any spelling of :func:`read_text`."""
    return read_json(text) if strict_json else read_text(text)
