"""Lint, format and type-check what runs in the browser: ``python -m tests.scripts``.

``--write`` formats and mends what can be mended; ``--install`` only makes the tools ready. Node comes from the Python index
(requirements-dev.txt), Biome and TypeScript from a locked install beside the environment, made anew
when package-lock.json has changed. Where npm's index is out of reach there is nothing to check
with: a line says SKIPPED and why, which `.ci/skipped` takes for a failure.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.scripts import tools


def main(write: bool) -> int:
    """Run every check and print what is wrong; 0 where nothing is."""
    folder = tools.install()
    if isinstance(folder, str):
        print(f"SKIPPED [1] tests/scripts/package-lock.json: {folder}", flush=True)
        return 0
    worst = 0
    for command in commands(folder, write):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout + done.stderr, flush=True)
        worst = max(worst, done.returncode)
    return worst


def commands(folder: Path, write: bool = False) -> list[list[str]]:
    """What is run, one after the other; `folder` is what `tools.install` made."""
    rest = [str(one) for one in tools.strict()]
    loose = [str(one) for one in tools.loose()]
    style = [f"--skip={rule}" for rule in tools.STYLE]
    mend = ["--write"] if write else []
    node, biome = tools.node(), str(folder / "node_modules/@biomejs/biome/bin/biome")
    tsc = str(folder / "node_modules/typescript/bin/tsc")
    config = f"--config-path={tools.HERE / 'biome.json'}"
    return [
        [node, biome, "format", config, *mend, str(tools.ASSETS), str(tools.TESTS)],
        [node, biome, "lint", config, "--error-on-warnings", *mend, *rest],
        [node, biome, "lint", config, "--error-on-warnings", *mend, *style, *loose],
        [node, tsc, "--project", str(tools.HERE / "tsconfig.json")],
        [node, tsc, "--project", str(tools.HERE / "tsconfig.loose.json")],
    ]


if __name__ == "__main__":
    if "--install" in sys.argv:
        tools.install()
    else:
        sys.exit(main("--write" in sys.argv))
