"""What the head of every page says of its project, and what a page is told while it is read."""

from __future__ import annotations

from dataclasses import dataclass

from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class ProjectHead:
    """A project's name, its title, and the notice that its pages show (empty for none)."""

    name: str
    title: str
    notice: str

    @classmethod
    def of(cls, project: Project) -> ProjectHead:
        """The head of a stored project."""
        return cls(project.name, project.title, project.notice)


@dataclass(frozen=True, slots=True)
class Reading:
    """How many criteria are read, of how many."""

    done: int
    of: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a page is told while criteria are read."""

    progress: Reading
    project: ProjectHead
