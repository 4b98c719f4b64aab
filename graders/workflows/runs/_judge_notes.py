"""What should be known before a judge is paid: missing keys, kinship with the models it grades,
settings that its model does not take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from graders.core.errors import InputError
from graders.core.money import dollars
from graders.core.records import Request
from graders.core.text import bytes_of
from graders.core.words import error_parts, say
from graders.judges.asking.by_criterion import ByCriterion
from graders.judges.asking.reading import whole
from graders.judges.asking.window import forbidding
from graders.judges.asking.window import tokens as tokens_of
from graders.providers.http.families import family
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import Refused, Task
from graders.workflows.calling.run_options import Options
from graders.workflows.calling.samples import samples_of
from graders.workflows.cells.fault_list import asked_faults
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.phrases import listed, several

#: As many models are named; of more the number is told.
NAMED = 3
#: Tokens of a call beyond which it matters that nobody knows the window: servers of one's own often
#: take no more.
UNKNOWN_FROM = 3_500
#: Reasoning efforts that some provider takes.
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


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
        found.append(say("runs.note.space", model=model))
    asked = Request(
        subjects=(),
        provider=judge.provider,
        model=model,
        messages=(),
        settings={"reasoning_effort": effort},
    )
    if effort and effort not in EFFORTS and not setup.provider.left_out(asked):
        known = ", ".join(EFFORTS)
        found.append(say("runs.note.effort", effort=effort, efforts=known))
    if samples > 1 and samples % 2 == 0:
        found.append(say("runs.note.even_samples", samples=samples))
    return found


def grades(setup: JudgeSetup, options: Options, criteria: Sequence[str]) -> list[str]:
    """The sentence about the criteria (keys) that a judge grades where the run names judges for
    criteria."""
    if not options.judge_criteria:
        return []
    if not criteria:
        return [say("runs.note.grades_none")]
    given = any(
        word == setup.name or word.endswith(f"={setup.name}") for word in options.asked_as or ()
    )
    names = [key.rpartition("/")[2] for key in criteria]
    words = [
        name if names.count(name) == 1 else key for name, key in zip(names, criteria, strict=True)
    ]
    return [say(f"runs.note.grades{'' if given else '_by_rubric'}", criteria=listed(words))]


def further_faults(
    found: Iterable[Task], left: Sequence[Request], money: float | None
) -> list[str]:
    """The sentence about answers that were asked about some named faults before, so that only the
    others are asked; with their share of the `money` that the calls which are `left` cost."""
    key = FAULTS.criteria[0].key
    every = set(asked_faults())
    bought = {id(request) for request in left}
    asked = [
        (task.request, set(dict(task.request.elements).get(key, ())))
        for task in found
        if task.request.criteria == (key,) and id(task.request) in bought
    ]
    some = [(request, names) for request, names in asked if names != every]
    if not some:
        return []

    def size(requests: Iterable[Request]) -> int:
        return sum(bytes_of(text for _, text in request.messages) for request in requests)

    price = (
        say("runs.note.faults_price", money=dollars(money * size(r for r, _ in some) / size(left)))
        if money is not None
        else ""
    )
    names = sorted(set[str]().union(*(names for _, names in some)))
    answers = {subject for request, _ in some for subject in request.subjects}
    return [say("runs.note.faults", n=len(answers), faults=len(names), of=len(every), price=price)]


def lacking(setup: JudgeSetup, own_key: bool = False) -> str:
    """What a judge cannot be asked without, and what to do; empty where nothing is missing.
    `own_key`: it has to be a visitor's."""
    if own_key:
        return say("runs.own_key")
    words = str(getattr(setup.provider, "lacking", ""))
    return f"{words[:1].upper()}{words[1:]}. {say('runs.type_key')}" if words else ""


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
        found.append(say("runs.note.same_model", named=_named(same)))
    if alike:
        named = _named(alike)
        found.append(say("runs.note.family", n=len(alike), named=named, family=kin))
    if requests and (unsent := setup.provider.left_out(requests[0])):
        found.append(say("runs.note.unsent", judge=judge, settings=" and ".join(unsent)))
    if compared := [key for request in requests for key in request.subjects if key.other]:
        pairs = say("runs.note.pairs", n=len(set(compared)))
        found.append(say("runs.note.both_orders", n=len(compared), pairs=pairs))
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
        found.append(say("runs.note.cut", n=len(cut), kept=least["kept"], of=least["of"]))
    for criterion, count in (uncut or {}).items():
        found.append(say("runs.note.uncut", n=count, criterion=criterion))
    silent = {
        (one.verdict.criterion, one.verdict.mark.rationale, one.subject.id) for one in refused
    }
    for (criterion, why), count in sorted(
        Counter((criterion, why) for criterion, why, _ in silent).items()
    ):
        title = criterion.rpartition("/")[2]
        found.append(say("runs.note.refused", n=count, criterion=title, why=why).strip())
    if details:
        found.append(say("runs.note.details", asks=say("runs.note.asks", n=details)))
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
    return say("runs.note.rubrics", rubrics=listed(rubrics)) if len(rubrics) > 1 else ""


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
            say("runs.note.unknown_window", model=setup.judge.model, tokens=max(tokens))
            if max(tokens, default=0) > UNKNOWN_FROM
            else ""
        )
    over = sum(count > size for count in tokens)
    if not over:
        return ""
    return say(
        f"runs.note.too_long{'_together' if setup.judge.asks_together else ''}",
        n=over,
        model=setup.judge.model,
        longest=max(tokens),
        size=size,
    )


def _named(models: Sequence[str]) -> str:
    return several(len(models), "model") if len(models) > NAMED else " and ".join(models)


def need_keys(ws: Workspace, options: Options) -> None:
    """Raise where nobody can be asked: the model that splits lacks its key, or every judge does. A
    try asks all of its judges.

    A typed key comes with the worker.
    """
    typed = options.stand_ins()
    splitter, setups = options.splitter(ws, typed), options.setups(ws, typed)
    bare = [setup for setup in setups if _lacking(setup)]
    if len(bare) < len(setups) and not options.tries:
        bare = []
    for setup in [*([splitter] if splitter and _lacking(splitter) else []), *bare]:
        raise InputError(
            **error_parts("runs.error.no_key", name=setup.name, lacking=_lacking(setup))
        )


def first_asked(setups: Sequence[JudgeSetup]) -> JudgeSetup | None:
    """The first judge that can be asked."""
    return next((setup for setup in setups if not _lacking(setup)), setups[0] if setups else None)


def waiting(
    options: Options, setups: Sequence[JudgeSetup], untyped: Collection[str]
) -> dict[str, str]:
    """Judge -> why it waits for its key, while others of the run have theirs. `untyped`: those
    whose typed key is not there any more."""
    found = {
        setup.name: say("runs.keys.typed_gone")
        if setup.name in untyped
        else _lacking(setup).partition(": ")[2] or _lacking(setup)
        for setup in setups
        if setup.name in untyped or _lacking(setup)
    }
    return found if len(found) < len(setups) and not options.tries else {}


def words(waits: Mapping[str, str]) -> str:
    """Who waits for which key, and what to do."""
    who = listed([f"{name} ({why})" for name, why in waits.items()])
    return say("runs.keys.waiting", n=len(waits), judges=who)


def _lacking(setup: JudgeSetup) -> str:
    return str(getattr(setup.provider, "lacking", ""))
