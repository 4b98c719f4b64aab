"""One run of the calling engine over a rubric of two criteria, with all that it did kept for
looking at."""

import asyncio
import random
import threading

from graders.core.contracts import Provider
from graders.core.records import Answer, Question, Subject, Verdict
from graders.core.rubric import read_rubric
from graders.judges.llm import LLMJudge
from graders.providers.openai_chat import OpenAIChat
from graders.workflows.calling.call import Delivery, call_all
from tests.support.ledger import MemoryLedger

RUBRIC = read_rubric("""
rubric: r
criteria:
  relevance: {question: Does it do what is asked?, scale: [irrelevant, relevant]}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}}
""")


JUDGE = LLMJudge(model="stub", secret="s")


QUESTION = Question(id="q", text="Name a tree.")


def subjects(count):
    return [
        Subject(QUESTION, Answer(question_id="q", model=f"m{i}", text=f"Oak number {i}."))
        for i in range(count)
    ]


class Run:
    """One `call_all` over `count` answers; keeps outcomes, ledger and report. Waits of seconds
    become milliseconds, or `waits` of them."""

    def __init__(
        self,
        base_url,
        count,
        ledger=None,
        prices=(None, None),
        requests=None,
        waits=0.001,
        **options,
    ):
        self.scale = waits
        self.subjects = {s.key: s for s in subjects(count)}
        self.requests = requests or JUDGE.requests(
            list(self.subjects.values()), RUBRIC, RUBRIC.criteria
        )
        self.ledger = ledger or MemoryLedger()
        self.outcomes, self.waits, self.threads = [], [], set()
        provider = OpenAIChat(
            base_url=base_url,
            api_key="key-of-the-run",
            connections=64,
            input_price=prices[0],
            output_price=prices[1],
        )
        self.report = asyncio.run(
            self._run(
                provider, {"timeout": 60.0, "concurrency": 16, "rng": random.Random(1), **options}
            )
        )

    async def _run(self, provider, options):
        async def sleep(seconds):
            self.waits.append(seconds)
            await asyncio.sleep(seconds * self.scale)

        ours = {"sleep": sleep, **{k: options.pop(k) for k in ("sleep", "rng") if k in options}}

        def keep(group):
            self.threads.add(threading.current_thread().name)
            for outcome in group:
                assert outcome.known or outcome.cause or outcome.key in self.ledger.usable, (
                    "used before it was stored"
                )
            self.outcomes.extend(group)

        try:
            return await call_all(
                self.requests,
                Delivery(
                    provider=provider,
                    ledger=self.ledger,
                    address=provider.address,
                    price=provider.price,
                    **options,
                ),
                read=lambda request, reply: JUDGE.read(request, reply, self.subjects, RUBRIC),
                on_outcomes=keep,
                **ours,
            )
        finally:
            await provider.aclose()

    @property
    def verdicts(self):
        """Verdicts of all outcomes; what is missing is filled as unscored, as a grading run
        does."""
        made = []
        for outcome in self.outcomes:
            good = [item for item in outcome.items if isinstance(item, Verdict)]
            made += good + (
                JUDGE.unscored(outcome.request, RUBRIC, outcome.cause, outcome.detail, good)
                if outcome.cause
                else []
            )
        return made


class Careless(Provider):
    """A provider from outside that breaks its contract."""

    version = "1"
    about = "Raises."

    async def send(self, request, timeout):
        raise RuntimeError("oops")

    async def aclose(self):
        return None
