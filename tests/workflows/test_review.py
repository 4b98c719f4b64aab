"""The review desk's workflow."""
