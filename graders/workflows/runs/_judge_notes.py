"""What is better known before a judge is paid: kinship with the models that it grades, settings
that its model does not take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from graders.core.records import Request
from graders.judges.asking.by_criterion import ByCriterion
from graders.judges.asking.reading import whole
from graders.judges.asking.window import forbidding
from graders.judges.asking.window import tokens as tokens_of
from graders.providers.http.families import family
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import Refused, Task
from graders.workflows.calling.samples import samples_of
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.phrases import listed

#: As many models are named; of more the number is told.
NAMED = 3
#: Tokens of a call beyond which it matters that nobody knows the window: servers of one's own often
#: take no more.
UNKNOWN_FROM = 3_500
#: Reasoning efforts that some provider takes.
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
#: What to do about a missing key.
TYPE_KEY = (
    "Set the variable, or type the key on the page under “Another address, or a key of your own”."
)
OWN_KEY = (
    "Here every judge needs a key of your own. Type it under “Another address, "
    "or a key of your own”."
)


def odd(setup: JudgeSetup) -> list[str]:
    """Sentences about settings of a judge that are hardly meant: they can be told from its name and
    fields alone."""
    judge = setup.judge.made_of[0] if isinstance(setup.judge, ByCriterion) else setup.judge
    model, effort, samples = (
        str(judge.model),
        str(getattr(judge, "reasoning_effort", "")),
        samples_of(judge),
    )
    found = []
    if any(sign.isspace() for sign in model):
        found.append(
            f"{model!r} has a space in it: is that the model's name? Between two judges "
            "stands a comma."
        )
    asked = Request(
        subjects=(),
        provider=judge.provider,
        model=model,
        messages=(),
        settings={"reasoning_effort": effort},
    )
    if effort and effort not in EFFORTS and not setup.provider.left_out(asked):
        known = ", ".join(EFFORTS)
        found.append(
            f"No model is known to take the reasoning effort {effort!r}, but {known}: "
            "its calls may all be refused."
        )
    if samples > 1 and samples % 2 == 0:
        found.append(
            f"It asks {samples} times: samples that tie leave the cell to people. "
            "An odd number ties less."
        )
    return found


def lacking(setup: JudgeSetup, own_key: bool = False) -> str:
    """What a judge cannot be asked without, and what to do; empty where nothing is missing.
    `own_key`: it has to be a visitor's."""
    if own_key:
        return OWN_KEY
    words = str(getattr(setup.provider, "lacking", ""))
    return f"{words[:1].upper()}{words[1:]}. {TYPE_KEY}" if words else ""


def notes(
    setup: JudgeSetup,
    models: Iterable[str],
    requests: Sequence[Request],
    details: int = 0,
    uncut: Mapping[str, int] | None = None,
    refused: Sequence[Refused] = (),
) -> list[str]:
    """Sentences about a judge that is to grade the answers of `models` by `requests`; most have
    none.

    `details` of its calls ask how much detail a question wants; `uncut` is what `kept_whole`
    counts; about `refused` no call is made.
    """
    judge = str(setup.judge.model)
    kin = family(judge)
    others = sorted(models)
    same = [model for model in others if model.strip().casefold() == judge.strip().casefold()]
    alike = [model for model in others if kin and family(model) == kin and model not in same]
    found = odd(setup)
    if same:
        found.append(
            f"It grades its own answers ({_named(same)}): judges are kinder to these. "
            "Take another, or let people check."
        )
    if alike:
        found.append(
            f"{_named(alike)} {'is' if len(alike) == 1 else 'are'} of its family ({kin}), "
            "to which judges are kinder."
        )
    if requests and (unsent := setup.provider.left_out(requests[0])):
        found.append(f"{judge} does not take {' and '.join(unsent)}: left out.")
    if compared := [key for request in requests for key in request.subjects if key.other]:
        count = len(set(compared))
        found.append(
            f"{len(compared):,} calls ask about "
            f"{'1 pair' if count == 1 else f'{count:,} pairs'}, in both orders of the "
            "answers."
        )
    if apart := _by_rubric(requests):
        found.append(apart)
    if too_long := _too_long(setup, requests):
        found.append(too_long)
    if cut := [
        request.metadata["reference_cut"]
        for request in requests
        if "reference_cut" in request.metadata
    ]:
        least = min(cut, key=lambda one: one["kept"] / one["of"])
        calls = "1 call shows" if len(cut) == 1 else f"{len(cut):,} calls show"
        worst = f"in the worst case {least['kept']:,} of {least['of']:,} characters"
        found.append(f"{calls} only the beginning of a reference, as the rubric allows: {worst}.")
    for criterion, count in (uncut or {}).items():
        calls = "1 long call" if count == 1 else f"{count:,} long calls"
        found.append(
            f"In {calls} no reference is cut: {criterion} compares with it too and does not "
            "say `cut_reference: true`. Say it there, or "
            "ask about each criterion in a call of its own (--per criterion)."
        )
    silent = {
        (one.verdict.criterion, one.verdict.mark.rationale, one.subject.id) for one in refused
    }
    for (criterion, why), count in sorted(
        Counter((criterion, why) for criterion, why, _ in silent).items()
    ):
        answers = "1 answer" if count == 1 else f"{count:,} answers"
        found.append(f"{criterion.rpartition('/')[2]}: no call asks about {answers}. {why}".strip())
    if details:
        asks = "1 call asks" if details == 1 else f"{details:,} calls ask"
        found.append(
            f"{asks} how much detail a question wants: neither its column nor its words say so."
        )
    return found


