"""Seeded fault: a sentence points to a note that is not there."""

from __future__ import annotations

from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.sentences import sentences
from graders.core.words import carried

say = carried(
    "dangling_note",
    {
        "after": "after {before!r}",
    },
)

#: What is put before the full stop of a sentence, by language.
NOTES = {
    "en": " (see note 7 below)",
    "ru": " (см. примечание 7 ниже)",
    "zh": "（见下方注释7）",
    "ja": "（下記の注7を参照）",
}
_ENDS = ".。"


class DanglingNote(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Note that is not there"
    about: ClassVar[str] = "A sentence sends the reader to a note below, and there is none."
    languages: ClassVar[tuple[str, ...]] = ("en", "ru", "zh", "ja")
    present: ClassVar = (
        SeedExample(
            "Why is the sky blue?",
            "Air scatters blue light most. The eye does the rest.",
            "en",
            "Air scatters blue light most (see note 7 below). The eye does the rest.",
        ),
        SeedExample(
            "天空为什么是蓝色的？",
            "空气散射蓝光最多。其余由眼睛完成。",
            "zh",
            "空气散射蓝光最多（见下方注释7）。其余由眼睛完成。",
        ),
    )
    absent: ClassVar = (
        SeedExample(
            "Why is the sky blue?",
            (
                "Air scatters blue light most (note 1). The eye does the rest.\n\nNote 1: "
                "see Rayleigh."
            ),
            "en",
        ),
        SeedExample("Say hello!", "Hello!", "en"),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """A note's mark at the end of one of the sentences but the last."""
        mark = NOTES.get(language.partition("-")[0], "")
        if not mark or any(word in answer.casefold() for word in ("note", "примеч", "注", "[")):
            return None
        found = [
            one
            for one in sentences(answer, language)[:-1]
            if one[-1:] in _ENDS and answer.count(one) == 1 and len(one) > 8
        ]
        if not found:
            return None
        chosen = found[int(draw * len(found))]
        return Damaged(
            answer.replace(chosen, chosen[:-1] + mark + chosen[-1]),
            say("after", before=chosen[-25:-1].strip()),
        )
