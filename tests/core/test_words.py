"""The catalogue of words: places, plural forms, languages, and keys that are used and there."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from graders.core import discovery
from graders.core.errors import InputError
from graders.core.rubric import read_rubric
from graders.core.words import ENGLISH, ERROR_PARTS, WORDS, Catalogue, carried, error_parts, say
from graders.workflows.scope.named_rubrics import bundled_rubrics

ROOT = Path(__file__).parents[2]
#: Calls whose first argument is a key.
SPOKEN = ("say", "catalogue().text", "error_parts", "row_parts")
#: Those that take the parts below a key.
PARTED = ("error_parts", "row_parts")
#: Calls whose texts are no sentences of the code's own: keys, words that a part carries, units,
#: types and regular expressions.
QUIET = {*SPOKEN, "carried", "several", "cast"} | {
    f"re.{name}" for name in ("compile", "sub", "match", "search", "fullmatch", "findall")
}
#: Folders whose sentences are the catalogue's. What rules look for is data of their own, and the
#: store speaks SQL.
SAYING = (
    "workflows",
    "commands",
    "judges",
    "providers",
    "metrics",
    "exporters",
    "importers",
    "columns",
    "notebook",
    "faults",
    "seeded",
    "statistics",
)
#: The words of headers and values in many languages, by which columns are guessed.
HEADERS = ROOT / "graders/importers/tables/words.py"
#: Class attributes of parts that hold examples.
EXAMPLES = {"present", "absent", "missed"}
SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|DROP|ALTER|PRAGMA|AND|OR|FROM|WHERE|JOIN|ORDER)\b"
)
#: Texts of three words and more that stand in the code because they are data: why -> how they
#: begin.
DATA = {
    "a code that is stored, or that scripts and exports compare": (
        "BY YOUR RULE",
        "a fault was found",
        "cannot be told",
        "no difference shown",
        "syntax_error: a character that no source",
        "judge against metric ({} in",
        "matter of taste",
        "no fault found",
        "no usable verdict",
        "not asked for",
        "not routed yet",
        "outside the promise",
        "the answer is read anyway",
    ),
    "logged with a draw, and never changed": (
        "labels inside the region that is tested, then shell by shell",
        "simple random sample of answers",
        "each answer by its own number",
        "labels from a file take the place of answers that no person was given",
        "blind labels of random answers from a file, of questions that a coin chose",
        "from the permutation's end, answers that no person was given",
    ),
    "the key of a unit, and its plural as a page gets it": ("answer or pair", "answers and pairs"),
    "a rubric, or what errors call it": ("\nrubric: faults", "built-in rubric faults"),
    "words of scales, to be recognised": ("\nterrible|awful|very bad",),
    "how an error names its place, to be replaced by the option as it is typed": (
        "budget in money",
    ),
    "what a model is told: in English on every page, since the key of a stored reply rests on it": (
        "Split the text into claims that can each",
        "Somebody asks a chat assistant the question below.",
        "An earlier reply to this gave words as evidence",
        "numbered entry of the list {} below",
        "of required elements",
        "For {names}, evidence is not copied",
    ),
    "a name in a file: a later update or import finds it by it": (
        "Whose own texts",
        "Models' mean on the same questions",
        "Cost in US dollars",
        "Verdicts without a known price",
        "calls without a verdict",
        "What Cograde wrote, so that only what people change",
        "category of the folder",
        "name of the folder",
    ),
    "words that a seeded fault puts in or looks for, or that mean yes or no": (
        " (see note 7 below)",
        r"\b(is|are|was|were|has|have|can|will",
        "idea clue opinion comment answer",
    ),
    "XML": ("<?xml version", '<c r="{}"'),
    "a command line to type": (
        " --set persona=... --plan",
        "adjudicate list --settled",
        "adjudicate show CELL",
        "cograde check --mend",
        "cograde report --project",
        "collect --model PROVIDER:MODEL",
        "export --output results.zip",
        "gold mark CELL --for check",
        "imports take-back {}",
        "grade --plan --judge PROVIDER:MODEL",
        "sheet read {}",
        "workshop try {}",
    ),
}


def spoken(folder: Path, language: str, name: str, words: dict[str, str]) -> None:
    (folder / language).mkdir(parents=True, exist_ok=True)
    (folder / language / f"{name}.json").write_text(json.dumps(words), "utf-8")


@pytest.mark.parametrize(
    ("language", "n", "text"),
    [
        ("en", 0, "0 cells"),
        ("en", 1, "1 cell"),
        ("en", 1425, "1,425 cells"),
        ("pl", 1, "1 komórka"),
        ("pl", 22, "22 komórki"),
        ("pl", 5, "5 komórek"),
        ("pl", 112, "112 komórek"),
    ],
)
def test_a_number_chooses_the_plural_form_of_the_language(
    tmp_path: Path, language: str, n: int, text: str
) -> None:
    spoken(tmp_path, "en", "x", {"cell.one": "{n} cell", "cell.other": "{n:,} cells"})
    spoken(
        tmp_path,
        "pl",
        "x",
        {"cell.one": "{n} komórka", "cell.few": "{n} komórki", "cell.many": "{n} komórek"},
    )
    assert Catalogue(language, tmp_path).say("x.cell", n=n) == text


def test_what_a_language_lacks_is_said_in_english_with_english_forms(tmp_path: Path) -> None:
    spoken(tmp_path, "en", "x", {"a.one": "one {what}", "a.other": "{n} {what}s", "b": "plain"})
    spoken(tmp_path, "pl", "x", {"b": "zwykły"})
    polish = Catalogue("pl", tmp_path)
    assert polish.say("x.a", n=2, what="cell") == "2 cells"
    assert polish.say("x.b") == "zwykły"
    assert polish.say("x.nowhere") == "x.nowhere"
    assert polish.say("nowhere.at_all") == "nowhere.at_all"


def test_what_stands_in_a_place_is_no_template() -> None:
    assert say("desk.answer.name", letter="{letter.__class__} {n}") == (
        "Answer {letter.__class__} {n}"
    )


def test_a_part_carries_its_words_and_a_language_may_have_others(tmp_path: Path) -> None:
    own = carried(
        "part_of_a_test", {"short.one": "{n} word short", "short.other": "{n} words short"}
    )
    assert [own("short", n=n) for n in (1, 3)] == ["1 word short", "3 words short"]
    spoken(tmp_path, "de", "part_of_a_test", {"short.other": "{n} Wörter zu wenig"})
    assert Catalogue("de", tmp_path).say("part_of_a_test.short", n=3) == "3 Wörter zu wenig"
    # From outside, in a language that knows nothing of it.
    assert Catalogue("fr").say("part_of_a_test.short", n=1) == "1 word short"


def calls() -> Iterator[tuple[str, int, ast.Call]]:
    """Every `say(...)` of the product and of its templates: file, line, call."""
    for path in sorted((ROOT / "graders").rglob("*.py")):
        text = path.read_text("utf-8")
        if "core.words" not in text:
            continue
        tree = ast.parse(text)
        names = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "graders.core.words"
            for alias in node.names
            if alias.asname is None
        }
        own = next((f"{name}." for file, name, _ in carriers() if str(path).endswith(file)), "")
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if own and name == "say" and node.args:
                yield str(path.relative_to(ROOT)), node.lineno, prefixed(own, node)
            elif name in SPOKEN and name.partition("(")[0] in names:
                yield str(path.relative_to(ROOT)), node.lineno, node
    yield from calls_of_templates()


def calls_of_templates() -> Iterator[tuple[str, int, ast.Call]]:
    """Every `say(...)` of templates: those of reports and of pages."""
    for path in sorted([*(ROOT / "data").rglob("*.html"), *(ROOT / "graders").rglob("*.html")]):
        text = path.read_text("utf-8")
        for found in re.finditer(r"\bsay\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", text):
            # Jinja joins texts by ~, and its filters are no part of a key
            python = re.sub(
                r"^say\((['\"])([\w.]+)\1 ~ ([\w.]+|\([^()]*\))", r"say(f'\2{0}'", found[0]
            )
            call = ast.parse(python.replace("~", "+").replace("\n", " "), mode="eval").body
            assert isinstance(call, ast.Call)
            line = text.count("\n", 0, found.start()) + 1
            yield from ((str(path.relative_to(ROOT)), line, one) for one in either(call))


def either(call: ast.Call) -> list[ast.Call]:
    """A call for each of the keys that ``say("a" if ... else "b")`` chooses from."""
    key = call.args[0]
    if not isinstance(key, ast.IfExp):
        return [call]
    return [
        ast.Call(call.func, [one, *call.args[1:]], call.keywords) for one in (key.body, key.orelse)
    ]


def prefixed(own: str, call: ast.Call) -> ast.Call:
    """A call of a part's own `say` as one of the catalogue's."""
    key = call.args[0]
    if isinstance(key, ast.Constant):
        whole: ast.expr = ast.Constant(own + str(key.value))
    elif isinstance(key, ast.JoinedStr):
        whole = ast.JoinedStr([ast.Constant(own + (beginning(key) or "")), *key.values[1:]])
    else:
        whole = ast.JoinedStr([ast.Constant(own), ast.FormattedValue(key, -1)])
    return ast.Call(call.func, [whole, *call.args[1:]], call.keywords)


def english(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((WORDS / ENGLISH / f"{name}.json").read_text("utf-8"))
    return found


def all_words() -> dict[str, str]:
    """Every key with its text: those of the files, and those that parts of registries carry."""
    return {
        **{
            f"{file.stem}.{key}": text
            for file in sorted((WORDS / ENGLISH).glob("*.json"))
            for key, text in english(file.stem).items()
        },
        **{f"{name}.{key}": text for _, name, words in carriers() for key, text in words.items()},
        **texts_of_parts(),
    }


@cache
def texts_of_parts() -> dict[str, str]:
    """What parts say of themselves, as class attributes or at the head of a rubric's file:
    FOLDER.PART.ATTRIBUTE -> text."""
    found = {
        f"rubrics.{name}.about": read_rubric(path.read_text("utf-8"), path.name).about
        for name, path in bundled_rubrics().items()
    }
    for folder in discovery.FOLDERS:
        parts, failures = discovery.load_all(folder)
        assert failures == []
        for name, part in parts.items():
            for text in part.texts:
                if getattr(part, text, ""):
                    found[f"{folder}.{name}.{text}"] = getattr(part, text)
    return found


@cache
def carriers() -> list[tuple[str, str, dict[str, str]]]:
    """Files whose parts carry words: file, the part's name, key -> text. Words are a literal."""
    found = []
    for path in sorted((ROOT / "graders").rglob("*.py")):
        text = path.read_text("utf-8")
        if "import carried" not in text and ", carried" not in text:
            continue
        for node in ast.parse(text).body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and ast.unparse(node.value.func) == "carried"
            ):
                assert ast.unparse(node.targets[0]) == "say", f"{path}:{node.lineno}: call it say"
                name, words = (ast.literal_eval(given) for given in node.value.args)
                found.append((str(path.relative_to(ROOT)), name, words))
    return found


