"""Imported labels that test: which half of them does, by a coin for each question.

Labels that a lead states to be blind, and of answers chosen at random, are split by question: one
half is learned from, the other is kept where no figure sees it until terms and order are fixed. By
question, because the answers to one are alike: what is learned from one answer would tell of the
next. Where all answers are labelled nothing is left to prove, so that no half is kept.
"""

from __future__ import annotations

from graders.core.hashing import seeded
from graders.core.rubric import Criterion
from graders.store.projects import Project
from graders.workflows.cells.measured import measured
from graders.workflows.cells.state import FAULTS

#: The share of questions whose labels test.
HALF = 0.5


def in_test_half(project: Project, question: str) -> bool:
    """Whether the coin gives the labels of a question, by its id, to the test."""
    return seeded(project.seed, "test half", question) < HALF


def can_test(criterion: Criterion) -> bool:
    """Whether labels on a criterion test anything: not on faults, nor on what rules measure."""
    return criterion.rubric != FAULTS.name and not measured(criterion)
