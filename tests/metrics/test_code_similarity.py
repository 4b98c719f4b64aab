"""Code beside code: which piece is read, in which language, and four numbers with their
arithmetic."""

from __future__ import annotations

import time

import pytest

from graders.metrics.code_similarity import CodeSimilarity
from graders.metrics.texts.code import Code, blocks, code_of, code_tokens, language_name
from graders.metrics.texts.python import names, parse, shape

ADD = "def add(a, b):\n    return a + b\n"
SUM = 'def total(x, y):\n    """The sum."""\n    return x + y  # of both\n'


def fenced(code: str, language: str = "python") -> str:
    """`code` as a chat model writes it."""
    return f"Here it is:\n\n```{language}\n{code}```\n\nIt works."


def measured(made, *references: str):
    """Values of one subject by output, without the common prefix."""
    [values] = CodeSimilarity().compute([made], [references])
    return {value.metric.removeprefix("code_"): value for value in values}


def shown(found):
    """Value or reason of every output."""
    return [value.reason if value.value is None else value.value for value in found.values()]


def test_the_same_code_is_1_everywhere(subject):
    assert shown(measured(subject(fenced(ADD)), fenced(ADD))) == [1.0, 1.0, 1.0, 1.0]


def test_other_names_same_structure(subject):
    found = measured(subject(fenced(SUM)), fenced(ADD))
    # names: total | add, none shared. ast: the same nodes; the docstring and the names do not
    # count. tokens: def ( , ) : return + are 7 of 12 and 13 (the docstring is one)
    assert shown(found) == [1.0, 0.0, 1.0, pytest.approx(2 * 7 / (12 + 13))]
    assert found["names"].reference == 0


def test_another_structure(subject):
    found = measured(subject("```python\ndef add(a, b):\n    return sum([a, b])\n```"), fenced(ADD))
    # answer: FunctionDef arguments arg arg Return Call Name List Name Name = 10 reference:
    # FunctionDef arguments arg arg Return BinOp Name Add Name = 9; shared in order: the first 5,
    # Name, Name = 7
    assert found["ast"].value == pytest.approx(2 * 7 / (10 + 9))
    assert found["names"].value == 1.0


def test_names_are_those_of_functions_methods_and_classes(subject):
    answer = "class Box:\n    def open(self): ...\n    async def close(self): ...\n"
    reference = "class Box:\n    def open(self): ...\n\ndef main(): ...\n"
    # Box, open, close against Box, open, main: 2*2/(3+3)
    assert measured(subject(answer), reference)["names"].value == pytest.approx(2 * 2 / (3 + 3))
    assert shown(measured(subject("x = 1"), "y = 2")) == [
        1.0,
        "no_names",
        1.0,
        pytest.approx(2 * 1 / (3 + 3)),
    ]


def test_a_syntax_error_is_named_and_is_no_structure(subject):
    found = measured(subject(fenced("def add(a, b:\n    return a + b\n")), fenced(ADD))
    assert (found["syntax"].value, found["syntax"].status) == (0.0, "ok")
    assert found["syntax"].reason == "syntax_error: line 1: '(' was never closed"
    assert [found["names"].reason, found["ast"].reason] == ["syntax_error", "syntax_error"]
    assert found["tokens"].value == pytest.approx(2 * 11 / (11 + 12))  # one ")" is missing


def test_a_reference_that_does_not_parse_is_named(subject):
    found = measured(subject(fenced(ADD)), fenced("def add(:\n"))
    assert shown(found)[:3] == [1.0, "reference_syntax_error", "reference_syntax_error"]


def test_other_languages_have_tokens_only(subject):
    answer = "```js\nfunction add(a, b) { return a + b; } // sums\n```"
    reference = "```javascript\nfunction add(x, b) { return x + b; }\n```"
    found = measured(subject(answer), reference)
    # function add ( a , b ) { return a + b ; } = 14 on both sides, 12 shared
    assert shown(found) == ["language", "language", "language", pytest.approx(2 * 12 / (14 + 14))]


def test_python_where_another_language_was_wanted(subject):
    assert shown(measured(subject(fenced(ADD)), fenced("func add() {}\n", "go")))[:3] == [
        1.0,
        "language",
        "language",
    ]


@pytest.mark.parametrize(
    ("answer", "reference", "syntax"),
    [
        (ADD, ADD, 1.0),  # no fence anywhere: the reference is surely Python
        (f"```\n{ADD}```", fenced(ADD), 1.0),  # the reference's fence says it
        (fenced(ADD), ADD, 1.0),
        (ADD, "Paris", "language"),  # parses, but is a bare word
        ("int main() { return 0; }", "int main() { return 1; }", "language"),
        ("int main() { return 0; }", ADD, 0.0),
    ],
)
def test_the_language_comes_from_either_fence_or_the_reference(subject, answer, reference, syntax):
    assert shown(measured(subject(answer), reference))[0] == syntax


