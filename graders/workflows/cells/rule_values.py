"""What rules say of an answer: each by itself, and all of a criterion's together where they alone
decide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from graders.core import discovery
from graders.core.claims import with_claims
from graders.core.contracts import Finding, Rule
from graders.core.errors import CogradeError
from graders.core.faults import FAULTS_RUBRIC
from graders.core.hashing import digest
from graders.core.records import Mark, Question, Subject, Verdict
from graders.core.rubric import Criterion
from graders.core.words import say
from graders.workflows.cells.measured import measures
from graders.workflows.cells.policy import NOT_APPLICABLE, NOT_MEASURED, UNREADABLE, Voice, suggest
from graders.workflows.cells.rule_precision import with_precision


def rules_of(criterion: Criterion) -> list[tuple[str, Rule]]:
    """The rules among a criterion's graders, with the options that the rubric gives them, by name.
    CogradeError for one that cannot be made."""
    known = set(discovery.names("rules"))
    return [
        (ref.name, discovery.make("rules", ref.name, ref.options))
        for ref in criterion.graders
        if ref.name in known
    ]


Rules = Sequence[tuple[str, Rule]]


def closing_rules(criterion: Criterion) -> Rules:
    """Those of a criterion's rules that may leave a cell without a value for good: those that
    measure whether there is anything to grade. One that cannot be made closes nothing."""
    known, made = set(discovery.names("rules")), []
    for ref in criterion.graders:
        with suppress(CogradeError):
            if (
                ref.name in known
                and (rule := discovery.make("rules", ref.name, ref.options)).closes
                and rule.finding is Finding.MEASURED
            ):
                made.append((ref.name, rule))
    return made


def open_parts(subject: Subject, criterion: Criterion, closing: Rules) -> tuple[str, ...] | None:
    """The parts of a criterion that none of its `closing` rules settles; None where all are open,
    () where none is."""
    if criterion.elements == "claims" and closing:
        subject = with_claims(subject)
    shut = {
        part
        for _, rule in closing
        if (mark := grade_safely(rule, subject, criterion)).status == "unscored"
        and mark.reason == rule.closes
        for part in parts_spoken(rule, mark, criterion, subject.question)
    }
    if not shut:
        return None
    return (
        ()
        if criterion.elements
        else tuple(part for part in criterion.parts_of(subject.question) if part not in shut)
    )


def grade_safely(rule: Rule, subject: Subject, criterion: Criterion) -> Mark:
    """A rule's mark; a rule that crashes is an error with its reason, never a zero and never the
    end of the run."""
    try:
        return rule.grade(subject, criterion)
    except Exception as error:  # a rule may come from a plug-in and fail in any way
        return Mark(
            status="error", reason="rule_failed", rationale=f"{type(error).__name__}: {error}"[:500]
        )


def parts_spoken(
    rule: Rule, mark: Mark, criterion: Criterion, question: Question
) -> tuple[str, ...]:
    """The parts of a criterion that a rule's mark is about: the one that its fault speaks to, all
    where it speaks to the criterion itself or says that there is nothing to grade. Entries of a
    question's list are no rule's business else."""
    parts = criterion.parts_of(question)
    if parts == ("",) or mark.reason == UNREADABLE or rule.speaks_to == criterion.name:
        return parts
    return tuple(part for part in criterion.parts if part == rule.speaks_to)


def rule_verdict(
    subject: Subject, criterion: Criterion, part: str, name: str, rule: Rule, mark: Mark
) -> Verdict:
    """A rule's mark on a cell as a verdict; options that the rubric gave are part of the grader's
    version. What it only detects has its precision as confidence."""
    options = rule.options()
    if flags_fault(mark, criterion):
        mark = with_precision(name, rule, mark, subject)
    return Verdict(
        subject=subject.key,
        criterion=criterion.key,
        part=part,
        author=name,
        author_kind="rule",
        mark=mark,
        criterion_hash=criterion.criterion_hash,
        grader_version=f"{rule.version}{'+' + digest(options, length=6) if options else ''}",
    )


def flags_fault(mark: Mark, criterion: Criterion) -> bool:
    """Whether a mark says that something is wrong: it has a value that is not the best one; of a
    named fault, it is there."""
    if mark.value is None:
        return False
    scale = criterion.scale
    if criterion.rubric == FAULTS_RUBRIC:
        return mark.value == scale.values[-1]
    return mark.value != (scale.values[-1] if scale.is_discrete else scale.high)


def _voice(v: Verdict) -> Voice:
    """A rule's verdict as the policy hears it."""
    mark = v.mark
    return Voice(
        v.author,
        mark.value,
        mark.confidence,
        mark.reason,
        measured=measures(v.author, mark.confidence),
    )


