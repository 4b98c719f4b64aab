"""The only place that spends money: plans, the ledger, limits, batches and replies.

Comes in: requests of judges, options of a run, keys.
Goes out: replies kept in the ledger, verdicts recorded on cells.
Stands on: cells, measuring, scope.
"""

__all__ = [
    "asked_criteria",
    "asking",
    "batch_carrier",
    "call",
    "judge_setup",
    "judge_shares",
    "judging",
    "key_routes",
    "known_replies",
    "record_verdicts",
    "records",
    "run_options",
    "samples",
    "short_replies",
    "split_claims",
    "tried_answers",
]
