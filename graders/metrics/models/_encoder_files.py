"""Model files on this machine: where they lie, whether they are the ones that were tried, what the
processor can do."""

from __future__ import annotations

import hashlib
import os
from importlib.util import find_spec
from pathlib import Path

from graders.core.errors import InputError
from graders.core.words import error_parts, say

#: SHA-256 of the model files that the installed packages must bring.
MINILM = {"model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"}
MINILM |= {"tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"}
UNIVERSAL = {"weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"}
UNIVERSAL |= {"sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"}


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def best_dtype(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """``bfloat16`` where the processor computes in it, else ``float32``. Reads no library, so
    asking costs nothing."""
    try:
        flags = cpuinfo.read_text("utf-8", "replace")
    except OSError:
        return "float32"
    return "bfloat16" if "avx512_bf16" in flags or "amx_bf16" in flags else "float32"


def file_hash(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(folder: Path, hashes: dict[str, str]) -> None:
    """InputError unless every file in `folder` has its hash."""
    for name, expected in hashes.items():
        path = folder / name
        found = file_hash(path) if path.is_file() else say("metrics.no_file")
        if found != expected:
            raise InputError(
                **error_parts("metrics.changed_file", path=path, found=found, expected=expected)
            )


def package_folder(package: str, distribution: str) -> Path:
    """Folder of an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise InputError(**error_parts("metrics.no_package", distribution=distribution))
    return Path(spec.origin).parent
