"""Evaluating from Python over a real provider on loopback: claims, facts, overlap, accuracy, and
who grades."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from graders.core.errors import RubricError, UsageError
from graders.core.rubric import read_rubric
from graders.workflows.cells.rule_precision import counted
from graders.workflows.evaluate.evaluate import evaluate
from tests.support.evaluating import AUTHOR, CHAT, MINI, POOL, asked, opinion, say

pytestmark = pytest.mark.usefixtures("fresh_evaluate")


class TestClaims:
    def test_a_claim_against_a_document(self, stub):
        say(stub, "Yes.")
        result = evaluate(
            document="Oslo lies in Norway.",
            claim="Oslo is Norwegian.",
            judge=MINI,
            base_url=stub.root,
        )
        assert (result.passed, result.score, result.feedback) == (True, 1.0, "supported: 1 of 1.")
        assert asked(stub) == "Document: Oslo lies in Norway.\nClaim: Oslo is Norwegian."
        body = json.loads(stub.stats()["last_body"])
        assert body["options"] == {"num_predict": 2, "temperature": 0.0}
        facts = {
            name: getattr(result.metadata, name)
            for name in ("judge", "version", "cost", "cached", "calls", "claims_by")
        }
        assert facts == {
            "judge": MINI,
            "version": "checker 1",
            "cost": 0.0,
            "cached": False,
            "calls": 1,
            "claims_by": "given",
        }
        assert result.metadata.seconds > 0

    def test_each_sentence_of_an_answer_is_a_claim_with_its_own_verdict(self, stub):
        say(stub, "no")
        result = evaluate(
            question="When?",
            answer="At 8. Not in August. Why not?",
            context=POOL,
            judge=MINI,
            base_url=stub.root,
        )
        parts = [
            (v.part, v.mark.value) for v in result.verdicts if v.criterion == "grounded/supported"
        ]
        assert parts == [("At 8.", "no"), ("Not in August.", "no")]
        assert (result.passed, result.score, stub.stats()["requests"]) == (False, 0.0, 2)
        assert result.feedback == (
            "relevancy: not graded (not_applicable). bespoke-minicheck holds claims against documents and answers no other question.\n"
            "supported: 0 of 2.\n  no: At 8.\n  no: Not in August."
        )

    def test_options_of_the_provider(self, stub):
        say(stub, "Yes")
        evaluate(
            document="A long one.",
            claim="Long.",
            judge=MINI,
            base_url=stub.root,
            provider_options={"context": 4096},
        )
        assert json.loads(stub.stats()["last_body"])["options"]["num_ctx"] == 4096

    def test_a_reply_cut_at_two_tokens_is_whole(self, stub):
        say(stub, "YES because", faults={"cut": 1.0})
        result = evaluate(document="Cut short.", claim="Cut.", judge=MINI, base_url=stub.root)
        assert (result.passed, stub.stats()["requests"]) == (True, 1)

    def test_a_doubtful_reply_is_asked_again_and_then_unscored(self, stub):
        say(stub, "Supported")
        result = evaluate(document="Doubtful.", claim="A doubt.", judge=MINI, base_url=stub.root)
        assert (result.passed, result.score, stub.stats()["requests"]) == (None, None, 5)
        assert (
            result.feedback
            == "supported: 0 of 1.\n  not graded (off_scale): A doubt. neither yes nor no: supported"
        )

    def test_a_chat_model_gets_all_claims_in_one_call_and_quotes_the_document(self, stub):
        said = {
            "relevancy": opinion("yes", "At 8"),
            "supported": {
                "1": opinion("yes", "opens at 8"),
                "2": opinion("no", rationale="Nothing about July."),
                "3": opinion("yes", "in summer"),
            },
        }
        say(stub, said)
        result = evaluate(
            question="When?",
            answer="At 8. July is off. So is August.",
            context=POOL,
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert stub.stats()["requests"] == 1
        values = {v.part: (v.mark.value, v.mark.reason) for v in result.verdicts}
        # The third claim is said to be supported by words that no document holds: that is not
        # believed.
        assert values == {
            "": ("yes", ""),
            "At 8.": ("yes", ""),
            "July is off.": ("no", ""),
            "So is August.": (None, "citation_not_found"),
        }
        assert (result.passed, result.score, result.metadata.scores) == (
            False,
            None,
            {"relevancy": 1.0, "supported": None},
        )
        assert [e.quote for e in result.evidence if e.found] == ["At 8", "opens at 8"]
        assert "no: July is off. Nothing about July." in result.feedback

    def test_a_model_may_split_the_answer_into_claims(self, stub):
        answer, judge = "Ada, born in 1815, was English. She wrote.", "checker:any"
        say(stub, {"claims": ["Ada was born in 1815.", "Ada was English.", "Ada wrote."]})
        first = evaluate(
            question="Who?",
            answer=answer,
            context="Ada.",
            judge=judge,
            split=CHAT,
            base_url=stub.base_url,
            options={"provider": "openai_chat"},
        )
        # The stub says the same to the checks, which makes them unscored: what counts here is what
        # was asked about.
        assert [v.part for v in first.verdicts][1:] == [
            "Ada was born in 1815.",
            "Ada was English.",
            "Ada wrote.",
        ]
        assert first.metadata.claims_by == CHAT
        say(stub, "Yes")
        second = evaluate(
            question="Who?",
            answer=answer + " Yes.",
            context="Ada.",
            judge=judge,
            split=CHAT,
            base_url=stub.base_url,
            options={"provider": "openai_chat"},
        )
        assert [v.part for v in second.verdicts][1:] == [
            "Ada, born in 1815, was English.",
            "She wrote.",
            "Yes.",
        ]
        assert second.metadata.claims_by == f"sentences ({CHAT}: malformed)"

    def test_the_model_that_splits_has_an_address_of_its_own(self, stub, monkeypatch):
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        say(stub, {"claims": ["One.", "Two."]})
        result = evaluate(
            question="?",
            answer="One and. Two.",
            context="D.",
            judge=MINI,
            base_url=stub.root,
            split=CHAT,
        )
        assert [v.part for v in result.verdicts if v.part] == ["One.", "Two."]


class TestFacts:
    """Facts about the moon landing in three answers; the judge answers as told, the count is
    computed here."""

    FACTS = ("Armstrong walked first.", "It was in July 1969.")
    BOTH = "In July 1969 Neil Armstrong was the first to walk on the Moon."
    ONE = "Armstrong stepped out first, and Aldrich filmed the rest."
    POEM = "A silver dust, a slender boot,\na summer night with all lamps mute."

    @pytest.mark.parametrize(
        ("answer", "first", "second", "count", "score", "passed"),
        [
            (
                BOTH,
                opinion("yes", "Neil Armstrong was the first to walk"),
                opinion("yes", "In July 1969"),
                "2 of 2",
                1.0,
                True,
            ),
            # 1 / 2
            (
                ONE,
                opinion("yes", "Armstrong stepped out first"),
                opinion("no"),
                "1 of 2",
                0.5,
                False,
            ),
            (
                POEM,
                opinion("no", "a slender boot"),
                opinion("no", "a summer night"),
                "0 of 2",
                0.0,
                False,
            ),
        ],
    )
    def test_the_count_is_computed(self, stub, answer, first, second, count, score, passed):
        say(stub, {"facts": {"1": first, "2": second}})
        result = evaluate(
            question="Tell.",
            answer=answer,
            facts=self.FACTS,
            rubric="facts",
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert (result.passed, result.score) == (passed, score)
        assert result.feedback.startswith(f"facts: {count}")
        for part in (
            "Restate it in your own words",
            "somebody who does not know the topic",
            "only hints",
            "1. Armstrong walked first.\n2. It was",
        ):
            assert part in asked(stub)

    @pytest.mark.parametrize("quote", ["Armstrong walked on silver dust", "absent", "", "."])
    def test_a_yes_whose_citation_is_not_in_the_answer_is_not_believed(self, stub, quote):
        said = {"facts": {"1": opinion("yes", quote), "2": opinion("no")}}
        say(stub, said)
        result = evaluate(
            question="Tell.",
            answer=self.POEM,
            facts=self.FACTS,
            rubric="facts",
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert [(v.mark.value, v.mark.reason) for v in result.verdicts] == [
            (None, "citation_not_found"),
            ("no", ""),
        ]
        assert (result.passed, result.score) == (False, None)

    def test_no_facts_no_verdict(self, stub):
        result = evaluate(
            question="Tell.", answer=self.ONE, rubric="facts", judge=CHAT, base_url=stub.base_url
        )
        assert (result.passed, result.score, result.feedback, result.verdicts) == (
            None,
            None,
            "facts: nothing to grade.",
            (),
        )


class TestOverlap:
    EXPERT = "Tea contains caffeine, and green tea is not fermented."

    @pytest.mark.parametrize(
        ("answer", "relation", "contradiction", "passed"),
        [
            ("Tea contains caffeine.", "subset", "no", None),
            (
                "Tea contains caffeine; green tea is fermented for a month, in barrels.",
                "overlapping",
                "yes",
                False,
            ),
            (
                "Tea has caffeine, green tea is unfermented, and black tea is oxidised.",
                "superset",
                "no",
                None,
            ),
            ("Coffee wakes people.", "disjoint", "no", None),
        ],
    )
    def test_overlap_and_contradiction_are_two_fields(
        self, stub, answer, relation, contradiction, passed
    ):
        say(
            stub,
            {
                "relation": opinion(relation, "absent"),
                "contradiction": opinion(contradiction, "absent"),
            },
        )
        result = evaluate(
            question="What of tea?",
            answer=answer,
            reference=self.EXPERT,
            rubric="overlap",
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert [v.mark.value for v in result.verdicts] == [relation, contradiction]
        assert result.passed is passed
        assert result.metadata.scores == {"contradiction": float(contradiction == "no")}, (
            "a relation has no score of its own"
        )
        assert (
            list(result.metadata.undecided) == ["relation"]
            and "gives them no `scores`" in result.metadata.undecided["relation"]
        )
        assert f"{relation}. So it is. Its labels have no order" in result.feedback
        assert self.EXPERT in asked(stub) and answer in asked(stub)

    @pytest.mark.parametrize(("contradiction", "passed"), [("no", None), ("yes", False)])
    def test_a_relation_that_could_not_be_graded_counts(self, stub, contradiction, passed):
        say(stub, {"relation": opinion("sideways"), "contradiction": opinion(contradiction)})
        result = evaluate(
            question="Tea?",
            answer="Tea.",
            reference=self.EXPERT,
            rubric="overlap",
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert [v.mark.reason for v in result.verdicts] == ["off_scale", ""]
        assert (result.passed, result.score) == (passed, None)
        assert result.metadata.undecided == {"relation": "not graded (off_scale)"}

    def test_a_rubric_may_give_labels_a_score(self, stub):
        rubric = read_rubric("""
