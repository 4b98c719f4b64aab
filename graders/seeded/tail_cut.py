"""Seeded fault: the end of the answer is cut off in the middle of a sentence."""

from __future__ import annotations

from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.words import carried

say = carried(
    "tail_cut",
    {
        "cut_after": "cut after {before!r}",
    },
)

#: Letters that an answer must have before its last sentence is cut, and that must be left of this
#: sentence and be lost of it.
LEAST, HALF = 40, 6
_ENDS = ".!?…。！？"
_CLOSING = " \n\t\"'”»」』)）*"


class TailCut(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "End cut off"
    about: ClassVar[str] = (
        "The last sentence breaks off in its middle, as a reply does that met its longest length."
    )
    present: ClassVar = (
        SeedExample(
            "Why is the sky blue?",
            (
                "Air scatters short waves more than long ones. That is why blue light reaches us "
                "from all sides."
            ),
            "en",
            "Air scatters short waves more than long ones. That is why blue light",
        ),
        SeedExample(
            "空はなぜ青いのですか。",
            "太陽の光には、赤から紫までさまざまな波長の光がまざっています。空気の分子は、そのうち波長の短い青い光をより強く散らします。",
            "ja",
            "太陽の光には、赤から紫までさまざまな波長の光がまざっています。空気の分子は、そのうち波長の",
        ),
    )
    absent: ClassVar = (
        SeedExample("Is the sky blue?", "Yes.", "en"),
        SeedExample(
            "Give me a list.",
            "- one thing\n- another thing\n- and a third thing without a full stop",
            "en",
        ),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """The answer up to about the middle of its last sentence."""
        text = answer.rstrip(_CLOSING)
        if len(text) < LEAST or text[-1] not in _ENDS:
            return None
        text = text.rstrip(_ENDS)
        begin = max(text.rfind(mark) for mark in (*_ENDS, "\n")) + 1
        body = text[begin:]
        lead = len(body) - len(body.lstrip())
        if begin < LEAST // 2 or len(body) - lead < 2 * HALF:
            return None
        cut = lead + (len(body) - lead) // 2
        if " " in body.strip():
            cut = body.rfind(" ", lead, cut + 1)
        if cut - lead < HALF:
            return None
        return Damaged(
            text[: begin + cut].rstrip(),
            say("cut_after", before=text[max(0, begin + cut - 24) : begin + cut].strip()),
        )
