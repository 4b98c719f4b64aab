"""A workspace in a notebook: its tables and figures as pandas frames, import, grading and export.

Comes in: the path of a workspace, frames of answers.
Goes out: frames whose columns `tables.TABLES` describes; files.
Stands on: the use cases; nothing stands on it.
"""

__all__ = ["project", "tables", "workspace"]
