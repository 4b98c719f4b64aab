"""The call that asks a judge once more, where what it quoted is not in the answer."""

from __future__ import annotations

import json
from dataclasses import replace

from graders.core.records import MISQUOTED, Request

#: Stands last, so that what providers cache before it stays the same. It does not say which words
#: were wrong, nor what was said of them: the judge is to look again, not to defend itself.
_SAYS = (
    "An earlier reply to this gave words as evidence that are not there. Read again, "
    "and copy all evidence letter by letter; where "
    "there is nothing to copy, write absent."
)


def once_more(request: Request) -> Request:
    """The same call with a sentence that wants words copied exactly: a purchase of its own, whose
    cause the ledger notes."""
    *before, (role, text) = request.messages
    return replace(request, messages=(*before, (role, f"{text}\n\n{_SAYS}")), again=MISQUOTED)


def wants_quotes(request: Request) -> bool:
    """Whether the reply to a call is to hold quotes."""
    return '"evidence"' in json.dumps(request.schema or {})
