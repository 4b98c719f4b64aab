"""Models that make vectors, and where they are kept."""

__all__ = ["encoders"]
