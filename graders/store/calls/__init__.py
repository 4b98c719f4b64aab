"""Runs, the ledger of calls, batches.

Comes in: calls noted before they are sent.
Goes out: replies that are never bought again.
Stands on: answers.
"""

__all__ = ["batches", "ledger", "runs"]
