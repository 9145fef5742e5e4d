"""Reader of configuration text and files: YAML, JSON, or a Python dict."""

from __future__ import annotations

from pathlib import Path

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.files import (
    MAX_BYTES,
    WeightsError,
    did_you_mean_beside,
    read_regular,
    reason_of,
    unreadable,
)
from sphinx_llmsize.sources.json_text import read_json, refuse_slash_comments
from sphinx_llmsize.sources.located import Section, syntax_error
from sphinx_llmsize.sources.python_text import (
    NotPythonError,
    looks_like_dict,
    read_python,
    without_assignment,
)
from sphinx_llmsize.sources.yaml_text import read_yaml
from sphinx_llmsize.translation import _


def read_text(text: str) -> Section:
    """Read a configuration; line 0 is the first line of the text.

    Raises:
        ConfigError: the text is not a configuration in YAML, JSON or Python, or is too large.
    """
    # each character has at least one byte
    if len(text) > MAX_BYTES:
        message = _("a configuration of more than {number} characters", number=MAX_BYTES)
        raise syntax_error(message, 0)
    if looks_like_dict(text):
        try:
            return read_python(text)
        except NotPythonError:
            pass  # probably a YAML flow mapping; the YAML reader reports better positions
        text = without_assignment(text)
        try:
            return read_yaml(text)
        except ConfigError:
            # comments that begin with "//" are a clearer cause, if there are any
            refuse_slash_comments(text)
            raise
    return read_yaml(text)


def read_file(path: Path, name: str = "") -> Section:
    """Read a configuration: strict JSON if the suffix is ``.json``, else YAML or a Python dict.

    Args:
        path: the file.
        name: the path in the message about an unreadable file, as the author wrote it; by default
            ``path``.

    Raises:
        ConfigError: the file is missing, not a regular file, too large or not text (``line`` is
            None), or it is not a valid configuration (``file`` and ``line`` are set).
    """
    name = name or str(path)
    try:
        text = read_regular(path).decode("utf-8")
    except FileNotFoundError as error:
        raise unreadable(name, reason_of(error), did_you_mean_beside(path)) from None
    except WeightsError as error:
        hint = _("use the config.json beside it")
        raise unreadable(name, reason_of(error), hint) from None
    except (OSError, ValueError) as error:
        raise unreadable(name, reason_of(error)) from None
    try:
        return read_json(text) if path.suffix.lower() == ".json" else read_text(text)
    except ConfigError as error:
        raise error.at(file=str(path)) from None
