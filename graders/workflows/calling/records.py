"""The records of calling: causes and what follows from them, budget, plan, outcome, report, and
the wallet."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from graders.core.errors import CogradeError, InputError
from graders.core.hashing import canonical
from graders.core.records import PERHAPS_PAID, Problem, Reply, Request, Verdict
from graders.core.words import error_parts

#: Sends of one request in all.
MAX_SENDS = 5
#: Causes of a reply that came and could not be read: asked again at once, since nobody is
#: overloaded.
UNREADABLE = frozenset(("malformed", "off_scale", "empty"))
#: Causes that may be gone at the next send. All others end a call at once.
RETRIED = UNREADABLE | {
    "rate_limited",
    "server_error",
    "timeout",
    "connection",
    "unreachable",
    "truncated_body",
}
#: A reply that ended at its longest length: final, unless it ended short of the limit that we set.
CUT = "length_stop"
#: Causes that every further call would meet too: they stop the judge. What was expected and what to
#: do is in the catalogue (``calling.halting``).
HALTING = ("wrong_key", "quota", "model_missing", "unreachable")

#: Not a failure: the call is under way in a batch, and whoever waited for it has left.
LEFT = "left"

#: Seconds before the n-th repeat: BACKOFF * 2**(n - 1), at most LONGEST, with jitter.
BACKOFF, LONGEST = 0.5, 20.0
#: A provider that asks for a longer wait than this many seconds is taken at its word: the call
#: ends.
PATIENCE = 600.0

#: (model, input tokens, cached ones among them, output tokens) -> US dollars, None where no price
#: is known.
Price = Callable[[str, int, int, int], float | None]
Items = Sequence[Verdict | Problem]
#: Characters per token when nothing is known yet: low, so that an estimate is rather too high.
_CHARACTERS_PER_TOKEN = 3
_OUTPUT_TOKENS = 2000


def unknown_price(
    model: str, input_tokens: int, cached_tokens: int, output_tokens: int
) -> float | None:
    """The price where nobody knows one."""
    return None


def paid(reply: Reply) -> Literal["certainly", "perhaps", "no"]:
    """Whether a send that brought `reply` was charged, as far as one can know."""
    if reply.output_tokens is not None:
        return "certainly"
    return (
        "no"
        if reply.cause
        in ("rate_limited", "server_error", "unreachable", "wrong_key", "quota", "bad_request")
        else "perhaps"
    )


def asked_again(request: Request, reply: Reply, cause: str) -> bool:
    """Whether another send may bring a usable reply after `cause`.

    A verdict that was cut at our own limit would be cut there again. One that is said to be too
    long though it is shorter was cut by something else, as a body that ends too early is. Answers
    that are collected count as they are.
    """
    if cause == CUT:
        limit = request.settings.get("max_output_tokens")
        return (
            bool(request.schema)
            and limit is not None
            and reply.output_tokens is not None
            and reply.output_tokens < int(limit)
        )
    return cause in RETRIED


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run: `money` in US dollars, `calls` as number of sends; None means no limit."""

    money: float | None = None
    calls: int | None = None


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """What a judge, or the model that splits answers into claims, will cost.

    `done` answers have all their verdicts and need no call; of the `calls`, `known` have a stored
    reply. Tokens, US dollars (None: no known price) and seconds are of what is left to send;
    `measured`: they go by earlier replies. `once_more` of the calls are expected for what is asked
    again; `key` says where the key goes, `lacking` what the judge cannot be asked without, empty
    where nothing is. `criteria` are the keys of those that it grades where the run names judges for
    criteria, else empty. `price_name`: what a project keeps its price under (`keep_price`).
    """

    name: str
    author: str
    key: str
    calls: int
    done: int
    known: int
    input_tokens: int
    output_tokens: int
    money: float | None
    seconds: float
    measured: bool
    once_more: float = 0
    batch: bool = False
    notes: list[str] = field(default_factory=list)
    lacking: str = ""
    criteria: list[str] = field(default_factory=list)
    price_name: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a request ended. `items` is what the judge read; `cause` is empty exactly if the reply is
    usable.

    `known` says that nothing was sent because the ledger had the reply. `money` is what all sends
    of the request cost in this run, None where a price is unknown, and `unpriced` says how many
    paid replies among them have no known price. `resends` names the cause of each repeat.
    """

    request: Request
    key: str
    reply: Reply
    items: Items
    cause: str = ""
    detail: str = ""
    known: bool = False
    sends: int = 0
    resends: tuple[str, ...] = ()
    money: float | None = None
    unpriced: int = 0


@dataclass(slots=True)
class CallReport:
    """Counts of a run. `money` is the sum of known prices, `unpriced` the paid replies whose price
    is unknown.

    `stopped` is empty if every request ended; else ``wish``, ``budget``, ``unknown_price`` or a
    cause of CAUSES, and where a person has to act `error` says so in one sentence; `news` are words
    about batches that are under way, `lost` about those that the provider lost.
    """

    usable: int = 0
    known: int = 0
    unscored: Counter[str] = field(default_factory=Counter)
    sends: int = 0
    resends: Counter[str] = field(default_factory=Counter)
    certainly_paid_again: int = 0
    perhaps_paid_again: int = 0
    money: float = 0.0
    unpriced: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    peak: int = 0
    stopped: str = ""
    error: CogradeError | None = None
    news: str = ""
    lost: str = ""

    def add(self, reply: Reply, money: float | None) -> None:
        """Count the tokens and the money of one reply."""
        self.input_tokens += reply.input_tokens or 0
        self.cached_tokens += reply.cached_tokens or 0
        self.output_tokens += reply.output_tokens or 0
        if money is not None:
            self.money += money
        elif paid(reply) == "certainly":
            self.unpriced += 1

    def again(self, reply: Reply, cause: str) -> None:
        """Count a repeat of a send that brought `reply`, for `cause`."""
        self.resends[cause] += 1
        match paid(reply):
            case "certainly":
                self.certainly_paid_again += 1
            case "perhaps":
                self.perhaps_paid_again += 1

    def resumed(self, cause: str) -> None:
        """Count a first send of this start that repeats one of an earlier start, for `cause`."""
        self.resends[cause] += 1
        self.perhaps_paid_again += cause in PERHAPS_PAID


@dataclass(slots=True, eq=False)
class Job:
    """One purchase, and all requests that ask for it.

    `payload` is what they ask, as canonical JSON. `resends` are the causes of its repeats so far.
    """

    key: str
    requests: list[Request]
    payload: str
    sends: int = 0
    resends: list[str] = field(default_factory=list)
    money: float | None = 0.0
    unpriced: int = 0
    last: Reply = field(default_factory=Reply)
    said: Reply | None = None
    items: Items = ()

    def pause(self, cause: str, rng: Random) -> float:
        """Seconds before the next send after `cause`; at least what the provider asked for."""
        base = (
            0.0
            if cause in UNREADABLE or cause == CUT
            else min(BACKOFF * 2 ** (self.sends - 1), LONGEST)
        )
        asked = self.last.retry_after
        return base * (1 + rng.random()) / 2 if asked is None else asked + base * rng.random() / 4


@dataclass(slots=True)
class Pace:
    """Spreads the starts of sends: on average one in `spacing` seconds, at most `burst` at once.

    Replies that come together become sends that go together, and a loop that works off a burst of
    sends reads no reply meanwhile: without a limit every round of calls lasts longer by what
    starting all of them takes. One by one would wake the loop too often.
    """

    spacing: float = 0.001
    burst: int = 4
    next_start: float = 0.0

    async def turn(self) -> None:
        """Wait where more than `burst` sends would start within `burst` times `spacing`."""
        now = asyncio.get_running_loop().time()
        self.next_start = max(now - self.burst * self.spacing, self.next_start + self.spacing)
        if self.next_start > now:
            await asyncio.sleep(self.next_start - now)


@dataclass(slots=True)
class Wallet:
    """Keeps a run within its budget: what a send may cost is set aside before it is sent.

    The estimate is the price of the prompt and of the longest reply allowed, or twice the dearest
    reply seen if that is less; so what is spent can exceed the limit only by what is on the way and
    dearer than anything before it.
    """

    limit: Budget
    price: Price
    sends: int = 0
    spent: float = 0.0
    aside: float = 0.0
    dearest: float = 0.0

    def take(self, request: Request) -> float | Literal["wait", "empty", "unknown"]:
        """Money set aside for one send; or ``wait`` (others must settle first), ``empty``,
        ``unknown`` (no price to go by)."""
        if self.limit.calls is not None and self.sends >= self.limit.calls:
            return "empty"
        share = 0.0
        if self.limit.money is not None:
            estimate = self.estimate(request)
            if estimate is None:
                return "unknown"
            if self.spent + self.aside + estimate > self.limit.money:
                return "wait" if self.aside else "empty"
            share = estimate
        self.aside += share
        self.sends += 1
        return share

    def settle(self, share: float, request: Request, reply: Reply) -> float | None:
        """Put back what was set aside and pay what `reply` cost: its money, None where unknown, 0
        where nothing is charged."""
        # What is left after the last share is put back is rounding, and would make others wait for
        # ever.
        self.aside = self.aside - share if self.aside - share > 1e-12 else 0.0
        if reply.output_tokens is None or reply.input_tokens is None:
            # as a model on one's own machine: tokens need not be known
            free = self.price(request.model, 1_000_000, 0, 1_000_000) == 0.0
            return 0.0 if free or paid(reply) == "no" else None
        money = self.price(
            request.model, reply.input_tokens, reply.cached_tokens or 0, reply.output_tokens
        )
        self.spent += money or 0.0
        self.dearest = max(self.dearest, money or 0.0)
        return money

    def estimate(self, request: Request) -> float | None:
        """US dollars that one send will hardly exceed; None where no price is known."""
        characters = sum(
            len(text.encode("utf-8", "replace")) for _, text in request.messages
        ) + len(canonical(request.schema))
        output = int(request.settings.get("max_output_tokens") or _OUTPUT_TOKENS)
        worst = self.price(request.model, characters // _CHARACTERS_PER_TOKEN + 1, 0, output)
        return min(worst, 2 * self.dearest) if worst is not None and self.dearest else worst


def no_price(model: str, address: str) -> CogradeError:
    """The sentence for a limit in money where no price is known."""
    return InputError(**error_parts("calling.no_price", model=model, address=address))