rubric: scored
criteria:
  relation:
    question: How do they lie?
    scale: {labels: [disjoint, subset, equal], ordered: false}
    scores: {disjoint: 0, subset: 0.4, equal: 1}
""")
        say(stub, {"relation": opinion("subset", "absent")})
        result = evaluate(
            question="Tea?",
            answer="Tea.",
            reference="Tea, hot.",
            rubric=rubric,
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert (result.score, result.passed) == (0.4, False)  # 0.4 < half
        lenient = evaluate(
            question="Tea?",
            answer="Tea.",
            reference="Tea, hot.",
            rubric=rubric,
            judge=CHAT,
            base_url=stub.base_url,
            threshold=0.4,
        )
        assert (lenient.passed, lenient.metadata.cached) == (True, True)

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ("{a: 0}", "found {'a': 0}, expected a number for each label of the scale: a, b"),
            ("{a: 0, b: 2}", "found 2 for b, expected a number from 0 to 1"),
        ],
    )
    def test_scores_that_cannot_be(self, scores, message):
        with pytest.raises(RubricError, match="criterion c, scores") as caught:
            read_rubric(f"rubric: r\ncriteria:\n  c: {{scale: [a, b], scores: {scores}}}")
        assert message in str(caught.value)


class TestWhoGrades:
    """As in a run, a judge is asked only about criteria that name it."""

    GOOD = {
        "completeness": opinion(5),
        "relevance": opinion("relevant"),
        "clarity": {part: opinion(1) for part in ("language", "mistakes", "structure")},
    }

    @pytest.mark.parametrize(
        ("count", "value", "passed", "score"),
        [(10, "fitting", True, 1.0), (1101, "too long", False, 0.75)],
    )
    def test_what_rules_decide_is_not_asked_and_counts(self, stub, count, value, passed, score):
        say(stub, {**self.GOOD, "brevity": opinion("fitting")})
        prose = " ".join(Path("LICENSE").read_text("utf-8").split())
        begin = prose.index("Subject to the terms")
        answer = prose[begin : begin + count - 1] + "."
        case = {"question": "Why?", "answer": answer, "task_type": "factual"}
        result = evaluate(**case, rubric="answer-quality", judge=CHAT, base_url=stub.base_url)
        body = stub.stats()["last_body"]
        assert "completeness" in body and "brevity" not in body and "speed" not in body
        own = {
            v.criterion.rpartition("/")[2]: v for v in result.verdicts if v.author_kind == "rule"
        }
        assert {name: (v.author, v.mark.value, v.mark.reason) for name, v in own.items()} == {
            # nobody can make up for it: it counts neither way
            "speed": (
                "time_to_first_token",
                None,
                "not_measured",
            ),
            "brevity": ("length", value, ""),
        }
        # of relevance, completeness, clarity 1 each, and brevity
        assert (result.passed, result.score) == (
            passed,
            score,
        )
        assert (
            f"brevity: {value}. {count:,} characters, limit 1,100 for a short answer."
            in result.feedback
        )

    def test_what_people_decide_is_left_out_and_named(self, stub):
        said = {"form": opinion("kept"), "style": opinion(5), "mood": opinion(5)}
        say(stub, {**said, "effect": opinion(1)})
        case = {
            "question": "Write a poem in the style of Dickinson.",
            "answer": "Dust,\nrust.",
            "task_type": "creative",
        }
        result = evaluate(**case, rubric="creative", judge=CHAT, base_url=stub.base_url)
        assert (
            "effect"
            not in json.loads(stub.stats()["last_body"])["response_format"]["json_schema"][
                "schema"
            ]["properties"]
        )
        assert (result.passed, result.score, result.metadata.left_out) == (
            True,
            1.0,
            {"effect": "people decide it"},
        )
        assert (
            list(result.metadata.scores) == list(said)
            and "effect: left out, people decide it." in result.feedback
        )

    def test_rules_that_do_not_decide_leave_it_open_and_metrics_give_no_verdict(self, stub):
        rubric = read_rubric(
            "rubric: r\ncriteria:\n  counted: {graders: [requested_count]}\n  alike: {graders: [token_f1]}"
        )
        result = evaluate(
            question="Name five.",
            answer="Some prose.",
            rubric=rubric,
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert [(v.author, v.mark.value, v.mark.reason) for v in result.verdicts] == [
            ("requested_count", None, "not_countable")
        ]
        assert (result.passed, result.score, result.metadata.calls) == (None, None, 0)
        assert result.metadata.undecided == {"counted": "not graded (not_countable)"}
        assert result.metadata.left_out == {"alike": "only metrics measure it"}

    def test_a_rubric_with_nothing_for_judge_or_rules(self):
        with pytest.raises(
            UsageError, match="rubric r: found no criterion that a judge or a rule grades"
        ):
            evaluate(
                answer="A",
                rubric=read_rubric("rubric: r\ncriteria:\n  effect: {review: people}"),
                judge=CHAT,
            )
        with pytest.raises(RubricError, match="criterion c, graders: found the grader 'lenght'"):
            evaluate(
                answer="A",
                rubric=read_rubric("rubric: r\ncriteria:\n  c: {graders: [lenght]}"),
                judge=CHAT,
            )


class TestAccuracy:
    def test_a_bare_reply(self, stub):
        say(stub, "accuracy：０．６")
        result = evaluate(
            **AUTHOR, rubric="accuracy", judge="bare:gpt-test", base_url=stub.base_url
        )
        assert (result.score, result.passed) == (0.6, True)  # 0.6 is above half of the range
        strict = evaluate(
            **AUTHOR,
            rubric="accuracy",
            judge="bare:gpt-test",
            base_url=stub.base_url,
            threshold=0.7,
        )
        assert (strict.passed, strict.metadata.cached, stub.stats()["requests"]) == (
            False,
            True,
            1,
        )

    def test_a_case_that_forgot_the_right_answer_does_not_pass(self, stub):
        say(stub, {"accuracy": opinion(1.0, "absent")})
        case = {
            "question": "Who?",
            "answer": "Mary Shelley.",
            "rubric": "accuracy",
            "judge": CHAT,
            "base_url": stub.base_url,
        }
        result = evaluate(**case)
        assert [(v.mark.status, v.mark.reason) for v in result.verdicts] == [
            ("unscored", "no_reference")
        ]
        assert (result.passed, result.metadata.calls, stub.stats()["requests"]) == (None, 0, 0)
        # a judge that is set up to see none
        assert evaluate(**case, options={"reference": False}).passed

    #: What a model may say in place of its JSON, and the cause by which it is asked again.
    BAD = (
        ("Die Antwort ist richtig, aber unvollständig.", "malformed"),
        ('```json\n{"accuracy": 0.6}\n```\nI hope this helps.', "malformed"),
        (json.dumps({"accuracy": opinion("three fifths")}), "off_scale"),
        (json.dumps({"accuracy": opinion("六成")}), "off_scale"),
        (
            '{"accuracy": {"evidence": "", "rationale": "", "value": NaN, "confidence": 1}}',
            "malformed",
        ),
        (json.dumps({"accuracy": opinion("NaN")}), "off_scale"),
        (json.dumps({"accuracy": opinion(0.6)}) * 2, "malformed"),
        (json.dumps({"accuracy": opinion(6)}), "off_scale"),
    )

    @pytest.mark.parametrize(("said", "cause"), BAD)
    def test_a_bad_reply_is_asked_again_by_cause_and_then_unscored(self, stub, said, cause):
        say(stub, said)
        result = evaluate(**AUTHOR, rubric="accuracy", judge=CHAT, base_url=stub.base_url)
        assert [(v.mark.value, v.mark.reason) for v in result.verdicts] == [(None, cause)]
        assert (result.passed, result.score, stub.stats()["requests"]) == (None, None, 5)

    def test_a_fence_around_the_whole_object_is_no_doubt(self, stub):
        say(stub, "```json\n" + json.dumps({"accuracy": opinion("0,6")}) + "\n```")
        assert (
            evaluate(**AUTHOR, rubric="accuracy", judge=CHAT, base_url=stub.base_url).score == 0.6
        )


class TestJudgeAndRules:
    """Where a criterion has both, what counts is what the app would suggest."""

    RUBRIC = read_rubric(
        """
