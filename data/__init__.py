"""Data that ship with Cograde: the demo project, and sets for benchmarks."""
