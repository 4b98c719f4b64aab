"""Faults that a judge is asked about: one file, one fault; the file name is the name."""
