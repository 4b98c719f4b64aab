"""Scores of answers beside the expected ones, by the metrics that suit a benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core import discovery
from graders.core.contracts import Encoder, Metric
from graders.core.errors import UsageError
from graders.core.records import Answer, MetricValue, Question, Subject
from graders.core.words import error_parts, say
from graders.metrics.texts.code import code_of
from graders.metrics.texts.pairs import texts_to_encode

#: The figure that reports lead with.
LEAD = "token_f1_set"
CODE = "codegen"


@dataclass(frozen=True, slots=True)
class Output:
    """One number of a metric, with its lowest and highest value."""

    metric: str
    key: str
    low: float = 0.0
    high: float = 1.0

    @property
    def title(self) -> str:
        """What people call it."""
        return say(f"measuring.title.{self.key}")


#: All numbers, in the order of reports.
OUTPUTS = (
    Output("token_f1", "token_f1_set"),
    Output("token_f1", "token_f1"),
    Output("exact", "exact"),
    Output("edit_distance", "edit_distance"),
    Output("bleu", "bleu", 0.0, 100.0),
    Output("chrf", "chrf", 0.0, 100.0),
    Output("rouge", "rouge_1"),
    Output("rouge", "rouge_2"),
    Output("rouge", "rouge_l"),
    Output("embedding", "embedding_cosine", -1.0, 1.0),
    Output("bertscore", "bertscore_f1", -1.0, 1.0),
    Output("code_similarity", "code_syntax"),
    Output("code_similarity", "code_names"),
    Output("code_similarity", "code_ast"),
    Output("code_similarity", "code_tokens"),
)
#: (model, case id) -> the value of every output.
Scores = Mapping[tuple[str, str], Mapping[str, MetricValue]]


def outputs_for(benchmark: str, metrics: Sequence[str] = ()) -> list[Output]:
    """The numbers that a benchmark gets, all or those of the named metrics; those of code for code
    only, sentence models for text only."""
    known = list(dict.fromkeys(output.metric for output in OUTPUTS))
    unknown = sorted(set(metrics) - set(known))
    if unknown:
        raise UsageError(
            **error_parts("measuring.no_metric", metric=unknown[0], metrics=", ".join(known))
        )
    left_out = ("embedding", "bertscore") if benchmark == CODE else ("code_similarity",)
    return [
        o
        for o in OUTPUTS
        if o.metric not in left_out and (not metrics or o.metric in metrics or o.key == LEAD)
    ]


def score(
    benchmark: str,
    cases: Sequence[Question],
    answers: Mapping[tuple[str, str], str],
    outputs: Sequence[Output],
    encoder: Encoder | None,
) -> dict[tuple[str, str], dict[str, MetricValue]]:
    """All values of `outputs` for the answers, by model and case.

    The texts of a code benchmark are compared without their fences and what stands around them.
    """
    by_id = {case.id: case for case in cases}
    keys = [key for key in answers if key[1] in by_id]
    whole = [
        Subject(by_id[case], Answer(question_id=case, model=model, text=answers[model, case]))
        for model, case in keys
    ]
    bare = [_bare(subject) for subject in whole] if benchmark == CODE else whole
    metrics: dict[str, Metric] = {
        name: discovery.make("metrics", name) for name in dict.fromkeys(o.metric for o in outputs)
    }
    if encoder is not None and any(metric.encodes for metric in metrics.values()):
        encoder.prepare(*texts_to_encode(bare, [s.question.references for s in bare]))
    found: dict[tuple[str, str], dict[str, MetricValue]] = {key: {} for key in keys}
    for name, metric in metrics.items():
        subjects = whole if name == "code_similarity" else bare
        for key, values in zip(keys, _compute(metric, subjects, encoder), strict=True):
            found[key].update({value.metric: value for value in values})
    return found


def _compute(
    metric: Metric, subjects: Sequence[Subject], encoder: Encoder | None
) -> list[list[MetricValue]]:
    if metric.encodes and encoder is None:
        return [
            [
                MetricValue(metric=name, status="unscored", reason="no_model")
                for name in metric.outputs
            ]
            for _ in subjects
        ]
    try:
        return metric.compute(subjects, [s.question.references for s in subjects], encoder)
    except Exception as error:  # a metric that fails is named beside the figures of the others
        reason = f"metric_failed: {type(error).__name__}: {error}"[:300]
        return [
            [MetricValue(metric=name, status="error", reason=reason) for name in metric.outputs]
            for _ in subjects
        ]


def _bare(subject: Subject) -> Subject:
    """A subject whose texts are the code alone."""
    wanted = [code_of(text) for text in subject.question.references]
    language = next((code.language for code in wanted if code.language), "")
    question = replace(subject.question, references=tuple(code.text for code in wanted))
    return Subject(
        question, replace(subject.answer, text=code_of(subject.answer.text, language).text)
    )
