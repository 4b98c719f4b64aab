"""Cograde: people and AI grade the answers of language models together."""
