"""A draft of one sentence for the guide of a criterion: what a model is asked, and how its reply is
read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graders.core.records import Problem, Request, SubjectKey
from graders.core.rubric import Criterion
from graders.core.words import say
from graders.judges.asking.prompts import fence, render, scale_words
from graders.judges.asking.reading import read_object, shown, whole

#: The longest sentence, in characters.
LONGEST = 400
_SCHEMA = {
    "type": "object",
    "properties": {"sentence": {"type": "string"}},
    "required": ["sentence"],
    "additionalProperties": False,
}


def sentence_request(
    criterion: Criterion,
    cases: Sequence[Mapping[str, str]],
    *,
    name: str,
    provider: str,
    model: str,
    secret: str,
    sample: int = 0,
) -> Request:
    """The call that asks for a sentence; each case has question, answer, comment, and the words of
    the values of `judge` and `people`."""
    fenced = []
    for case in cases:
        text = "\n".join(
            f"{what}: {whole(case[what])}"
            for what in ("question", "answer", "comment")
            if case[what]
        )
        fenced.append(
            {
                "code": fence(secret, text),
                "text": text,
                "judge": case["judge"],
                "people": case["people"],
            }
        )
    prompt = render(
        "sentence.j2",
        title=criterion.title,
        question=criterion.question,
        guide=criterion.guide,
        scale=scale_words(criterion.scale),
        cases=fenced,
    )
    return Request(
        subjects=(SubjectKey(criterion.key, name),),
        provider=provider,
        model=model,
        messages=(("user", prompt),),
        schema=_SCHEMA,
        settings={"temperature": 0.0},
        sample=sample,
        occasion="sentence",
    )


def read_sentence(text: str) -> str | Problem:
    """The sentence of a reply, on one line; a Problem where there is none of that length."""
    found = read_object(text)
    if isinstance(found, Problem):
        return found
    said = found.get("sentence")
    sentence = " ".join(whole(said).split()) if isinstance(said, str) else ""
    if not 1 <= len(sentence) <= LONGEST:
        return Problem(
            cause="malformed",
            detail=say("judges.reply.sentence", longest=LONGEST, said=shown(said)),
        )
    return sentence
