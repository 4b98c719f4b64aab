"""What is published of the public sets themselves: how often judges, panels and people differ, and
how sure of it one can be."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO
from graders.rules.exact_match import ExactMatch
from graders.statistics import agreement, resampling
from graders.statistics.learned import decide
from graders.statistics.multinomial import cross_fit
from graders.statistics.proportion import intraclass_correlation
from tests.statistics.published import codes, load, rows_of
from tests.statistics.routing_data import PANEL, nq301, summeval
from tests.statistics.values import same, same_row

CRITERIA = ("coherence", "consistency", "fluency", "relevance")


def correlation(error, g):
    """Intraclass correlation of errors within questions."""
    return intraclass_correlation(np.bincount(g, error), np.bincount(g))


def most_at(score, error, alpha):
    """The largest share of cells, surest first, that errs in at most alpha."""
    surest = error[np.argsort(-score, kind="stable")]
    return (
        np.flatnonzero(np.cumsum(surest) <= alpha * np.arange(1, len(surest) + 1))[-1] + 1
    ) / len(surest)


def calibration_error(p, y):
    """As `ece`, without its interval."""
    bins = np.array_split(np.argsort(p, kind="stable"), 10)
    return sum(abs(p[at].mean() - y[at].mean()) * len(at) for at in bins) / len(p)


def test_errors_on_nq301():
    data = nq301()
    errors = data.verdicts != data.human
    same_row("3 nq301, error", "gpt-4, davinci", errors[:2].mean(axis=1), ".152 .162")
    alike = data.verdicts.min(axis=0) == data.verdicts.max(axis=0)
    same("3 nq301, unanimous, % of the cells", 100 * alike.mean(), "82", within=0.5)
    same("3 nq301, unanimous, error", data.error[alike].mean(), ".110")
    for value, name, reference in ((1, "Yes", "5.7"), (0, "No", "16.1")):
        same(
            f"3 nq301, unanimous {name}, % wrong",
            100 * data.error[alike & (data.majority == value)].mean(),
            reference,
        )
    within = [correlation(error, data.g) for error in (*errors[:2], data.error)]
    same("3 nq301, lowest ICC of errors", min(within), ".13")
    bem = np.abs(data.p - 0.5)
    same_row(
        "3 nq301, oracle at .10",
        "BEM, unanimity then BEM",
        (most_at(bem, errors[2], 0.1), most_at(data.s, data.error, 0.1)),
        ".54 .64",
    )
    assert max(most_at(bem, errors[2], 0.05), most_at(data.s, data.error, 0.05)) <= 0.37
    order = np.argsort(-data.s, kind="stable")
    strictest = [data.error[order[: round(share * 1486)]].mean() for share in (0.3, 0.4, 0.5, 0.6)]
    same_row(
        "3b nq301, error of section 3's strictest",
        ".3, .4, .5, .6",
        strictest,
        ".056 .057 .071 .089",
    )


def test_exact_matches_that_people_call_wrong():
    said = load("nq301")["correctness"]["adjudicated"]
    questions = {
        row["id"]: Question(
            id=row["id"], text=row["text"], language="en", references=tuple(row["reference"])
        )
        for row in rows_of("nq301", "questions")
    }
    rule, criterion = ExactMatch(), Criterion(rubric="nq301", name="correctness", scale=YES_NO)
    answers = [
        Answer(question_id=row["question_id"], model=row["model"], text=row["text"])
        for row in rows_of("nq301", "answers")
    ]
    exact = [
        one
        for one in answers
        if rule.grade(Subject(questions[one.question_id], one), criterion).value == "Yes"
    ]
    wrong = [said[one.question_id, one.model] == "No" for one in exact]
    # what counts as exact is not published: spaces, articles and marks move a match or two
    same("3 nq301, exact matches, % called wrong", 100 * np.mean(wrong), "5.4", within=0.2)


def test_how_sure_gpt_4_is_beside_cells_as_independent():
    (judge, human), g = codes("nq301", "correctness", YES_NO, "gpt-4", "adjudicated")
    tables = resampling.cluster_tables(judge, human, g, 2)
    found, table = resampling.jackknife(tables, agreement.kappa, "none"), tables.sum(axis=0)
    n, po = table.sum(), np.trace(table) / table.sum()
    pe = table.sum(axis=0) @ table.sum(axis=1) / n**2
    se = (found.high - found.value) / stats.t.ppf(0.975, found.n_questions - 1)
    same("7 deff of kappa, nq301 gpt-4", se**2 / (po * (1 - po) / n / (1 - pe) ** 2), "1.7")
    first, second = codes("nq301", "correctness", YES_NO, "annotator1", "annotator2")[0]
    same("3 nq301, ceiling", (first == second)[(first >= 0) & (second >= 0)].mean(), ".869")


def test_judges_of_nq301_without_labels():
    data, questions = nq301(), np.unique(nq301().g)
    ways = (
        ("gpt-4", data.verdicts[0], data.verdicts[0].astype(float), ".847 .693", ".153 .148"),
        (
            "majority, vote share",
            data.majority,
            data.verdicts.mean(axis=0),
            ".853 .706",
            ".130 .104",
        ),
        ("BEM", data.verdicts[2], data.p, ".804 .611", ".163 .121"),
    )
    orders = [np.random.default_rng(seed).permutation(questions) for seed in range(20)]
    parts = [np.isin(data.g, order[at : at + 100]) for order in orders for at in (0, 100, 200)]
    for name, verdict, p, rights, chances in ways:
        found = []
        for part in parts:
            v, y, q = verdict[part], data.human[part], p[part]
            table = resampling.cluster_tables(v, y, np.zeros(len(v), int), 2)[0]
            found.append(
                (
                    (v == y).mean(),
                    agreement.kappa(table),
                    ((q - y) ** 2).mean(),
                    calibration_error(q, y),
                )
            )
        right, kappa, brier, off = np.mean(found, axis=0)
        # the 60 splits of 100 questions are not the published ones
        same_row(
            f"8 nq301 without labels, {name}",
            "accuracy, kappa",
            (right, kappa),
            rights,
            within=0.005,
        )
        same_row(
            f"8 nq301 without labels, {name}", "Brier, ECE", (brier, off), chances, within=0.002
        )


@pytest.mark.parametrize(
    ("criterion", "errors", "best"),
    [
        ("coherence", ".375 .135", ".53 1"),
        ("consistency", ".088 .180", "1 1"),
        ("fluency", ".096 .400", "1 .50"),
        ("relevance", ".264 .392", ".76 .51"),
    ],
)
def test_errors_on_summeval(criterion, errors, best):
    data = summeval(criterion)
    off = np.abs(data.verdicts[:2] - data.human) >= 2
    # verdicts between two values may be rounded to either: .375 is .3767 where halves go up
    same_row(
        f"10 summeval {criterion}, error",
        "gpt4-rts, gpt-4o",
        off.mean(axis=1),
        errors,
        within=0.002,
    )
    for judge, one, reference in zip(("gpt4-rts", "gpt-4o"), off, best.split(), strict=True):
        same(
            f"10 summeval {criterion}, best possible of {judge}",
            min(1.0, 0.2 / one.mean()),
            reference,
        )
    if criterion == "consistency":
        side = (data.verdicts[0] >= 4) != (data.human >= 4)
        same("3 summeval consistency, gpt4-rts on the other side of 4", side.mean(), ".086")


def test_errors_of_whole_questions_on_summeval():
    within = []
    for criterion in CRITERIA:
        data = summeval(criterion)
        for verdict in data.verdicts[:2]:
            side = (verdict >= 4) != (data.human >= 4)
            within += [
                correlation(side, data.g),
                correlation(np.abs(verdict - data.human) > 1, data.g),
            ]
    same_row("3 summeval, ICC of errors", "lowest, highest", (min(within), max(within)), "-.02 .13")


@pytest.mark.parametrize(
    ("criterion", "reference"), [("coherence", ".261"), ("relevance", ".040"), ("fluency", ".023")]
)
def test_errors_of_the_learned_judge_on_summeval(criterion, reference):
    data = summeval(criterion)
    long = {
        (row["question_id"], row["model"]): len(row["text"])
        for row in rows_of("summeval", "answers")
    }
    panel = data.verdicts.T.astype(float)
    X = np.column_stack(
        [panel, panel.mean(axis=1), panel.std(axis=1), np.log1p([long[key] for key in data.keys])]
    )
    if criterion == "coherence":
        y, name = (data.human >= 4).astype(int), "learned on the other side of 4"
        error = cross_fit(X, y, data.g, 2).argmax(axis=1) != y
    else:
        name = "learned, error within 1"
        error = (
            np.abs(
                decide(cross_fit(X, data.human - 1, data.g, 5), [1, 2, 3, 4, 5], 1).codes
                + 1
                - data.human
            )
            > 1
        )
    # folds that are drawn otherwise
    same(f"3 summeval {criterion}, {name}", error.mean(), reference, within=0.002)


def test_experts_and_crowd_agree_on_nothing():
    highest = []
    for criterion in CRITERIA:
        said = load("summeval")[criterion]
        means = [
            np.mean(
                [
                    [float(said[f"{who}{i}"][cell]) for cell in sorted(said["expert0"])]
                    for i in range(n)
                ],
                axis=0,
            )
            for who, n in (("expert", 3), ("crowd", 5))
        ]
        highest.append(stats.spearmanr(*means).statistic)
    same("11 pitfalls, highest rho between experts and crowd", max(highest), ".08")
    data = summeval("fluency")
    rts = data.verdicts[PANEL.index("gpt-4-0314/rts")]
    right = [
        100 * (np.abs(verdict - data.human) <= 1).mean() for verdict in (np.full(1200, 4), rts)
    ]
    same_row(
        "11 pitfalls, fluency right within 1, %", "always 4, gpt4-rts", right, "96 90", within=0.5
    )
