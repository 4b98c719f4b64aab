"""Examples for a judge that come from people's corrections of it, beside those that the rubric
holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.records import Question
from graders.judges.asking.prompts import fence
from graders.judges.asking.reading import whole

#: What a correction says: the question with its id, the answer, values by criterion key (by part
#: where it has parts), and why.
Correction = Mapping[str, Any]


def apart_from(corrections: Sequence[Correction], question: Question) -> list[Correction]:
    """The corrections that may be shown when answers to `question` are graded: none that was made
    on an answer to it, nor to another question in the same words."""
    text = question.text.strip()
    return [
        one
        for one in corrections
        if one["question_id"] != question.id and str(one["question"]).strip() != text
    ]


def as_examples(corrections: Sequence[Correction], secret: str) -> list[dict[str, Any]]:
    """Corrections as a rubric writes its examples; a model's answer is fenced, since it is no text
    of the rubric's author."""
    made = []
    for one in corrections:
        answer = whole(str(one["answer"]))
        code = fence(secret, answer)
        said = {
            "question": whole(str(one["question"])),
            "answer": f"[{code}]\n{answer}\n[{code}]",
            "verdicts": dict(one["verdicts"]),
        }
        made.append({**said, "why": whole(str(one.get("why", "")))})
    return made


def marked(shown: Sequence[Correction], corrections: Sequence[Correction]) -> dict[str, Any]:
    """What verdicts say of the corrections that their prompt showed; nothing where the judge has
    none."""
    if not corrections:
        return {}
    return {"corrections_shown": len(shown), "corrections_left_out": len(corrections) - len(shown)}