def decided_by_rules(subject: Subject, criterion: Criterion) -> list[Verdict]:
    """One verdict per cell of a criterion that rules alone decide: that of the rule whose value
    counts by the policy of suggestions, else one that says why none does."""
    said = [
        (name, rule, grade_safely(rule, subject, criterion)) for name, rule in rules_of(criterion)
    ]
    spoken = {
        name: parts_spoken(rule, mark, criterion, subject.question) for name, rule, mark in said
    }
    found = []
    for part in criterion.parts_of(subject.question):
        own = [
            rule_verdict(subject, criterion, part, name, rule, mark)
            for name, rule, mark in said
            if part in spoken[name]
        ]
        found.append(_counts(own, criterion) or _silent(subject, criterion, part))
    return found


def decided_together(
    subject: Subject, criterion: Criterion, judged: Sequence[Verdict]
) -> tuple[list[Verdict], list[Verdict]]:
    """Of a criterion that a judge and rules grade: the verdict that counts on each cell by the
    policy of suggestions, and those beside it.

    `judged` has the judge's verdict on each cell, unscored where it gave none. Rules that have
    nothing to say are not among the latter.
    """
    said = [
        (name, rule, grade_safely(rule, subject, criterion)) for name, rule in rules_of(criterion)
    ]
    spoken = {
        name: parts_spoken(rule, mark, criterion, subject.question) for name, rule, mark in said
    }
    counting, beside = [], []
    for judge in judged:
        own = [
            rule_verdict(subject, criterion, judge.part, name, rule, mark)
            for name, rule, mark in said
            if judge.part in spoken[name]
        ]
        voices = [_voice(v) for v in own]
        found = suggest(
            criterion.scale,
            voices,
            [Voice(judge.author, judge.mark.value, judge.mark.confidence, judge.mark.reason)],
        )
        decided = [v for v in own if v.mark.value is not None]
        closing = [
            v for reason in (UNREADABLE, NOT_APPLICABLE) for v in own if v.mark.reason == reason
        ]
        if closing:
            one = closing[0]
        elif decided and found.value is None:
            one = _silent(subject, criterion, judge.part)
        else:
            one = next((v for v in decided if found.reason == f"rule {v.author}"), judge)
        counting.append(one)
        beside += [v for v in (judge, *decided) if v is not one and v.mark.value is not None]
    return counting, beside


def _counts(verdicts: list[Verdict], criterion: Criterion) -> Verdict | None:
    """The verdict that stands for several on a cell; None where there is none, or where they
    contradict each other."""
    voices = [_voice(v) for v in verdicts]
    value = suggest(criterion.scale, voices, []).value
    if value is not None:
        return next(v for v in verdicts if v.mark.value == value)
    for reason in (UNREADABLE, NOT_APPLICABLE):
        if closing := [v for v in verdicts if v.mark.reason == reason]:
            return closing[0]
    if any(v.mark.value is not None for v in verdicts):
        return None
    # One that lacks a measurement tells why only where no other had a look at the answer.
    return min(verdicts, key=lambda v: v.mark.reason == NOT_MEASURED, default=None)


def _silent(subject: Subject, criterion: Criterion, part: str) -> Verdict:
    """The verdict on a cell that no rule speaks to, or on which rules contradict each other."""
    names = ", ".join(name for name, _ in rules_of(criterion))
    return Verdict(
        subject=subject.key,
        criterion=criterion.key,
        part=part,
        author="rules",
        author_kind="rule",
        mark=Mark.unscored("not_decisive", say("cells.not_decisive", rules=names)),
        criterion_hash=criterion.criterion_hash,
        grader_version="1",
    )
