"""What a build must pass: a skipped test of what runs in the browser is a failure, unless it is one
on optional data."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

CI = Path(__file__).parents[1] / ".ci"
DATA = "SKIPPED [2] tests/browser/test_whole_job.py:20: the optional data folder is not here\n"
NO_BROWSER = "SKIPPED [1] tests/browser/test_desk_page.py:12: no Chromium\n"
ELSEWHERE = "SKIPPED [1] tests/workflows/agreement/test_agree_public_data.py:9: no public data\n"
NO_NPM = (
    "SKIPPED [1] tests/scripts/package-lock.json: npm could not install Biome, TypeScript and axe\n"
)
NO_NODE = "SKIPPED [5] tests/web/assets/test_scripts.py:31: Node is not installed\n"
PASSED = "===== 90 passed in 80.1s =====\n"


@pytest.mark.parametrize(
    ("log", "code"),
    [
        (PASSED, 0),
        (DATA + ELSEWHERE + PASSED, 0),
        (NO_BROWSER + PASSED, 1),
        (DATA + NO_BROWSER + PASSED, 1),
        (NO_NPM + PASSED, 1),
        (NO_NODE + PASSED, 1),
    ],
)
def test_a_skipped_test_of_what_runs_in_the_browser_fails_the_build(
    log: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "log").write_text(log)
    done = subprocess.run([CI / "skipped", tmp_path / "log"], capture_output=True, text=True)
    assert done.returncode == code
    reasons = ("no Chromium", "npm could not", "Node is not")
    assert any(reason in done.stderr for reason in reasons) == bool(code)


def test_the_build_checks_the_log_of_its_own_tests() -> None:
    lines = (CI / "run").read_text().splitlines()
    assert lines[-2:] == ['make test 2>&1 | tee "$log"', '.ci/skipped "$log"']
