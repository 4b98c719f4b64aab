"""Which models are asked for answers, and how each is reached: from words of a command line, or
from a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core import discovery, provider_names
from graders.core.errors import InputError, UsageError
from graders.core.words import error_parts, say
from graders.providers.http.addresses import check_typed
from graders.workflows.calling.asking import Source
from graders.workflows.calling.judge_setup import split_address
from graders.workflows.calling.run_options import NO_KEY
from graders.workflows.scope.header_lines import header_lines

#: What a model's table in a file may hold.
_KEYS = (
    "model",
    "base_url",
    "key_variable",
    "concurrency",
    "settings",
    "headers",
    "input_price",
    "output_price",
)


def concurrency_of(words: Sequence[str]) -> dict[str, int]:
    """Calls at once by provider, from words: ``8`` for all, ``ollama=2`` for one; of the
    others each provider says its own."""
    named: dict[str, int] = {}
    for word in words:
        kind, _, number = (part.strip() for part in word.rpartition("="))
        if kind and provider_names.provider_of(kind) not in discovery.names("providers"):
            raise UsageError(**error_parts("collecting.concurrency", found=repr(word)))
        if not number.isdecimal() or not int(number):
            raise UsageError(**error_parts("collecting.concurrency_number", found=repr(word)))
        named[kind] = int(number)
    return named


def source_of(words: str, limits: Mapping[str, int]) -> Source:
    """The model that ``[NAME=]PROVIDER:MODEL[@ADDRESS]`` means; its name is MODEL where none is
    given."""
    head, _, _ = words.partition(":")
    name, _, rest = words.partition("=") if "=" in head else ("", "", words)
    kind, _, model = rest.partition(":")
    return _made(name, kind, *split_address(model), limits)


def _made(name: str, kind: str, model: str, address: str, limits: Mapping[str, int]) -> Source:
    kind, model, name = kind.strip(), model.strip(), name.strip()
    provider = provider_names.provider_of(kind)
    if not model:
        raise UsageError(**error_parts("collecting.source.no_model", kind=kind))
    if provider not in discovery.names("providers"):
        known = ", ".join(named.word for named in provider_names.offered())
        raise UsageError(
            **error_parts("collecting.source.no_provider", kind=kind, model=model, names=known)
        )
    check_typed(address)
    options = {"base_url": address, "api_key": NO_KEY} if address else {}
    own: int = discovery.find("providers", provider).at_once
    at_once = limits.get(kind, limits.get("", own))
    return Source(
        name=name or model, provider=provider, model=model, options=options, concurrency=at_once
    )


def read_models(
    path: Path, environment: Mapping[str, str], limits: Mapping[str, int]
) -> list[Source]:
    """The models of a TOML file: a table per model, its name the one that the answers are kept
    under.

    Keys: ``model`` (PROVIDER:MODEL), ``base_url``, ``key_variable`` (the variable of `environment`
    that holds the key), ``concurrency``, ``settings`` (a table), ``headers`` (a table; $VARIABLE
    for a secret), ``input_price``, ``output_price`` (US dollars per million tokens).
    """
    try:
        found = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(
            **error_parts(
                "collecting.file.unreadable", path=str(path), found=error.strerror or str(error)
            )
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            **error_parts("collecting.file.no_toml", path=str(path), found=str(error))
        ) from error
    return [
        _of_table(f"{path.name}, [{name}]", name, table, environment, limits)
        for name, table in found.items()
    ]


def _of_table(
    where: str, name: str, table: Any, environment: Mapping[str, str], limits: Mapping[str, int]
) -> Source:
    if not isinstance(table, Mapping) or not isinstance(table.get("model"), str):
        raise InputError(**error_parts("collecting.file.no_model_key", where=where))
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise InputError(
            **error_parts(
                "collecting.file.unknown_key", where=where, key_=unknown[0], names=", ".join(_KEYS)
            )
        )
    for key, kind in (
        ("base_url", str),
        ("key_variable", str),
        ("settings", dict),
        ("headers", dict),
        ("concurrency", int),
    ):
        if key in table and (not isinstance(table[key], kind) or (kind is int and table[key] < 1)):
            raise InputError(
                **error_parts(
                    "collecting.file.wrong_value",
                    where=where,
                    name=key,
                    found=repr(table[key])[:60],
                    expected=say(f"collecting.kind.{kind.__name__}"),
                )
            )
    kind, _, model = table["model"].partition(":")
    made = _made(name, kind, model, table.get("base_url", ""), limits)
    options, variable = dict(made.options), table.get("key_variable", "")
    if variable:
        options["api_key"] = environment.get(variable, "").strip()
        if not options["api_key"]:
            raise InputError(
                **error_parts("collecting.file.no_variable", where=where, variable=variable)
            )
    if "headers" in table:
        options["headers"] = header_lines(
            where, "\n".join(f"{header}: {value}" for header, value in table["headers"].items())
        )
    for key in ("input_price", "output_price"):
        if key in table:
            if (
                isinstance(table[key], bool)
                or not isinstance(table[key], int | float)
                or table[key] < 0
            ):
                raise InputError(
                    **error_parts(
                        "collecting.file.price", where=where, name=key, found=repr(table[key])[:60]
                    )
                )
            options[key] = float(table[key])
    return Source(
        name=name,
        provider=made.provider,
        model=made.model,
        options=options,
        settings=dict(table.get("settings", {})),
        concurrency=table.get("concurrency", made.concurrency),
        key_from=variable,
    )


def all_different(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The models, each once. InputError for none, and for two of the same name."""
    if not sources:
        raise InputError(**error_parts("collecting.no_source"))
    known: dict[str, Source] = {}
    for source in sources:
        other = known.setdefault(source.name, source)
        if other != source:
            raise InputError(**error_parts("collecting.same_name", name=source.name))
    return tuple(known.values())
