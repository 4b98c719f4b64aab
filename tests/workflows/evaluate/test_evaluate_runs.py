"""Evaluating from Python: templates, replay without a network, many at once, and what cannot be
evaluated."""

import asyncio
import gc

import pytest

from graders.core.errors import InputError, ProviderError, RubricError, UsageError
from graders.core.rubric import read_rubric
from graders.judges.bare import Bare
from graders.workflows.evaluate.evaluate import aevaluate, aevaluate_many, evaluate, evaluate_many
from tests.support.evaluating import AUTHOR, CHAT, MINI, POOL, asked, opinion, say

pytestmark = pytest.mark.usefixtures("fresh_evaluate")


class TestTemplates:
    RUBRIC = read_rubric("""
rubric: own
criteria:
  fits:
    question: Does it fit?
    scale: ["no", "yes"]
    template: "Query: {query} Response: {{response}} Context: {context} yes or no?"
""")

    def test_a_template_of_the_users_own_is_all_that_is_sent(self, stub):
        say(stub, "Yes.")
        result = evaluate(
            question="Q",
            answer="A",
            context=["C", "D"],
            rubric=self.RUBRIC,
            judge=CHAT,
            base_url=stub.base_url,
        )
        assert result.passed and asked(stub) == "Query: Q Response: A Context: C\n\nD yes or no?"

    def test_a_file_with_a_bad_template_is_named(self, tmp_path):
        file = tmp_path / "own.yaml"
        file.write_text(
            'rubric: own\ncriteria:\n  fits: {scale: ["no", "yes"], template: "{answer} {colour}"}\n',
            "utf-8",
        )
        with pytest.raises(
            RubricError, match=r"own\.yaml, criterion fits, template: found the placeholder colour"
        ):
            evaluate(answer="A", rubric=file, judge=CHAT)

    def test_without_what_the_template_shows_nothing_is_sent(self, stub):
        say(stub, "Yes.")
        result = evaluate(
            question="Q", answer="A", rubric=self.RUBRIC, judge=CHAT, base_url=stub.base_url
        )
        assert (result.passed, result.verdicts[0].mark.reason, stub.stats()["requests"]) == (
            None,
            "no_context",
            0,
        )


class TestLedger:
    CASE = {"document": "It rains in Bergen.", "claim": "Bergen is wet."}

    def test_offline_replays_from_the_file_and_sends_nothing(self, stub, tmp_path):
        options = {"judge": MINI, "base_url": stub.root, "workspace": tmp_path / "replies.db"}
        say(stub, "Yes")
        bought = evaluate(**self.CASE, **options)
        say(stub, "No")
        replayed = evaluate(**self.CASE, **options, offline=True)
        assert (replayed.passed, replayed.metadata.cached, bought.metadata.cached) == (
            True,
            True,
            False,
        )
        assert stub.stats()["requests"] == 0
        gc.collect()
        assert [file.name for file in tmp_path.iterdir()] == ["replies.db"], (
            "one file, ready to be kept"
        )

    def test_chat_judges_replay_too(self, stub, tmp_path, monkeypatch):
        options = {"judge": CHAT, "base_url": stub.base_url, "workspace": tmp_path / "replies.db"}
        case = {"question": "When?", "answer": "At 8.", "context": POOL}
        say(
            stub,
            {"relevancy": opinion("yes", "At 8"), "supported": {"1": opinion("yes", "opens at 8")}},
        )
        assert evaluate(**case, **options).passed
        monkeypatch.delenv("OPENAI_API_KEY")
        assert evaluate(**case, **options, offline=True).passed, "no key is needed"

    def test_a_missing_reply_is_one_error_that_says_what_to_do(self, stub, tmp_path):
        say(stub, "Yes")
        evaluate(
            document="Oslo is dry.",
            claim="Oslo is dry.",
            judge=MINI,
            base_url=stub.root,
            workspace=tmp_path / "new.db",
        )
        with pytest.raises(InputError) as caught:
            evaluate_many(
                [self.CASE, {**self.CASE, "claim": "Bergen is dry."}],
                judge=MINI,
                base_url=stub.root,
                workspace=tmp_path / "new.db",
                offline=True,
            )
        assert str(caught.value) == (
            f"evaluate offline with {MINI}: found no stored reply to 2 of 2 calls, expected all replies in the ledger of the workspace. "
            f"Run once with offline=False, the same workspace file and the address {stub.root}, and keep the file."
        )

    def test_offline_without_the_file_names_the_file_and_makes_none(self, tmp_path):
        gone = tmp_path / "gone.db"
        with pytest.raises(InputError) as caught:
            evaluate(**self.CASE, judge=MINI, workspace=gone, offline=True)
        assert str(caught.value) == (
            f"evaluate offline, workspace {gone}: found no such file, expected the file that holds the stored replies. "
            "Run once with offline=False and the same workspace, and keep the file; or correct the path."
        )
        assert not gone.exists()

    def test_without_a_file_this_process_remembers(self, stub):
        say(stub, "Yes")
        case = {"document": "Remembered here.", "claim": "Remembered."}
        first, second = (evaluate(**case, judge=MINI, base_url=stub.root) for _ in range(2))
        assert (first.metadata.cached, second.metadata.cached, stub.stats()["requests"]) == (
            False,
            True,
            1,
        )

    def test_what_could_not_be_read_is_not_remembered(self, stub):
        case = {"document": "Unread.", "claim": "Unread here."}
        say(stub, "Hm")
        assert evaluate(**case, judge=MINI, base_url=stub.root).passed is None
        say(stub, "No")
        assert evaluate(**case, judge=MINI, base_url=stub.root).passed is False