def forms_of(key: str, words: dict[str, str]) -> dict[str, str]:
    """The texts of a key: its own, or one for each plural form."""
    forms = ("zero", "one", "two", "few", "many", "other")
    names = [key, *(f"{key}.{form}" for form in forms)]
    return {name: words[name] for name in names if name in words}


def beginning(key: ast.expr) -> str | None:
    """The constant part with which a key begins; None where there is none."""
    if isinstance(key, ast.JoinedStr) and key.values and isinstance(key.values[0], ast.Constant):
        return str(key.values[0].value)
    return None


def parts_of() -> tuple[str, ...]:
    """What `error_parts` adds to a key."""
    return tuple(f".{part}" for part in ERROR_PARTS)


def test_an_error_takes_the_parts_that_the_catalogue_has() -> None:
    carried(
        "part_of_a_test",
        {
            "gone.where": "{what}",
            "gone.remedy.one": "Name it.",
            "gone.remedy.other": "Name {n} of them.",
            "half.found": "nothing",
        },
    )
    error = InputError(**error_parts("part_of_a_test.gone", what="model", n=2))
    assert str(error) == "model. Name 2 of them." and error.found == ""
    with pytest.raises(KeyError, match=r"half\.where"):
        error_parts("part_of_a_test.half")


def test_keys_that_are_said_are_there_and_get_their_places() -> None:
    words, wrong = all_words(), []
    for file, line, call in calls():
        key = call.args[0] if call.args else None
        given = {word.arg for word in call.keywords}
        if ast.unparse(call.func) == "catalogue().text":
            given.add(None)
        if isinstance(key, ast.Constant):
            parts = ("",) if ast.unparse(call.func) not in PARTED else parts_of()
            texts = {
                name: text
                for part in parts
                for name, text in forms_of(f"{key.value}{part}", words).items()
            }
            if not texts:
                wrong.append(f"{file}:{line}: no words for {key.value!r}")
            for text in texts.values():
                asked = {
                    name for _, name, _, _ in string.Formatter().parse(text) if name is not None
                }
                if None not in given and asked - given:
                    wrong.append(f"{file}:{line}: {key.value} asks for {sorted(asked - given)}")
        elif key is None or beginning(key) is None:
            wrong.append(f"{file}:{line}: a key must begin with a constant")
        elif not any(word.startswith(beginning(key) or "") for word in words):
            wrong.append(f"{file}:{line}: no words begin with {beginning(key)!r}")
    assert wrong == []


