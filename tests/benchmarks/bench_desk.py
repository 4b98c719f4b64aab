"""Key to painted, save-and-next to painted."""
