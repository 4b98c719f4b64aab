"""Rules, metrics and elected references.

Comes in: answers, references and a rubric's graders.
Goes out: verdicts of rules and metric values on cells, references that answers elected.
Stands on: cells, scope.
"""

__all__ = ["benchmark_scores", "elect", "measure", "text_scores"]