def test_of_several_references_the_best_counts_for_each_output(subject):
    found = measured(
        subject(fenced(ADD)), fenced("add = 1\n"), " ", fenced("def add(): ...\n"), fenced(SUM)
    )
    assert (found["names"].value, found["names"].reference) == (1.0, 2)
    assert (found["ast"].value, found["ast"].reference) == (1.0, 3)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        (fenced(ADD), [], [1.0, "no_reference", "no_reference", "no_reference"]),
        (ADD, [" "], [1.0, "no_reference", "no_reference", "no_reference"]),
        ("I cannot do that.", [], ["language", "no_reference", "no_reference", "no_reference"]),
        (" \n", [fenced(ADD)], ["empty"] * 4),
        ("```python\n```", [fenced(ADD)], ["empty"] * 4),
    ],
)
def test_absence_has_a_name(subject, answer, references, expected):
    assert shown(measured(subject(answer), *references)) == expected


def test_the_version_names_the_grammar(subject):
    assert measured(subject(ADD), ADD)["syntax"].version.startswith("1;python3.")


# -- where the code stands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```py\na\n```", [Code("python", "a")]),
        ("~~~ Python3 title=x\na\n~~~", [Code("python", "a")]),
        ("```{.python .numbers}\na\n```", [Code("python", "a")]),
        # a longer fence holds a shorter one
        (
            "````md\n```\na\n```\n````",
            [Code("md", "```\na\n```")],
        ),
        ("- item\n  ```c++\n  int a;\n    b\n  ```", [Code("cpp", "int a;\n  b")]),
        ("```text\nout\n```", [Code("", "out")]),
        ("```python\na = 1", [Code("python", "a = 1")]),  # cut off in the middle
        ("use `x` and ```y``` here", []),
    ],
)
def test_blocks(text, expected):
    assert blocks(text) == expected


def test_the_first_block_counts_but_the_shell_line_before_it_does_not():
    text = "```bash\npip install x\n```\n```python\na = 1\n```\n```python\nb = 2\n```"
    assert code_of(text).text == "pip install x"
    assert code_of(text, "python").text == "a = 1"
    assert code_of("  a = 1\n  b = 2\n").text == "a = 1\nb = 2"


def test_language_names():
    assert [
        language_name(info) for info in ("", "JS", " c# ", "Golang", "plaintext", "kotlin")
    ] == [
        "",
        "javascript",
        "csharp",
        "go",
        "",
        "kotlin",
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "a = 'x # y'  # note", ["a", "=", '"x # y"']),
        ("python", '"""long\ntext""" + \'s\'', ['"long\ntext"', "+", '"s"']),
        (
            "java",
            'url("http://x"); /* a */ i++; // b',
            ["url", "(", '"http://x"', ")", ";", "i", "++", ";"],
        ),
        ("sql", "SELECT a -- b\nFROM t", ["SELECT", "a", "FROM", "t"]),
        ("", "a != b # c", ["a", "!=", "b", "#", "c"]),
        ("python", "имя == 3.14", ["имя", "==", "3.14"]),
        ("c", "/* never closed", []),
    ],
)
def test_tokens(language, text, expected):
    assert code_tokens(Code(language, text)) == expected


# -- hostile code


def test_nothing_is_executed(subject, tmp_path):
    trace = tmp_path / "trace"
    code = f"open({str(trace)!r}, 'w').write('ran')\nraise SystemExit(3)\n"
    assert shown(measured(subject(fenced(code)), fenced(code)))[0] == 1.0
    assert not trace.exists()


N = 90_000
HOSTILE = {
    "signs": ("-" * N + "1", "too_deep"),
    "attributes": ("a" + ".b" * (N // 2), "too_deep"),
    "sums": ("+".join("1" * (N // 2)), "too_deep"),
    "calls": ("a" + "()" * (N // 2), "too_deep"),
    "branches": ("if 1:\n pass\n" + "elif 1:\n pass\n" * (N // 16), "too_deep"),
    "brackets": ("(" * N, 0.0),
    "zero byte": ("a\0b", 0.0),
    "lone surrogate": ('a = "\ud800"', 0.0),
    "digits": ("9" * N, 0.0),
    "comparisons": ("a<" * (N // 2) + "a", 1.0),
    "too long": ("a\n" * N, "too_long"),
    "warnings": ('a = "\\d"', 1.0),
    "quotes": ("'\\" * (N // 2), 0.0),
    "long strings": ('"""\\' * (N // 4), 0.0),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.filterwarnings("error")
def test_hostile_code_has_a_value_or_a_reason_soon(subject, kind):
    text, expected = HOSTILE[kind]
    start = time.process_time()
    found = measured(subject(fenced(text + "\n")), fenced(ADD))
    assert shown(found)[0] == expected
    assert time.process_time() - start < 10  # seconds; quadratic work would take minutes


def test_deep_but_lawful_code_has_names_and_shape():
    deep = "def f():\n return " + "[" * 150 + "]" * 150
    tree = parse(deep).tree
    assert names(tree) == {"f"}
    assert shape(tree) == ["FunctionDef", "arguments", "Return", *["List"] * 150]
    assert shape(parse("a = 'x'; b = 1").tree) == [
        "Assign",
        "Name",
        "Constant:str",
        "Assign",
        "Name",
        "Constant:int",
    ]


@pytest.mark.parametrize(
    "text", ["```" + " " * 200_000 + "`", "`" * 200_000, "```\n" * 50_000, "~~~" + "`" * 100_000]
)
def test_hostile_fences_are_read_in_time(text):
    start = time.process_time()
    blocks(text)
    assert time.process_time() - start < 3
