"""Starts the web app; also the entry point of a Hugging Face Space."""

from __future__ import annotations

import sys

from graders.__main__ import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