class TestManyAndAsync:
    def test_many_at_once_in_order(self, stub):
        say(stub, "Yes", latency=0.05)
        cases = [{"document": f"Number {n}.", "claim": f"It is {n}."} for n in range(20)]
        results = evaluate_many(cases, judge=MINI, base_url=stub.root, concurrency=10)
        assert [r.verdicts[0].part for r in results] == [f"It is {n}." for n in range(20)]
        assert (stub.stats()["requests"], stub.stats()["peak"]) == (20, 10)

    def test_equal_cases_are_one_call(self, stub):
        say(stub, "Yes")
        results = evaluate_many(
            [{"document": "Twice.", "claim": "Two."}] * 3, judge=MINI, base_url=stub.root
        )
        assert ([r.passed for r in results], stub.stats()["requests"]) == ([True] * 3, 1)

    def test_inside_a_running_loop(self, stub):
        say(stub, "Yes")

        async def work():
            one = await aevaluate(document="Async.", claim="A.", judge=MINI, base_url=stub.root)
            many = await aevaluate_many(
                [{"document": "Async.", "claim": "B."}], judge=MINI, base_url=stub.root
            )
            # as in a notebook
            blocking = evaluate(document="Async.", claim="C.", judge=MINI, base_url=stub.root)
            return [one.passed, many[0].passed, blocking.passed]

        assert asyncio.run(work()) == [True, True, True]

    def test_no_case_no_call(self):
        assert evaluate_many([], judge=MINI) == []

    def test_a_judge_of_ones_own(self, stub):
        say(stub, "0.7")
        judge = Bare(model="gpt-test", label="mine")
        result = evaluate(**AUTHOR, rubric="accuracy", judge=judge, base_url=stub.base_url)
        assert (result.score, result.metadata.judge) == (0.7, "mine")


class TestWhatCannotBe:
    @pytest.mark.parametrize(
        ("case", "message"),
        [
            (
                {"answer": "A", "colour": "red"},
                "evaluate, case 1: found the key 'colour', expected keys among",
            ),
            (
                {"question": "Q"},
                "evaluate, case 1: found no answer, expected answer, or document and claim.",
            ),
            (
                {"claim": "C"},
                "found only one of document and claim, expected both. Or give question, answer and context.",
            ),
            (
                {"document": "D", "claim": "C", "answer": "A"},
                "found a claim and an answer, expected document and claim, or",
            ),
            ({"answer": None}, "evaluate, case 1, answer: found NoneType, expected a text."),
            (
                {"answer": "A", "context": 3},
                "evaluate, case 1, context: found int, expected a text, or a list of texts.",
            ),
            (
                {"answer": "A", "task_type": "odd"},
                "task_type: found 'odd', expected one of factual, creative, unknown.",
            ),
        ],
    )
    def test_cases(self, case, message):
        with pytest.raises(UsageError) as caught:
            evaluate(**case, judge=MINI)
        assert message in str(caught.value)

    def test_a_claim_needs_a_rubric_for_claims(self):
        with pytest.raises(
            UsageError, match="rubric accuracy: found no criterion with `parts: claims`"
        ):
            evaluate(document="D", claim="C", rubric="accuracy", judge=MINI)

    @pytest.mark.parametrize(
        ("judge", "message"),
        [
            ("gpt-4o", "found no model"),
            ("nobody:gpt", "found the provider 'nobody'"),
            (
                ["openai:gpt-4o", "ollama:llama3"],
                r"judge: found 2 judges, expected one. Call evaluate once for each",
            ),
            (None, "judge: found None, expected PROVIDER:MODEL"),
        ],
    )
    def test_judges(self, judge, message):
        with pytest.raises(UsageError, match=message):
            evaluate(document="D", claim="C", judge=judge)

    def test_a_model_that_was_not_pulled(self, stub):
        say(stub, None, faults={"model_missing": 1.0})
        with pytest.raises(ProviderError, match="get it with `ollama pull`") as caught:
            evaluate(document="Not pulled.", claim="C.", judge=MINI, base_url=stub.root)
        assert caught.value.cause == "model_missing"
