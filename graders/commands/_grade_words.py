"""What `cograde grade` prints: the plan before it, what came of it after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.commands._shell import hint, paid_words
from graders.core.money import dollars
from graders.core.run_state import RunState
from graders.core.words import say
from graders.workflows.calling.records import JudgePlan
from graders.workflows.results.score_means import Scores
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.runs.summary import reason_list
from graders.workflows.runs.tryout import Tryout
from graders.workflows.scope.missing_reasons import cause_counts
from graders.workflows.scope.phrases import several


def plan_text(plan: RunPlan) -> str:
    """The plan in words: cells and graders, then each judge with its calls, tokens, money, time and
    what it lacks."""
    rules, metrics = (", ".join(names) or "none" for names in (plan.rules, plan.metrics))
    lines = [
        (
            say(
                "terminal.grade.plan",
                cells=several(plan.cells, "cell"),
                subjects=_subjects(plan),
                rules=rules,
                metrics=metrics,
            )
        )
    ]
    if plan.faults:
        lines.append(say("terminal.grade.faults", names=", ".join(plan.faults)))
    for judge in plan.judges:
        lines.append(f"  {judge.name}: {_calls(judge)}{_price(judge)}")
        lines += [f"    {note}" for note in (*judge.notes, judge.lacking, judge.key) if note]
    if plan.panel not in ("", "none"):
        lines.append(say("terminal.grade.panel", panel=plan.panel))
    return "\n".join([*lines, *plan.problems])


def _subjects(plan: RunPlan) -> str:
    """``36 answers``, ``18 pairs of answers``, or both."""
    answers, pairs = plan.subjects - plan.pairs, plan.pairs
    told = [several(answers, "answer")] if answers or not pairs else []
    return " and ".join(
        [*told, *([several(pairs, "pair") + say("terminal.grade.pairs")] if pairs else [])]
    )


def _price(judge: JudgePlan) -> str:
    """Tokens, money and time of what is left to send; of nothing there is no price."""
    if judge.calls == judge.known:
        return ""
    seconds = say("terminal.grade.under_1") if judge.seconds < 1 else round(judge.seconds)
    time = f"{seconds} s" + ("" if judge.measured else say("terminal.grade.assumed"))
    if judge.batch:
        time = say("terminal.grade.batch")
    return say(
        "terminal.grade.estimate",
        input_tokens=judge.input_tokens,
        output_tokens=judge.output_tokens,
        money=dollars(judge.money),
        time=time,
    )


def _calls(judge: JudgePlan) -> str:
    """``13 calls, 2 of them known already; 5 answers are done``"""
    known = say("terminal.grade.known", known=judge.known) if judge.known else ""
    done = (
        say("terminal.grade.done", n=judge.done, answers=several(judge.done, "answer"))
        if judge.done
        else ""
    )
    return f"{several(judge.calls, 'call')}{known}{done}"


def end_text(result: dict[str, Any]) -> str:
    """The end of a run in words; what went wrong stands on standard error.

    A judge's line counts its calls; cells are counted once, over all graders.
    """
    lines = [
        (
            say(
                "terminal.grade.end",
                run=result["run"],
                state=result["state"],
                seconds=result["seconds"],
                paid=paid_words(result),
                message=result["message"],
            )
        ).strip()
    ]
    for judge in result["judges"]:
        resends = cause_counts(judge["resends"]) or "none"
        lines.append(
            say(
                "terminal.grade.judge_end",
                name=judge["name"],
                done=judge["done"],
                calls=several(judge["total"], "call"),
                known=judge["known"],
                unreadable=judge.get("unreadable", 0),
                resends=resends,
                paid=paid_words(judge),
            )
        )
        lines += (
            [say("terminal.grade.provider_said", said=judge["said"])] if judge.get("said") else []
        )
    if "scores" in result:
        lines += _score_lines(result["scores"])
    if result.get("summary"):
        lines += _summary_lines(result["summary"], result["state"])
    return "\n".join([*lines, *(_tried_lines(result["tried"]) if "tried" in result else [])])


def _score_lines(found: Scores) -> list[str]:
    """The mean of every text score by model."""
    lines = [say("terminal.grade.scores")]
    for row in found.models:
        told = [(score.title, row.cells.get(score.key)) for score in found.scores]
        means = [f"{title} {cell.shown or 'none'}" for title, cell in told if cell]
        lines.append(f"    {row.model}: {', '.join(means)}")
    why = dict.fromkeys(
        cell.reason for row in found.models for cell in row.cells.values() if cell.reason
    )
    return lines + [say("terminal.grade.no_score", reason=reason) for reason in why]


def _summary_lines(found: Mapping[str, Any], state: str) -> list[str]:
    """What the run leaves behind, and what to do next."""
    lines = [
        (
            say(
                "terminal.grade.summary",
                cells=several(found["cells"], "cell"),
                with_verdict=found["with_verdict"],
                without=found["without"],
            )
        )
    ]
    lines += [f"    {reason.cells:,}: {reason.why}" for reason in reason_list(found["reasons"])]
    routes = ", ".join(
        f"{ROUTES.get(name, name)} {count:,}" for name, count in found["routes"].items()
    )
    lines += [
        say("terminal.grade.routes", suggestions=found["suggestions"], routes=routes or "no routes")
    ]
    if state != RunState.DONE:
        return lines
    if found.get("copies_of"):
        return [
            *lines,
            say("terminal.grade.next", hint=hint("controls detection", found["copies_of"])),
        ]
    review = say("terminal.grade.review", n=found["screens"], hint=hint("serve"))
    return [
        *lines,
        say("terminal.grade.next_review", review=review)
        if found["screens"]
        else say("terminal.grade.next", hint=hint("export --output results.zip")),
    ]


#: Route -> how a count of its cells is introduced.
ROUTES = {"people": "for people", "automatic": "automatic", "none": "not routed"}


def _tried_lines(found: Tryout) -> list[str]:
    """What a try brought: value, evidence and rationale of every cell, seconds and money of every
    answer."""
    lines = ["", found.title]
    for answer in found.answers:
        lines.append(
            say("terminal.grade.tried_answer", model=answer.model, question=answer.question)
        )
        for judge in answer.judges:
            silent = (
                say("terminal.grade.no_usable_reply")
                if judge.asked
                else say("terminal.grade.not_asked")
            )
            seconds = silent if judge.seconds is None else f"{judge.seconds:.1f} s"
            price = dollars(judge.money, each=True)
            lines.append(
                f"  {judge.name}: {seconds}" + (f", {price}" if judge.seconds is not None else "")
            )
            for cell in judge.cells:
                value = (
                    cell.word or str(cell.value)
                    if cell.value is not None
                    else say("terminal.grade.no_verdict", why=cell.why)
                )
                quotes = "; ".join(
                    f"“{e.quote}”" + ("" if e.found else say("terminal.grade.not_in_answer"))
                    for e in cell.evidence
                    if e.quote
                )
                name = cell.title + (f", {cell.part}" if cell.part else "")
                lines.append(f"    {name}: {value}" + (f" - {quotes}" if quotes else ""))
                lines += [f"      {cell.rationale}"] if cell.rationale else []
    if found.measured:
        lines.append(say("terminal.grade.plans_by_calls"))
    return lines
