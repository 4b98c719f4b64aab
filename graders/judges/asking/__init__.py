"""What judges share: prompts, layouts, schemas, and the strict reading of replies."""

__all__ = [
    "by_criterion",
    "centre",
    "claims",
    "confidence",
    "corrections",
    "detail",
    "elements",
    "layout",
    "model",
    "once_more",
    "orders",
    "plain",
    "prompts",
    "reading",
    "schema",
    "sentence",
    "single",
    "templates",
    "window",
]
