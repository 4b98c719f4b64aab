"""What the address of a page asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import parse_qsl, urlencode


class View(Mapping[str, Sequence[str]]):
    """The parameters of an address, each with its values; one that is not there is empty."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = {name: tuple(given) for name, given in values.items() if any(given)}

    @classmethod
    def of(cls, address: object) -> View:
        """The view of ``?project=study&category=sea&category=sky``."""
        values: dict[str, list[str]] = {}
        text = address if isinstance(address, str) else ""
        for name, value in parse_qsl(text.partition("?")[2]):
            values.setdefault(name, []).append(value)
        return cls(values)

    def __getitem__(self, name: str) -> Sequence[str]:
        return self._values.get(name, ())

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def one(self, name: str) -> str:
        """The last value of a parameter; empty where there is none."""
        return self._values.get(name, ("",))[-1]

    def number(self, name: str, otherwise: int = 1) -> int:
        """A parameter as a whole number; `otherwise` where it is none."""
        text = self.one(name)
        return int(text) if text.isdecimal() and len(text) < 10 else otherwise

    def some(self, *names: str) -> dict[str, str]:
        """Name -> value of those parameters that are there."""
        return {name: self.one(name) for name in names if name in self}

    def with_(self, **changes: object) -> View:
        """The view with other values; an empty one takes its parameter out."""
        given = {
            name: tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
            for name, value in changes.items()
        }
        kept = {name: values for name, values in self._values.items() if name not in given}
        return View({**kept, **{name: v for name, v in given.items() if v not in ((), ("",))}})

    def only(self, *names: str) -> View:
        """The view with these parameters alone."""
        return View({name: self[name] for name in names})

    def to(self, **changes: object) -> str:
        """The address of the view with other values, from its question mark on: one for each view,
        the project in front."""
        changed = self.with_(**changes) if changes else self
        names = sorted(changed, key=lambda name: (name != "project", name))
        return "?" + urlencode([(name, v) for name in names for v in changed[name]])