rubric: both
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge, requested_count]}
  style: {question: Is it the style?, scale: {from: 1, to: 5}, graders: [judge, named_style]}
"""
    )
    IDEAS = "Give me five ideas for a birthday.\n"
    THREE = "1. A walk in the woods.\n2. A quiz about us.\n3. A film night."

    def grade(self, stub, answer, relevance):
        say(stub, {"relevance": opinion(relevance), "style": opinion(4)})
        return evaluate(
            question=self.IDEAS,
            answer=answer,
            rubric=self.RUBRIC,
            judge=CHAT,
            base_url=stub.base_url,
        )

    def test_a_fault_that_a_rule_points_out_goes_before_the_judge(self, stub):
        result = self.grade(stub, self.THREE, "relevant")
        relevance, style = result.verdicts
        assert (relevance.author, relevance.mark.value, result.passed, result.score) == (
            "requested_count",
            "irrelevant",
            False,
            0.0,
        )
        sure = counted()["requested_count"]["en"].confidence
        assert relevance.mark.confidence == pytest.approx(sure, abs=1e-3), (
            "as often as it was right in English"
        )
        assert [asdict(one) for one in result.metadata.beside] == [
            {
                "criterion": f"both/{name}",
                "part": "",
                "author": "openai:gpt-test",
                "value": value,
            }
            for name, value in (("relevance", "relevant"), ("style", 4))
        ]
        # whose style is not asked, as far as a rule can tell: the criterion counts neither way
        assert (style.author, style.mark.reason, result.metadata.scores) == (
            "named_style",
            "not_applicable",
            {"relevance": 0.0},
        )

    def test_where_no_rule_decides_the_judge_does(self, stub):
        result = self.grade(
            stub, self.THREE + "\n4. A picnic by the lake.\n5. A concert.", "relevant"
        )
        beside = [one.criterion for one in result.metadata.beside]
        assert (result.verdicts[0].author, result.passed, beside) == (
            "openai:gpt-test",
            True,
            ["both/style"],
        )

    def test_an_answer_that_cannot_be_read_is_not_graded(self, stub):
        say(stub, {"all": opinion(4)})
        rubric = read_rubric(
            "rubric: r\ncriteria:\n  all: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge, {unreadable: {unscored: true}}]}"
        )
        result = evaluate(
            question="When?",
            answer="\ufffd" * 40,
            rubric=rubric,
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert (result.passed, result.score, result.metadata.calls) == (None, None, 1)
        assert result.metadata.undecided == {"all": "not graded (unreadable)"}


class TestTheRubricsModel:
    TEXT = """
rubric: one
criteria:
  fit: {question: Fits?, graders: [{judge: {model: openai:own}}]}
  tone: {question: Kind?, graders: [TONE]}
"""
    CASE = {"question": "When?", "answer": "At 8."}

    def test_it_is_asked_where_no_judge_is_given(self, stub):
        stub.configure(say=None)
        rubric = read_rubric(self.TEXT.replace("TONE", "{judge: {model: openai:own}}"))
        result = evaluate(**self.CASE, rubric=rubric, base_url=stub.base_url)
        assert (result.metadata.judge, stub.stats()["requests"]) == ("openai:own", 1)
        given = evaluate(**self.CASE, judge=CHAT, rubric=rubric, base_url=stub.base_url)
        assert given.metadata.judge == CHAT

    @pytest.mark.parametrize("tone", ["judge", "{judge: {model: openai:b}}"])
    def test_one_model_has_to_be_named_for_all(self, tone):
        with pytest.raises(UsageError, match="rubric one names openai:own"):
            evaluate(**self.CASE, rubric=read_rubric(self.TEXT.replace("TONE", tone)))
