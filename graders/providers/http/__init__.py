"""What providers share: the HTTP client, addresses that may be reached, failures, limits,
prices."""

__all__ = [
    "addresses",
    "batches",
    "client",
    "connected",
    "failures",
    "families",
    "headers",
    "one_address",
    "reading",
    "stream",
]
