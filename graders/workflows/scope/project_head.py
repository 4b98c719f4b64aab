"""The project as the head of a page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class ProjectHead:
    """A project's `name`, its `title` for people (may be empty), and the `notice` that stands on
    its pages (may be empty)."""

    name: str
    title: str
    notice: str


def head_of(project: Project) -> ProjectHead:
    """The head of a project's pages."""
    return ProjectHead(project.name, project.title, project.notice)
