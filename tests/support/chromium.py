"""Finds Chromium: the variable CHROMIUM, the PATH, else apt as root. Prints its path; `--install`
installs it where it can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "Chromium was not found: install it (Debian: apt-get install chromium), or set the variable CHROMIUM to its path."
#: Newer Chromiums draw the suggestions below the address line as pages, made for every window
#: beforehand: a third of what a new window costs. The other names are Playwright's, since Chromium
#: heeds only the last list that it is given.
FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
#: Without these Chromium looks up hosts outside at every start.
ARGUMENTS = (
    f"--disable-features={','.join(FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str:
    """The path of Chromium, or an empty text."""
    named = os.environ.get("CHROMIUM", "")
    if named and shutil.which(named):
        return shutil.which(named) or ""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def install() -> None:
    """Install Debian's Chromium and fonts for Chinese and Japanese, as root and where apt is
    there."""
    if find() or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, stdout=nowhere, check=False)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-cjk"],
            env=quiet,
            stdout=nowhere,
            check=False,
        )


if __name__ == "__main__":
    if "--install" in sys.argv:
        install()
        if not find():
            print(HOW, file=sys.stderr)
    else:
        print(find())
