"""Changing a judge: try it on labelled answers, compare, keep or drop.

Comes in: a judge and a change of it.
Goes out: figures before and after, on questions that were held out.
Stands on: agreement, calling, runs, scope.
"""

__all__ = ["figures", "held_out", "kept", "tries", "workshop"]
