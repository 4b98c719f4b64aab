"""What is wrong with a YAML text, in words that need no knowledge of parsers."""

from __future__ import annotations

import re

from ruamel.yaml import YAML
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from graders.core.errors import RubricError
from graders.core.words import error_parts, say

#: A rubric is a page or two: longer texts are something else.
LONGEST = 1_000_000
#: What stands inside one another, at most: of rubrics it is six.
DEEPEST = 60
MOST_ALIASES = 200
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*[\w-]")
#: Spaces, and the signs that begin a list or a key within a list on the same line.
_STEPS = re.compile(r"(?:[ ]|[-?](?=[ ]|$))*")

_THINGS = {
    "the node content": "value",
    "<block end>": "end_of_block",
    "<document start>": "start",
    "<stream end>": "end_of_file",
    "<block mapping start>": "key_and_colon",
    "<block sequence start>": "list",
    "<scalar>": "text",
    "?": "key",
}
_PROBLEMS = (
    (
        re.compile(r"expected (.+), but (?:found|got) (.+)"),
        lambda m: say("core.yaml.instead", thing=_thing(m[2]), missing=_thing(m[1])),
    ),
    (re.compile(r"mapping values are not allowed.*"), lambda m: say("core.yaml.colon")),
    (re.compile(r"could not find expected ':'"), lambda m: say("core.yaml.no_colon")),
    (
        re.compile(r"found duplicate key (\S+).*", re.DOTALL),
        lambda m: say("core.yaml.key_twice", name=m[1]),
    ),
    (re.compile(r"found character '\\t'.*"), lambda m: say("core.yaml.tab")),
    (re.compile(r"found unexpected end of stream"), lambda m: say("core.yaml.quote")),
    (re.compile(r"found undefined alias (.+)"), lambda m: say("core.yaml.alias", name=m[1])),
    (re.compile(r"found (.+)", re.DOTALL), lambda m: m[1]),
)


def yaml_problem(text: str) -> str:
    """The complaint of a YAML parser as the thing that was found, such as ``the end of the file
    where a value should stand``."""
    for pattern, words in _PROBLEMS:
        match = pattern.fullmatch(text.strip())
        if match:
            return str(words(match))
    return f"broken YAML ({text.strip()})" if text.strip() else "broken YAML"


def loop_in(text: str) -> tuple[int, str] | None:
    """Line (from 1) and name of the first alias that stands inside what it stands for; None where
    nothing leads back to itself.

    Told from the events of the parser, before anything is built: a loop would never end there.
    Raises the parser's errors.
    """
    if "*" not in text or "&" not in text:
        return None
    around: list[str | None] = []
    for event in YAML(typ="rt").parse(text):
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            around.append(event.anchor)
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            around.pop()
        elif isinstance(event, AliasEvent) and event.anchor in around:
            return event.start_mark.line + 1, str(event.anchor)
    return None


def need_bounds(text: str, where: str) -> None:
    """Raise RubricError for a text that no parser should be given: too long, too deep, or of too
    many aliases.

    Parsers call themselves for everything that stands inside something else, and end in an error of
    their own or hold up everybody. Brackets are counted wherever they stand, in texts too: a
    hundred open ones are no prose either.
    """
    found = too_much(text)
    if found is not None:
        line, much, most = found
        remedy = say("core.yaml.shorten")
        raise RubricError(
            **error_parts(
                "core.yaml.too_much", where=where, line=line, much=much, most=most, remedy=remedy
            )
        )


def too_much(text: str) -> tuple[int, str, str] | None:
    """(line from 1, what was found, what is expected) of the first bound that a text breaks."""
    if len(text) > LONGEST:
        return 1, f"{len(text):,} characters", f"at most {LONGEST:,}"
    if len(_ALIAS.findall(text)) > MOST_ALIASES:
        return 1, say("core.yaml.aliases", most=MOST_ALIASES), say("core.yaml.without_aliases")
    brackets, indents = 0, [0]
    for number, line in enumerate(text.splitlines(), 1):
        steps = _STEPS.match(line)
        indent = len(steps[0]) if steps else 0
        if line.strip():
            while indents[-1] > indent:
                indents.pop()
            indents += [indent] if indent > indents[-1] else []
        inline = line[:indent].count("-") + line[:indent].count("?")
        for sign in line if "[" in line or "{" in line or brackets else "":
            brackets = (
                brackets + 1 if sign in "[{" else max(0, brackets - 1) if sign in "]}" else brackets
            )
            if brackets > DEEPEST:
                return (
                    number,
                    say("core.yaml.brackets", most=DEEPEST),
                    f"at most {DEEPEST}",
                )
        if len(indents) + inline > DEEPEST:
            return number, say("core.yaml.levels", most=DEEPEST), f"at most {DEEPEST}"
    return None


def _thing(name: str) -> str:
    bare = name.strip().strip("'")
    thing = _THINGS.get(bare)
    return name.strip() if thing is None else say(f"core.yaml.thing.{thing}")
