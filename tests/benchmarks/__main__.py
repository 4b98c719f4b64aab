"""Runs the benches and prints one table."""