def _by_rubric(requests: Sequence[Request]) -> str:
    """The sentence about a project with several rubrics; empty where the calls are about one.

    A rubric is what a prompt is made of: its examples stand in it, and its recipe names them.
    Joined prompts would make the verdicts of one out of date with the examples of another, and lose
    the replies that were bought apart.
    """
    rubrics = sorted(
        {request.criteria[0].partition("/")[0] for request in requests if request.criteria}
        - {FAULTS.name}
    )
    return (
        f"No call asks about two rubrics: {listed(rubrics)} have calls of their own."
        if len(rubrics) > 1
        else ""
    )


def kept_whole(setup: JudgeSetup, tasks: Iterable[Task]) -> Counter[str]:
    """By criterion, the calls beyond the model's window whose references it keeps from being cut,
    though another criterion of the call would take them so."""
    size, found = int(getattr(setup.judge, "limit", 0)), Counter[str]()
    for task in tasks:
        if not size or tokens_of(task.request) <= size:
            continue
        question = task.shown[task.request.subjects[0]].question
        sent = "\n".join(text for _, text in task.request.messages)
        if any(
            reference.strip() and whole(reference).strip() in sent
            for reference in question.references
        ):
            found.update(
                c.name
                for c in forbidding(
                    [task.rubric.criterion(key) for key in task.request.criteria],
                    question.task_type,
                )
            )
    return found


def _too_long(setup: JudgeSetup, requests: Sequence[Request]) -> str:
    """The sentence about calls that do not fit into the model's window; empty where all do, or
    where the window is not known."""
    size, tokens = (
        int(getattr(setup.judge, "limit", 0)),
        [tokens_of(request) for request in requests],
    )
    if not size:
        return (
            f"The window of {setup.judge.model} is not known, and its longest call has about "
            f"{max(tokens):,} tokens: say how many it takes "
            "(--window, or the field on the Judges page), or it may be cut there without a word."
            if max(tokens, default=0) > UNKNOWN_FROM
            else ""
        )
    over = sum(count > size for count in tokens)
    if not over:
        return ""
    calls = "1 call is" if over == 1 else f"{over:,} calls are"
    fewer = (
        "Ask answer by answer (--per answer), shorten" if setup.judge.asks_together else "Shorten"
    )
    return (
        f"{calls} longer than the window of {setup.judge.model} (the longest about "
        f"{max(tokens):,} tokens of {size:,}): the provider will "
        f"refuse or cut. {fewer} the references and documents, or take a model with a larger "
        "window."
    )


def _named(models: Sequence[str]) -> str:
    return f"{len(models)} models" if len(models) > NAMED else " and ".join(models)
