"""Settings of an installation: from `cograde.toml` and environment variables, read once when the
program starts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts

_LISTS = ("hosts", "proxies", "addresses")
#: Settings that cannot be empty: an empty `host` would listen at every address of the machine.
_FILLED = ("workspace", "data", "host")


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are and how the server answers.

    `project` is the one that pages open where none is named. `encoder`, `multilingual`,
    `bertscore_multilingual` name sentence-transformers models (folder or name); ``default`` means
    the ones that are installed with Cograde. `space` is set on a Hugging Face Space: every visitor
    then has an own workspace.

    `hosts` are names under which the server is reached beside loopback and `host`; `proxies` are
    addresses or networks of proxies whose forwarded headers are believed; `addresses` are servers
    of models that the owner's keys may go to, beside the providers' usual ones. `mcp` offers the
    functions for programs as tools to models.
    """

    workspace: Path = Path("cograde.db")
    project: str = ""
    host: str = "127.0.0.1"
    port: int = 7860
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    mcp: bool = False
    space: str = ""
    data: Path = Path("cograde-data")
    encoder: str = "default"
    multilingual: str = "default"
    bertscore_multilingual: str = ""

    def models(self) -> dict[str, str]:
        """The encoder settings, as workers get them."""
        return {
            "english": self.encoder,
            "multilingual": self.multilingual,
            "bertscore_multilingual": self.bertscore_multilingual,
        }


def read_settings(environment: Mapping[str, str], folder: Path) -> Settings:
    """Settings from `folder`/cograde.toml, overridden by COGRADE_* variables; GRADIO_SERVER_PORT
    and _NAME are honoured."""
    found: dict[str, Any] = {}
    path = folder / "cograde.toml"
    if path.is_file():
        try:
            found = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(**error_parts("core.settings.file", error=str(error))) from error
    unknown = sorted(set(found) - set(Settings.__dataclass_fields__))
    if unknown:
        raise InputError(
            **error_parts(
                "core.settings.key", name=unknown[0], names=", ".join(Settings.__dataclass_fields__)
            )
        )
    for name in found:
        if name not in (*_LISTS, "port", "mcp"):
            _check_words(name, found[name])
    for name in Settings.__dataclass_fields__:
        if value := environment.get(f"COGRADE_{name.upper()}"):
            found[name] = value
    for name in _LISTS:
        found[name] = _several(name, found.get(name, ()))
    found["mcp"] = _switch("mcp", found.get("mcp", False))
    space = environment.get("SPACE_ID", "")
    found.setdefault("space", space)
    if space:
        found["hosts"] += _several("hosts", environment.get("SPACE_HOST", ""))
        # a Space's container is reached from outside by its own proxy only
        found.setdefault("host", "0.0.0.0")
        if Path("/data").is_dir():
            found.setdefault("data", "/data/cograde")
    found["port"] = _port(environment.get("GRADIO_SERVER_PORT") or found.get("port", 7860))
    found["host"] = environment.get("GRADIO_SERVER_NAME") or found.get("host", "127.0.0.1")
    for name in ("workspace", "data"):
        if name in found:
            found[name] = Path(str(found[name])).expanduser()
    return Settings(**found)


def _check_words(name: str, value: Any) -> None:
    """InputError for a setting in cograde.toml that is not text."""
    if not isinstance(value, str) or (name in _FILLED and not value.strip()):
        raise InputError(**error_parts("core.settings.text", name=name, value=repr(value)[:80]))


def _several(name: str, value: Any) -> tuple[str, ...]:
    """Words with commas between them, or a list of words."""
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise InputError(**error_parts("core.settings.list", name=name, value=repr(value)[:80]))
    return tuple(word.strip() for word in words if word.strip())


def _switch(name: str, value: Any) -> bool:
    """True or false, or as variables say it: 1 or 0."""
    told = {"1": True, "true": True, "0": False, "false": False}.get(str(value).strip().lower())
    if told is None:
        raise InputError(**error_parts("core.settings.switch", name=name, value=repr(value)[:80]))
    return told


def _port(value: Any) -> int:
    try:
        port = int(value) if isinstance(value, int | str) and value is not True else -1
    except ValueError:
        port = -1
    if not 0 < port < 65536:
        raise InputError(**error_parts("core.settings.port", value=repr(value)))
    return port
