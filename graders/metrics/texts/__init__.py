"""What metrics share about texts: tokens, code, pairs of answer and reference."""

__all__ = ["code", "overlap", "pairs", "python", "sacrebleu", "tokens"]
