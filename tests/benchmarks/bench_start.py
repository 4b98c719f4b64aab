"""How fast the program starts."""
