"""Whether a call fits into a model's window, and references cut to fit where the rubric allows
it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from graders.core.records import Request
from graders.core.rubric import Criterion
from graders.core.text import BYTES_PER_TOKEN, bytes_of

#: Bytes that must be left of the references: with less there is nothing to compare with.
LEAST = 400
#: Stands where a reference was cut.
CUT = " [cut]"


def tokens(request: Request) -> int:
    """About how many tokens a call has with the longest reply allowed."""
    return bytes_of(text for _, text in request.messages) // BYTES_PER_TOKEN + int(
        request.settings.get("max_output_tokens") or 0
    )


def may_cut(criteria: Sequence[Criterion], task_type: str) -> bool:
    """Whether all criteria of a call that compare with a reference take one that is cut."""
    compared = _compared(criteria, task_type)
    return bool(compared) and all(c.cut_reference for c in compared)


def forbidding(criteria: Sequence[Criterion], task_type: str) -> list[Criterion]:
    """The criteria for which a call keeps its references whole although another criterion of it
    would take them cut."""
    compared = _compared(criteria, task_type)
    return (
        [c for c in compared if not c.cut_reference]
        if any(c.cut_reference for c in compared)
        else []
    )


def _compared(criteria: Sequence[Criterion], task_type: str) -> list[Criterion]:
    return [c for c in criteria if c.reference_for(task_type) in ("given", "elected")]


def fitted(
    request: Request,
    references: Sequence[str],
    window: int,
    rebuild: Callable[[list[str]], Request],
) -> Request:
    """The request, or one whose longest references are cut so that it fits into `window` tokens (0:
    not known); what is kept of how many characters stands in its metadata. One that would not fit
    with `LEAST` bytes of references is left as it is."""
    over = tokens(request) - window
    if not window or over <= 0 or not references:
        return request
    sizes = [len(text.encode("utf-8", "replace")) for text in references]
    left = sum(sizes) - (over + 1) * BYTES_PER_TOKEN - len(CUT) * len(sizes)
    if left < LEAST:
        return request
    short = [_start(text, _share(sizes, left)) for text in references]
    marked = {
        "kept": sum(len(text.removesuffix(CUT)) for text in short),
        "of": sum(map(len, references)),
    }
    made = rebuild(short)
    return replace(made, metadata={**made.metadata, "reference_cut": marked})


def _share(sizes: Sequence[int], left: int) -> int:
    """The bytes that each text may have at most, so that all together have `left`."""
    share = 0
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return share


def _start(text: str, size: int) -> str:
    """The beginning of a text, of at most so many bytes; whole words where it has spaces."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return text
    start = raw[:size].decode("utf-8", "ignore")
    word = start.rfind(" ")
    return (start[:word] if word > len(start) * 0.9 else start) + CUT