def test_words_are_said_somewhere() -> None:
    said, begun = set(), set()
    for _, _, call in calls():
        if isinstance(call.args[0], ast.Constant):
            said.add(str(call.args[0].value))
            if ast.unparse(call.func) in PARTED:
                said |= {f"{call.args[0].value}{part}" for part in parts_of()}
        elif (start := beginning(call.args[0])) is not None:
            begun.add(start)
    words = {key: text for key, text in all_words().items() if key not in texts_of_parts()}
    starts = tuple(begun)
    unused = [
        key
        for key in words
        if not key.startswith("desk.")  # said by scripts: tests/browser/test_desk_saving.py
        and not any(
            key in forms_of(name, {key: ""})
            for name in (key, key.rpartition(".")[0])
            if name in said
        )
        and not key.startswith(starts)
    ]
    assert unused == []


def test_counted_nouns_are_units() -> None:
    nouns = {key.rpartition(".")[0] for key in english("units")}
    for path in sorted((ROOT / "graders").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "several":
                noun = node.args[1]
                if isinstance(noun, ast.Constant):
                    assert noun.value in nouns, f"{path}:{node.lineno}: no unit {noun.value!r}"


def test_plural_forms_come_together_and_files_are_sorted() -> None:
    for file in sorted((WORDS / ENGLISH).glob("*.json")):
        words = english(file.stem)
        assert list(words) == sorted(words), f"{file.name} is not sorted by key"
        ones = {key.removesuffix(".one") for key in words if key.endswith(".one")}
        others = {key.removesuffix(".other") for key in words if key.endswith(".other")}
        assert ones - others == set(), f"{file.name}: no form for other numbers"


def sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts of three words and more below a node, with their lines; places are ``{}``."""
    if isinstance(node, ast.Assert):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call) and ast.unparse(node.func) in QUIET:
        for given in node.keywords:
            yield from sentences(given)
        return
    text = ""
    if isinstance(node, ast.JoinedStr):
        text = "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    if len(re.findall(r"[A-Za-z]{2,}", text)) >= 3 and len(text.split()) >= 3:
        if not SQL.match(text):
            yield getattr(node, "lineno", 0), text
        return
    for child in ast.iter_child_nodes(node):
        yield from sentences(child)


def without_attributes_of_parts(tree: ast.AST) -> ast.AST:
    """A file's tree without the class attributes of parts that people read (`texts_of_parts`), and
    without examples, which are in many languages on purpose."""
    known = {name.rpartition(".")[2] for name in texts_of_parts()} | EXAMPLES
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.body = [
                line
                for line in node.body
                if not (
                    isinstance(line, ast.Assign | ast.AnnAssign)
                    and ast.unparse(
                        line.target if isinstance(line, ast.AnnAssign) else line.targets[0]
                    )
                    in known
                )
            ]
    return tree


def test_sentences_stand_in_the_catalogue() -> None:
    data = tuple(text for texts in DATA.values() for text in texts)
    met, wrong = set(), []
    for folder in SAYING:
        for path in sorted((ROOT / "graders" / folder).rglob("*.py")):
            tree = without_attributes_of_parts(ast.parse(path.read_text("utf-8")))
            for line, text in sentences(tree) if path != HEADERS else ():
                if known := [begin for begin in data if text.startswith(begin)]:
                    met.update(known)
                else:
                    wrong.append(f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}")
    assert wrong == []
    assert set(data) - met == set(), "these are no longer in the code"


def test_what_parts_say_of_themselves_is_asked_for() -> None:
    """Each attribute that a kind of part declares as read by people is said somewhere."""
    said = {
        found
        for path in sorted((ROOT / "graders").rglob("*.py"))
        for found in re.findall(r'\.said\("(\w+)"\)', path.read_text("utf-8"))
    }
    assert said == {name.rpartition(".")[2] for name in texts_of_parts()}


def test_parts_that_share_a_name_carry_the_same_words() -> None:
    texts: dict[str, str] = {}
    for path, name, words in carriers():
        file = WORDS / ENGLISH / f"{name}.json"
        for key, text in ((english(name) if file.is_file() else {}) | words).items():
            assert texts.setdefault(f"{name}.{key}", text) == text, f"{path}: {name}.{key}"
