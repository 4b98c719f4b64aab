"""What reports are made of stays while nothing changes, and no more of it than fits."""

from __future__ import annotations

from graders.workflows.scope.memory import Memory


def test_what_is_kept_is_made_once_until_its_mark_changes_or_others_take_its_place() -> None:
    memory, made = Memory(2), []

    def get(key: str, mark: int) -> str:
        return memory.get(key, mark, lambda: made.append(key) or f"{key}{mark}")

    assert [get("a", 1), get("a", 1), get("b", 1), get("a", 2)] == [
        "a1",
        "a1",
        "b1",
        "a2",
    ] and made == ["a", "b", "a"]
    assert (get("c", 1), memory.peek("b", 1), memory.peek("a", 1), memory.peek("a", 2)) == (
        "c1",
        None,
        None,
        "a2",
    ), "b was made longest ago"
    memory.forget()
    assert memory.peek("a", 2) is None and memory.peek("c", 1) is None
