"""What `cograde grade` prints: the plan before it, what came of it after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.commands._shell import hint, paid_words
from graders.core.money import dollars
from graders.core.run_state import RunState
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
            f"Plan: {several(plan.cells, 'cell')} of {_subjects(plan)}; rules {rules}; "
            f"metrics {metrics}"
        )
    ]
    if plan.faults:
        lines.append(f"  named faults that the judges look for: {', '.join(plan.faults)}")
    for judge in plan.judges:
        lines.append(f"  {judge.name}: {_calls(judge)}{_price(judge)}")
        lines += [f"    {note}" for note in (*judge.notes, judge.lacking, judge.key) if note]
    if plan.panel not in ("", "none"):
        lines.append(f"  the {plan.panel} of these judges makes one verdict")
    return "\n".join([*lines, *plan.problems])


def _subjects(plan: RunPlan) -> str:
    """``36 answers``, ``18 pairs of answers``, or both."""
    answers, pairs = plan.subjects - plan.pairs, plan.pairs
    told = [several(answers, "answer")] if answers or not pairs else []
    return " and ".join([*told, *([several(pairs, "pair") + " of answers"] if pairs else [])])


def _price(judge: JudgePlan) -> str:
    """Tokens, money and time of what is left to send; of nothing there is no price."""
    if judge.calls == judge.known:
        return ""
    seconds = "under 1" if judge.seconds < 1 else round(judge.seconds)
    time = f"{seconds} s" + ("" if judge.measured else " (assumed until the first replies)")
    if judge.batch:
        time = "as a batch at half the price, within a day"
    return (
        f", about {judge.input_tokens:,} + {judge.output_tokens:,} tokens, "
        f"{dollars(judge.money)}, {time}"
    )


def _calls(judge: JudgePlan) -> str:
    """``13 calls, 2 of them known already; 5 answers are done``"""
    known = f", {judge.known:,} of them known already" if judge.known else ""
    done = (
        f"; {several(judge.done, 'answer')} {'is' if judge.done == 1 else 'are'} done"
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
            f"Run {result['run']}: {result['state']} after {result['seconds']:.1f} s, "
            f"{paid_words(result)}. {result['message']}"
        ).strip()
    ]
    for judge in result["judges"]:
        resends = cause_counts(judge["resends"]) or "none"
        lines.append(
            f"  {judge['name']}: {judge['done']} of {several(judge['total'], 'call')}, "
            f"{judge['known']} known, "
            f"{judge.get('unreadable', 0)} without a usable reply, "
            f"sent again: {resends}, {paid_words(judge)}"
        )
        lines += [f"    the provider said: {judge['said']}"] if judge.get("said") else []
    if "scores" in result:
        lines += _score_lines(result["scores"])
    if result.get("summary"):
        lines += _summary_lines(result["summary"], result["state"])
    return "\n".join([*lines, *(_tried_lines(result["tried"]) if "tried" in result else [])])


def _score_lines(found: Scores) -> list[str]:
    """The mean of every text score by model."""
    lines = ["  Text scores, means over the answers that have one:"]
    for row in found.models:
        told = [(score.title, row.cells.get(score.key)) for score in found.scores]
        means = [f"{title} {cell.shown or 'none'}" for title, cell in told if cell]
        lines.append(f"    {row.model}: {', '.join(means)}")
    why = dict.fromkeys(
        cell.reason for row in found.models for cell in row.cells.values() if cell.reason
    )
    return lines + [f"    none: {reason}" for reason in why]


def _summary_lines(found: Mapping[str, Any], state: str) -> list[str]:
    """What the run leaves behind, and what to do next."""
    lines = [
        (
            f"  {several(found['cells'], 'cell')}: {found['with_verdict']:,} with a verdict, "
            f"{found['without']:,} without"
        )
    ]
    lines += [f"    {reason.cells:,}: {reason.why}" for reason in reason_list(found["reasons"])]
    routes = ", ".join(
        f"{ROUTES.get(name, name)} {count:,}" for name, count in found["routes"].items()
    )
    lines += [f"  suggestions {found['suggestions']:,}; {routes or 'no routes'}"]
    if state != RunState.DONE:
        return lines
    if found.get("copies_of"):
        return [*lines, f"Next: {hint('controls detection', found['copies_of'])}"]
    review = (
        f"{several(found['screens'], 'screen')} wait{'s' * (found['screens'] == 1)} for people: "
        f"{hint('serve')}"
    )
    return [
        *lines,
        f"Next: {review}" if found["screens"] else f"Next: {hint('export --output results.zip')}",
    ]


#: Route -> how a count of its cells is introduced.
ROUTES = {"people": "for people", "automatic": "automatic", "none": "not routed"}


def _tried_lines(found: Tryout) -> list[str]:
    """What a try brought: value, evidence and rationale of every cell, seconds and money of every
    answer."""
    lines = ["", found.title]
    for answer in found.answers:
        lines.append(f"\n{answer.model} on {answer.question!r}")
        for judge in answer.judges:
            silent = "no usable reply" if judge.asked else "not asked"
            seconds = silent if judge.seconds is None else f"{judge.seconds:.1f} s"
            price = dollars(judge.money, each=True)
            lines.append(
                f"  {judge.name}: {seconds}" + (f", {price}" if judge.seconds is not None else "")
            )
            for cell in judge.cells:
                value = (
                    cell.word or str(cell.value)
                    if cell.value is not None
                    else f"no verdict: {cell.why}"
                )
                quotes = "; ".join(
                    f"“{e.quote}”" + ("" if e.found else " (not in the answer)")
                    for e in cell.evidence
                    if e.quote
                )
                name = cell.title + (f", {cell.part}" if cell.part else "")
                lines.append(f"    {name}: {value}" + (f" - {quotes}" if quotes else ""))
                lines += [f"      {cell.rationale}"] if cell.rationale else []
    if found.measured:
        lines.append("\nPlans go by these calls from now on.")
    return lines
