"""Sessions that take longer, or need more, than the plain test command."""

from __future__ import annotations

import nox

nox.options.sessions = []


@nox.session
def differential(session: nox.Session) -> None:
    """Random configurations of every family against what transformers builds of them.

    ``nox -s differential -- --examples 100`` draws more for each ``model_type``.
    """
    session.install(".", "pytest", "hypothesis", "torch==2.13.0", "transformers==5.23.0")
    session.run("pytest", "differential", "-s", *session.posargs)
