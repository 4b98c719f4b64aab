"""A draft of the elements that an answer must have: what a model is asked, and how its reply is
read."""

from __future__ import annotations

from graders.core.records import Problem, Question, Request, SubjectKey
from graders.core.words import say
from graders.judges.asking.prompts import fence, render
from graders.judges.asking.reading import read_object, shown, whole

#: Entries of a draft, and characters of one of them.
MOST, LONGEST = 20, 200
_SCHEMA = {
    "type": "object",
    "properties": {"elements": {"type": "array", "items": {"type": "string"}}},
    "required": ["elements"],
    "additionalProperties": False,
}


def draft_request(
    question: Question, *, name: str, provider: str, model: str, secret: str, sample: int = 0
) -> Request:
    """The call that asks for the list of one question. `name` is what the judge is called; each
    `sample` is a purchase of its own."""
    text, references = whole(question.text), [whole(reference) for reference in question.references]
    prompt = render("elements.j2", question=text, references=references, code=fence(secret, text))
    return Request(
        subjects=(SubjectKey(question.id, name),),
        provider=provider,
        model=model,
        messages=(("user", prompt),),
        schema=_SCHEMA,
        settings={"temperature": 0.0},
        sample=sample,
        occasion="elements",
    )


def read_draft(text: str) -> tuple[str, ...] | Problem:
    """The entries of a reply: texts that differ, without numbers or bullets in front. A Problem
    where it is no such list."""
    found = read_object(text)
    if isinstance(found, Problem):
        return found
    entries = found.get("elements")
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return Problem(cause="malformed", detail=say("judges.reply.elements", said=shown(entries)))
    made: dict[str, str] = {}
    for entry in entries:
        words = " ".join(whole(entry).split()).lstrip("-•*· ").strip()
        made.setdefault(words.casefold(), words)
    made.pop("", None)
    if not 1 <= len(made) <= MOST or any(len(words) > LONGEST for words in made.values()):
        return Problem(
            cause="malformed",
            detail=say("judges.reply.entries", n=len(made), most=MOST, longest=LONGEST),
        )
    return tuple(made.values())
