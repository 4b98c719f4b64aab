"""What judges and people lean towards: bias, confidence, anchoring, seeded faults.

Comes in: opinions, orders, copies with a known fault.
Goes out: figures of each judge, in words.
Stands on: agreement, calling, cells, importing, measuring, opinions, promise, routing, runs,
scope.
"""

__all__ = ["anchoring", "author_texts", "diagnose", "judge_report", "seeded_faults"]
