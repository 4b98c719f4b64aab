"""Every error about what somebody gave us says what to do; broken YAML is told in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.core.errors import RubricError
from graders.core.rubric import read_rubric

GRADERS = Path(__file__).parents[2] / "graders"
#: Calls that make such an error or a bad row -> how many positional arguments include the remedy.
KINDS = {"InputError": None, "RubricError": None, "ScaleError": None, "bad": 6}
FOLDERS = ("core", "importers", "commands", "judges")


def without_remedy(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
            positions = KINDS[node.func.id]
            given = any(keyword.arg in ("remedy", None) for keyword in node.keywords)
            if not given and not (positions and len(node.args) >= positions):
                yield f"{path.relative_to(GRADERS)}:{node.lineno}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_such_error_has_a_remedy(folder: str) -> None:
    assert [
        place for path in sorted((GRADERS / folder).glob("*.py")) for place in without_remedy(path)
    ] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "rubric: x\ncriteria:\n  a: {question: [\n",
            "line 4: found the end of the file where a value should stand",
        ),
        ("rubric: x\ncriteria: a: b\n", "line 2: found a colon in a wrong place"),
        ("rubric: 'x\n", "line 2: found a quote that is never closed"),
        ("rubric: x\ncriteria\nmore: 1\n", "line 3: found a line without its colon"),
        ("rubric: x\nrubric: y\n", 'line 2: found the key "rubric" twice'),
        ("rubric: x\n\tcriteria: 1\n", "line 2: found a tab at the beginning of a line"),
        (
            "rubric: x\ncriteria:\n  - a\n  b: c\n",
            "line 4: found a key where the end of the block should stand",
        ),
    ],
)
def test_broken_yaml_is_told_in_words(text: str, found: str) -> None:
    with pytest.raises(RubricError) as error:
        read_rubric(text, where="broken.yaml")
    assert str(error.value).startswith(f"broken.yaml, {found}, expected valid YAML. ")


@pytest.mark.parametrize(
    ("parts", "line", "name"),
    [
        ("parts: &p [language, *p]", 5, "p"),
        ("parts: &p {language: *p}", 5, "p"),
        ("parts: &p\n      language: [a, {b: *p}]", 6, "p"),
        ("parts: *c", 5, "c"),
        ("<<: *c", 5, "c"),  # a merge that no parser would end
    ],
)
def test_parts_that_hold_themselves_are_refused_with_a_sentence(
    parts: str, line: int, name: str
) -> None:
    with pytest.raises(RubricError) as error:
        read_rubric(
            f"rubric: r\ncriteria:\n  c: &c\n    question: Clear?\n    {parts}\n", where="r.yaml"
        )
    assert str(error.value) == (
        f"r.yaml, line {line}: found the alias *{name} inside what &{name} names, expected parts that do not contain themselves. "
        "Write out what should stand there in place of the alias."
    )


def test_a_scale_that_two_criteria_share_is_no_loop() -> None:
    found = read_rubric(
        "rubric: r\ncriteria:\n  a: {question: A?, scale: &s [bad, good]}\n  b: {question: B?, scale: *s}\n"
    )
    assert [criterion.scale.labels for criterion in found.criteria] == [("bad", "good")] * 2
