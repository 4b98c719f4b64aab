"""That the demo makes its point."""
