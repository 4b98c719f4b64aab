"""The files that take longest begin first, so that no worker is left alone with one of them at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

SLOWEST = (
    "faults/test_killed.py",
    "browser/test_whole_job.py",
    "browser/test_lead_sizes.py",
    "browser/test_run_page.py",
    "browser/test_projects_page.py",
    "browser/test_agreement_figures.py",
    "browser/test_desk_saving.py",
    "commands/test_benchmark.py",
    "web/test_key.py",
    "web/test_app.py",
    "rules/test_all_rules.py",
    "rules/test_measured_faults.py",
    "commands/test_collect.py",
    "test_readme.py",
    "test_face.py",
    "metrics/test_encoders.py",
    "workflows/test_agree_public_data.py",
    "plugins/test_pages_and_commands.py",
)
ROOT = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files in the order of SLOWEST, all others after them."""
    place = {ROOT / name: n for n, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: place.get(item.path, len(SLOWEST)))
