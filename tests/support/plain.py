"""Records as JSON shows them."""

from __future__ import annotations

import json
from typing import Any

from graders.core.shapes import writable


def plain(record: Any) -> Any:
    """What a record looks like once it was written as JSON and read again."""
    return json.loads(json.dumps(record, default=writable))
