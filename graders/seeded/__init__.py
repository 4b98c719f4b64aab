"""Faults that code puts into copies of answers: one file is one fault."""
