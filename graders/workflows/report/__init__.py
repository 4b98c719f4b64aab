"""One document to hand on, and exports of a project.

Comes in: what the pages show, narrowed down as asked.
Goes out: HTML, Markdown and workbooks, tables and the exchange format, rows as records.
Stands on: adjudication, agreement, benchmarks, cells, diagnostics, importing, leaderboard,
opinions, promise, projects, results, routing, scope.
"""

__all__ = ["columns", "export", "export_whole", "report", "rows", "scope"]
