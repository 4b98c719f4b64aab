"""What all parts of registries share: what a class must define, its options, and its words."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar

from graders.core._kinds import wrong_kind
from graders.core.errors import ContractError
from graders.core.words import error_parts, text_of_part


class Part(abc.ABC):
    """Base of all parts. `needs` names the class attributes and methods that a concrete class must
    define."""

    needs: ClassVar[tuple[str, ...]] = ("version", "about")
    #: The class attributes that people read: `said` says them in their language.
    texts: ClassVar[tuple[str, ...]] = ()
    kind: ClassVar[str] = "part"
    #: Set by discovery to the file name: the folder is the registry, the file name is the name.
    name: ClassVar[str] = ""
    #: The registry in which discovery found it, such as ``rules``.
    folder: ClassVar[str] = ""
    version: ClassVar[str]
    about: ClassVar[str]

    def __init_subclass__(cls, abstract: bool = False, **more: Any) -> None:
        super().__init_subclass__(**more)
        if abstract:
            return
        missing = [
            need
            for need in cls.needs
            if not hasattr(cls, need) or getattr(getattr(cls, need), "__isabstractmethod__", False)
        ]
        if missing:
            raise ContractError(
                **error_parts(
                    "core.contracts.fields",
                    kind=cls.kind,
                    name=cls.__name__,
                    module=cls.__module__,
                    missing=", no ".join(missing),
                    needed=", ".join(cls.needs),
                    first=missing[0],
                )
            )
        wrong = wrong_kind(cls, cls.needs)
        if wrong is not None:
            raise ContractError(
                **error_parts(
                    "core.contracts.field",
                    kind=cls.kind,
                    name=cls.__name__,
                    module=cls.__module__,
                    found=wrong[0],
                    expected=wrong[1],
                )
            )

    @classmethod
    def said(cls, text: str) -> str:
        """One of `texts` in the language of this process; in the part's own words where that has
        none. What is stored or sent to a model takes the attribute itself."""
        return text_of_part(cls.folder, cls.name, text, getattr(cls, text))

    def options(self) -> dict[str, Any]:
        """The values of all fields, as a rubric would write them."""
        return (
            {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
            if dataclasses.is_dataclass(self)
            else {}
        )
