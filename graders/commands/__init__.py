"""One file = one command."""

from graders.commands._shell import run

__all__ = ["run"]
