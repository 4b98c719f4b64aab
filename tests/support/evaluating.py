"""What tests of `evaluate` say through the stub, and see of what was asked."""

from __future__ import annotations

import json
from typing import Any

from tests.support.stub import StubProvider

MINI = "ollama:bespoke-minicheck"
CHAT = "openai:gpt-test"
AUTHOR = {
    "question": "Who and when?",
    "answer": "Mary Shelley.",
    "reference": "Mary Shelley, 1818.",
}
POOL = ("The pool opens at 8.", "It is closed in August.")


def opinion(value: Any, evidence: str = "absent", rationale: str = "So it is.") -> dict[str, Any]:
    """One opinion as a judge replies it."""
    return {"evidence": evidence, "rationale": rationale, "value": value, "confidence": 0.9}


def say(stub: StubProvider, said: Any, **options: Any) -> None:
    """The stub gives this reply to everything."""
    stub.configure(
        **{
            "faults": {},
            "latency": 0.0,
            "say": said if said is None or isinstance(said, str) else json.dumps(said),
            **options,
        }
    )


def asked(stub: StubProvider) -> str:
    """The text of the last call."""
    return "\n".join(
        message["content"] for message in json.loads(stub.stats()["last_body"])["messages"]
    )
