"""What rules share about numbers: equations, quantities, comparisons."""

__all__ = [
    "arithmetic",
    "calculations",
    "conversions",
    "equations",
    "tokens",
    "units",
    "worded_comparison",
]
