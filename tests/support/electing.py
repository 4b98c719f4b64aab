"""A question that elects its reference."""

from __future__ import annotations

from pathlib import Path

from graders.workflows.measuring.measure import encoder_for, measure
from graders.workflows.results.references import renew
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring

EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
ELECTING = """
rubric: small
criteria:
  relevance: {question: Does it do what is asked?, scale: [irrelevant, relevant], graders: [judge], review: automatic}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}, graders: [judge], review: automatic}
  completeness:
    question: Is all there?
    scale: {from: 1, to: 5}
    graders: [judge, token_f1]
    reference: {factual: elected, creative: none}
  brevity:
    question: Is it short enough?
    scale: [too long, fitting]
    graders: [{length: {short: 20, detailed: 200}}, length_ratio]
    reference: {factual: elected, creative: none}
"""


def electing(scope: Scope, folder: Path) -> None:
    """One question without a reference: Ash is the best, Oak is close, Elm has its clarity
    pending."""
    said = {"Ash": ("relevant", 5), "Oak": ("relevant", 4), "Elm": ("relevant", None)}
    bring(
        scope,
        folder,
        ELECTING,
        "electing",
        questions=[
            {
                "id": "lid",
                "text": f"Why does a lid help? {EVIL}",
                "task_type": "factual",
                "language": "en",
            }
        ],
        answers=[
            {
                "question_id": "lid",
                "model": model,
                "text": f"{model} says: it keeps the steam in. {EVIL}",
            }
            for model in said
        ],
        judge=[
            {
                "question_id": "lid",
                "model": model,
                "criterion": f"small/{name}",
                "judge": "north",
                "value": value,
            }
            for model, pair in said.items()
            for name, value in zip(("relevance", "clarity"), pair, strict=True)
            if value is not None
        ],
    )
    encoder = encoder_for({"english": "", "multilingual": ""}, scope.ws)
    measure(scope.ws, scope.project("electing"), encoder)
    route(scope, "electing")
    renew(scope, "electing", None, encoder)
