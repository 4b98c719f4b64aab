"""Settings of an installation: from `cograde.toml` and environment variables, read once by whoever starts the program."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.errors import InputError
from graders.core.hosts import Network, host_names, networks

#: On a Space these stand for the Hub's proxy. Its address is nowhere promised, but it is always a private one, and a Space's container is
#: reached through it alone: whoever comes from the internet cannot come from a private address. Should a neighbour in the Hub's own
#: network reach the container all the same, it gains another address in the eyes of the limits on visitors, and nothing else: the name
#: that it asks for is checked as everybody's is.
HUB_PROXIES = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are and how the server answers.

    `project` is the one that pages open where none is named. `encoder`, `multilingual`, `bertscore_multilingual` name
    sentence-transformers models (folder or name); ``default`` means the ones that are installed with Cograde. `space` is set on
    a Hugging Face Space: every visitor then has an own workspace. `hosts` are names under which the app may be asked for besides this
    machine's own and `host`; `proxies` are networks whose X-Forwarded headers are believed.
    """

    workspace: Path = Path("cograde.db")
    project: str = ""
    host: str = "127.0.0.1"
    port: int = 7860
    space: str = ""
    data: Path = Path("cograde-data")
    encoder: str = "default"
    multilingual: str = "default"
    bertscore_multilingual: str = ""
    hosts: tuple[str, ...] = ()
    proxies: tuple[Network, ...] = ()

    def models(self) -> dict[str, str]:
        """The encoder settings, as workers get them."""
        return {"english": self.encoder, "multilingual": self.multilingual, "bertscore_multilingual": self.bertscore_multilingual}


def read_settings(environment: Mapping[str, str], folder: Path) -> Settings:
    """Settings from `folder`/cograde.toml, overridden by COGRADE_* variables; GRADIO_SERVER_PORT and _NAME are honoured."""
    found: dict[str, Any] = {}
    path = folder / "cograde.toml"
    if path.is_file():
        try:
            found = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(
                "cograde.toml", found=str(error), expected="valid TOML in UTF-8", remedy="Correct the file there, and save it as UTF-8."
            ) from error
    unknown = sorted(set(found) - set(Settings.__dataclass_fields__))
    if unknown:
        raise InputError(
            "cograde.toml",
            found=f"the key {unknown[0]!r}",
            expected="one of " + ", ".join(Settings.__dataclass_fields__),
            remedy="Remove the key, or correct its spelling.",
        )
    for name in Settings.__dataclass_fields__:
        if value := environment.get(f"COGRADE_{name.upper()}"):
            found[name] = value
    space = environment.get("SPACE_ID", "")
    found.setdefault("space", space)
    if space:
        found.setdefault("host", "0.0.0.0")  # a Space's container is reached from outside by its own proxy only
        if Path("/data").is_dir():
            found.setdefault("data", "/data/cograde")
    found["port"] = _port(environment.get("GRADIO_SERVER_PORT") or found.get("port", 7860))
    found["host"] = environment.get("GRADIO_SERVER_NAME") or found.get("host", "127.0.0.1")
    # With a domain of its own a Space has several names, with commas between them.
    found["hosts"] = host_names("hosts", found.get("hosts", "")) + host_names("hosts", environment.get("SPACE_HOST", "") if space else "")
    found["proxies"] = networks("proxies", found.get("proxies", HUB_PROXIES if space else ""))
    for name in ("workspace", "data"):
        if name in found:
            found[name] = Path(str(found[name])).expanduser()
    return Settings(**found)


def _port(value: Any) -> int:
    try:
        port = int(value)
    except (TypeError, ValueError):
        port = -1
    if not 0 < port < 65536:
        raise InputError(
            "setting port",
            found=repr(value),
            expected="a number from 1 to 65535",
            remedy="Correct GRADIO_SERVER_PORT, or port in cograde.toml.",
        )
    return port
