"""Why there is no value, in words: the one table of reasons, for pages and commands alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.preference import POSITION_DEPENDENT
from graders.core.records import Subject
from graders.metrics.texts.pairs import compared_language
from graders.rules.languages.asked_language import language_name

#: Reason of a verdict without a value -> what it means and, where something can be done, what.
VERDICTS = {
    "citation_not_found": "The passage that it cites does not stand in the text.",
    "empty_answer": "The answer has no text.",
    "language": (
        "The language of the question is not known; give it in the question's column language."
    ),
    "no_claim": "The prompt shows a claim, and there is none.",
    "no_context": "There is no document to compare with; give the question its context.",
    "no_facts": (
        "The question has neither facts nor required elements; give it some to have this checked."
    ),
    "no_order": "The values of this criterion have no order, so there is no worst or best one.",
    "no_question": "The prompt shows the question, and there is none.",
    "no_reference": "The question has no reference answer; give one to have this checked.",
    "no_verdict": "No judge gave a value.",
    "not_applicable": "Not applicable here.",
    "not_asked": "The judge was asked nothing about it.",
    "not_countable": "Nothing here can be counted.",
    "not_decisive": "Not decisive: what the rule sees settles nothing here.",
    "not_deployed": (
        "The learned judge is not clearly better than the best judge it learns from, "
        "so it gives no values yet."
    ),
    "not_measured": "Nobody measured it when the answer was made.",
    "one_answer": "Two answers are compared here, and there is one.",
    "pair": "This grader looks at one answer, not at a pair of them.",
    "retracted": "The verdict was taken back.",
    "rule_failed": "The rule failed on this answer.",
    "samples_tie": "The judge's samples tie; ask for an odd number of them, or let people decide.",
    "tie": "Two values are equally good.",
    "too_few_labels": "People have graded too few cells to learn from; review more of them.",
    "unreadable": "The answer cannot be read, so nobody can say what is in it.",
    # causes of a provider: graders.core.records.CAUSES
    "bad_request": "The provider did not take the request.",
    "connection": "The connection to the provider broke; grade again.",
    "empty": "The judge's reply was empty; grade again.",
    "length_stop": (
        "The judge's reply was cut off at its longest length; allow it more output tokens."
    ),
    "malformed": "The judge's reply had not the form that was asked for.",
    "model_missing": "The provider does not have this model; name another.",
    "off_scale": "The judge gave a value that is not on the scale.",
    POSITION_DEPENDENT: "It named another winner when the answers changed places.",
    "quota": "The provider's quota is used up; top it up and grade again.",
    "rate_limited": (
        "The provider said to wait, again and again; grade again with fewer calls at once."
    ),
    "refusal": "The judge refused to answer.",
    "server_error": "The provider failed; grade again.",
    "timeout": "The provider did not answer in time; grade again.",
    "truncated_body": "The provider's reply broke off; grade again.",
    "unreachable": "The provider could not be reached; check its address and grade again.",
    "wrong_key": "The provider did not take the key; give another.",
}
#: The same of a metric's value; these come first where a metric is named.
METRICS = {
    "cut": "Only the beginning of a text was read; it is longer than the model's window.",
    "empty": "The answer has no text.",
    "is_the_reference": "This answer is itself the reference that the others are compared with.",
    "metric_failed": "The metric failed on this answer.",
    "no_best": (
        "It is not known yet which answers are the best: each has relevance or clarity pending."
    ),
    "no_model": "No model for vectors was loaded.",
    "none_wanted": "On questions of this type the rubric compares answers with no reference.",
    "no_names": "The reference's code has no names to compare.",
    "no_reference": "The question has no reference answer; give one to have this measured.",
    "not_elected": (
        "No reference is elected yet: no answer has relevance and clarity decided. Grade them, "
        "or appoint a reference."
    ),
    "not_factual": "Measured on factual questions only: on others no length is right.",
    "reference_syntax_error": "The reference's code is not valid Python.",
    "reference_too_deep": "The reference's code is nested too deeply to be read.",
    "reference_too_long": "The reference's code is too long to be read.",
    "syntax_error": "The answer's code is not valid Python.",
    "too_deep": "The answer's code is nested too deeply to be read.",
    "too_long": "A text is too long to be compared.",
}
#: Cause of a call without a usable reply (graders.core.records.CAUSES), or of none -> what
#: happened, in a list with counts.
CALLS = {
    "bad_request": "request not taken",
    "connection": "connection broke",
    "empty": "empty reply",
    "length_stop": "cut off at the longest length",
    "malformed": "not the form asked for",
    "model_missing": "no such model",
    "not_asked": "not asked",
    "off_scale": "value off the scale",
    "quota": "quota used up",
    "rate_limited": "told to wait",
    "refusal": "refused",
    "server_error": "provider failed",
    "timeout": "no reply in time",
    "truncated_body": "reply broke off",
    "unreachable": "not reached",
    "wrong_key": "key not taken",
}


def cause_words(cause: str) -> str:
    """What happened to a call, in a few words; a cause that is not in the table is told without its
    underscores."""
    return CALLS.get(cause) or cause.replace("_", " ")


def cause_counts(causes: Mapping[str, int]) -> str:
    """``told to wait 3, no reply in time 1``; empty where there are none."""
    return ", ".join(f"{cause_words(cause)} {count:,}" for cause, count in causes.items())


def reason_words(
    reason: str, rationale: str = "", *, metric: str = "", subject: Subject | None = None
) -> str:
    """The sentence of a reason, with the remedy where there is one; "" for no reason.

    `metric` names the output that lacks its value, `subject` what it was to measure. A reason that
    is not in the table (a plug-in's) is told by its own `rationale`, else by the code without
    underscores. What stands after a colon in `reason` is the particular case and is kept.
    """
    code, _, case = reason.partition(":")
    if not code:
        return ""
    if metric and code == "language":
        return _no_model(metric, subject)
    known = (METRICS.get(code) if metric else None) or VERDICTS.get(code)
    if known is None:
        return rationale or reason.replace("_", " ")
    return f"{known.rstrip('.')}: {case.strip()}" if case.strip() else known


def cut_words(metadata: Mapping[str, Any], short: bool = False) -> str:
    """What a verdict is marked with whose judge saw references cut to its model's window, in words;
    "" for all others.

    `short` gives the figures alone. What a file wrote there and is not ours says nothing.
    """
    found = metadata.get("reference_cut")
    sizes = [found.get(name) for name in ("kept", "of")] if isinstance(found, Mapping) else []
    kept, of = (
        sizes
        if len(sizes) == 2
        and all(isinstance(size, int) and not isinstance(size, bool) for size in sizes)
        else (0, 0)
    )
    if kept is None or of is None or not 0 <= kept < of:
        return ""
    figures = f"{kept:,} of {of:,} characters"
    return figures if short else f"It saw only the beginning of the reference: {figures}."


#: What is said beside a verdict whose quote stands nowhere; the reason for which its cell goes to
#: people, as a sentence.
MISQUOTES = "The judge quoted words that are not in the answer."


def note_words(metadata: Mapping[str, Any]) -> str:
    """What a page says beside a verdict of what it is marked with: a reference that was cut, the
    order of a pair."""
    return cut_words(metadata) or orders_words(metadata)


def orders_words(metadata: Mapping[str, Any]) -> str:
    """That a pair's verdict depends on the order of its answers, and what was said in each; "" for
    all others."""
    found = metadata.get("orders")
    said = (
        found
        if isinstance(found, list)
        and len(found) == 2
        and all(isinstance(one, str) and len(one) < 20 for one in found)
        else [""]
    )
    if len(set(said)) < 2:
        return ""
    return (
        f"Counts as a tie, because it changes with the order: {said[0]} with A shown first, "
        f"{said[1]} with B shown first."
    )


def _no_model(metric: str, subject: Subject | None) -> str:
    """Why a metric says nothing about a text in this language, and the setting that changes it."""
    if metric.startswith("code_"):
        return "The code is not in a language that this metric reads; it reads Python."
    code = (
        compared_language(subject, subject.question.references)
        .replace("_", "-")
        .split("-")[0]
        .casefold()
        if subject is not None
        else ""
    )
    name = language_name(code) if code else "this language"
    if metric.startswith("bertscore"):
        return (
            f"No BERTScore model reads {name}; name one in the setting "
            f"{'encoder' if code == 'en' else 'bertscore_multilingual'}."
        )
    if metric.startswith("embedding"):
        return (
            f"No model for vectors reads {name}; name one in the setting "
            f"{'encoder' if code == 'en' else 'multilingual'}."
        )
    return f"This metric does not read {name}."
