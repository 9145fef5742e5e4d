"""Internal errors: exceptions of our own code, which must not end a build either."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


@contextmanager
def only_config_errors(*signals: type[Exception]) -> Iterator[None]:
    """Replace any other exception by a ConfigError; for ``with``, or as a decorator.

    Hosts report it like a mistake of the author, at the author's line, and go on.

    Args:
        signals: exceptions that are no errors, but tell the host something.

    Raises:
        ConfigError: the body raised it, or another exception, which is then its ``__cause__``.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, (ConfigError, *signals)):
            raise
        raise internal_error(error) from error


def internal_error(error: Exception) -> ConfigError:
    """Error with the exception, and the file and line that raised it."""
    frame = extract_tb(error.__traceback__)[-1]
    message = _(
        "internal error: {error} in {file}, line {line}",
        error=f"{type(error).__name__}: {str(error)[:100]}",
        file=Path(frame.filename).name,
        line=frame.lineno,
    )
    hint = _("please report it to sphinx-llmsize, with the model")
    return ConfigError(message, Problem.INTERNAL, hint)
