"""The confidence level of intervals where no other is asked for."""

#: 95 %, the level of nearly all intervals in print.
LEVEL = 0.95
