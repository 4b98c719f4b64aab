"""What the rules of a set's first run flagged, by fault and language, made again from the history.

The first runs of sets 1 to 4 kept no flags. The rules of each are in the history, known by the hash
that the run kept, so they are exported and run on the set once more; the figures must be those of
the first run. A run made today keeps its flags by itself.

    python -m tests.benchmarks.first_run_flags tests/rules/open_cases/1
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: Run in the exported tree, whose rules it finds, with the cases and the counting of today.
PROGRAM = """
import importlib.util, json, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("unseen", sys.argv[1])
unseen = importlib.util.module_from_spec(spec)
sys.modules["unseen"] = unseen
spec.loader.exec_module(unseen)
measured = set(unseen.MEASURED)
if sys.argv[3:]:
    unseen.MEASURED.clear()
named = unseen.named(unseen.load(Path(sys.argv[2])))
flags = {fault: row for fault, row in unseen.flags(named).items() if fault not in measured}
print(json.dumps({"figures": unseen.figures(unseen.count(named)), "flags": flags}))
"""


def git(*arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, check=True
    ).stdout


def commit_of(rules: str) -> str:
    """The newest commit whose rules have this hash."""
    blobs: dict[str, bytes] = {}
    for commit in git("log", "--format=%H", "--", "graders/rules", "graders/core").split():
        whole = hashlib.sha256()
        for path, blob in _files(commit.decode()):
            if blob not in blobs:
                blobs[blob] = git("cat-file", "blob", blob)
            whole.update(f"{path.relative_to('graders')}\n".encode() + blobs[blob])
        if whole.hexdigest()[:16] == rules:
            return commit.decode()
    raise ValueError(f"no commit has the rules {rules}")


def _files(commit: str) -> Iterator[tuple[Path, str]]:
    listed = git("ls-tree", "-r", commit, "graders/rules", "graders/core").decode().splitlines()
    rows = [(Path(path), meta.split()[2]) for meta, path in (line.split("\t") for line in listed)]
    for room in ("rules", "core"):
        yield from sorted(
            (path, blob) for path, blob in rows if path.parts[1] == room and path.suffix == ".py"
        )


def main(folder: Path) -> None:
    """Adds the flags to what the first run of the folder's set kept."""
    place = folder / "first_run.json"
    runs = json.loads(place.read_text("utf-8"))
    kept = {key: runs[0][key] for key in ("languages", "faults")}
    commit = commit_of(runs[0]["rules"])
    with tempfile.TemporaryDirectory() as tree:
        with tarfile.open(fileobj=BytesIO(git("archive", commit, "graders"))) as packed:
            packed.extractall(tree, filter="data")
        # The first run of all took too long an answer for a flag, later ones do not.
        made = next(
            (
                made
                for more in ((), ("measured",))
                if (made := _again(Path(tree), folder, *more))["figures"] == kept
            ),
            None,
        )
    if made is None:
        raise SystemExit(f"{folder}: commit {commit} does not give the figures of the first run.")
    runs[0]["flags"] = made["flags"]
    place.write_text(json.dumps(runs, indent=1) + "\n", "utf-8")


def _again(tree: Path, folder: Path, *more: str) -> dict[str, Any]:
    unseen = str(ROOT / "tests" / "rules" / "unseen.py")
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM, unseen, str(folder.resolve()), *more],
        cwd=tree,
        capture_output=True,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(said.stdout)
    return found


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(Path(name))
