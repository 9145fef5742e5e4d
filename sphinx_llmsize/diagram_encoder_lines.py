"""Lines of pipeline diagrams to boxes, of which some read the output of an encoder."""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_connections import Connection, Course
from sphinx_llmsize.diagram_line_collector import Ends, LineCollector, OpenEnd

TWO_RANKS = 2
"""Length of a line beside a gate, or one that Mermaid keeps straight where another crosses it."""
DECODER_RANKS = 3
"""Number of ranks from an encoder to its decoder, which isn't the next step."""


@dataclass
class EncoderLines(LineCollector):
    """Collects the lines to boxes, with those from an encoder to the boxes that read it.

    Attributes:
        is_down: the diagram runs down, not to the right.
        readers: boxes that read the encoder.
        encoder: ends of the encoder, if there is one.
    """

    is_down: bool = True
    readers: tuple[Box, ...] = ()
    encoder: Ends = ()

    def add_box(self, ends: Ends, box: Box) -> Ends:
        """Add the lines from the open ends, and from the encoder, to a box; return its ends."""
        if box.reads == ():
            self.encoder = self._begin_decoder(ends, box) if self.is_down else ends
        elif box.reads:  # its only line comes from the encoder: guides keep it in its branch
            for end in ends:
                self.add_guide(end.start, box)
        else:
            self.lines += [end.to(box) for end in ends]
        if box in self.readers:
            self._read_encoder(box)
        return (OpenEnd(box, box.output),)

    def _begin_decoder(self, ends: Ends, first: Box) -> Ends:
        """Add guides that keep a decoder's first box below the encoder; return its ends."""
        below = self.to_new_joint(ends)
        for reader in self.readers:
            self.add_guides(below, reader, TWO_RANKS)
        self.add_guide(below, first, DECODER_RANKS)
        return (OpenEnd(below),)

    def _read_encoder(self, reader: Box) -> None:
        """Add the line from the encoder to a box, around the decoder's boxes between them."""
        if not self.is_down:  # the decoder's boxes are beside the encoder's
            self.lines += [end.to(reader) for end in self.encoder]
            return
        corner = self.to_new_joint(self.encoder)
        course = Course.ACROSS if reader.reads else Course.ALONG
        self.lines.append(Connection(corner, reader, course=course, length=TWO_RANKS))
