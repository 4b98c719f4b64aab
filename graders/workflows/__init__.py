"""Use cases: the only place where graders, store, importers and statistics meet. One file per use
case."""
