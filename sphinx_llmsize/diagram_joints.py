"""Joints of pipeline diagrams: points between the lines that Mermaid draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class JointKind(Enum):
    """Kind of a joint; decides its look."""

    JOINT = "joint"
    """A point where lines turn or meet."""
    FORK = "fork"
    """A point where branches in parallel begin."""
    EITHER = "either"
    """A point where alternatives begin, with a word that says so."""
    DOT = "dot"
    """A point on a straight line where another line branches off."""
    FRAME = "frame"
    """A point of a cluster's frame: a corner, or where the flow crosses it."""
    GUIDE = "guide"
    """An invisible point beside the flow."""


@dataclass(frozen=True)
class Joint:
    """A point where lines begin, end or turn.

    Attributes:
        id: letters, digits and underscores; unique in the diagram.
        kind: its look.
        cluster: id of the cluster that it is in, in diagrams whose clusters Mermaid frames itself.
        text: word at the fork of alternatives, such as ``or``.
    """

    id: str
    kind: JointKind
    cluster: str = ""
    text: str = ""
