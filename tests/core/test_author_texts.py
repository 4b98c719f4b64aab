"""How an author's own text is marked in files, and how the name is hidden in it."""

from __future__ import annotations

import pytest

from graders.core.author_texts import author_model, author_of, is_author, marked, mask_author


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("author: Emily Dickinson", "Emily Dickinson"),
        ("Author:Emily  Dickinson", "Emily Dickinson"),
        ("AUTHOR - Emily Dickinson", "Emily Dickinson"),  # a file name takes no colon
        ("автор: Пушкин", "Пушкин"),
        ("作者：李白", "李白"),
        ("著者: 松尾芭蕉", "松尾芭蕉"),
    ],
)
def test_marked(written: str, name: str) -> None:
    assert (
        marked(written) == author_model(name)
        and is_author(marked(written))
        and author_of(marked(written)) == name
    )


@pytest.mark.parametrize(
    "model", ["gpt-4o", "author-7b", "authors: two", "coauthor: x", "author:", "Cedar", "author"]
)
def test_models_stay_models(model: str) -> None:
    assert marked(model) == model and not is_author(model) and author_of(model) == ""


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        (
            "Emily Dickinson",
            "Hope is the thing.\n— Emily Dickinson, 1861",
            "Hope is the thing.\n— [author], 1861",
        ),
        (
            "Emily Dickinson",
            "E. DICKINSON wrote; Dickinson's hand",
            "[author] wrote; [author] hand",
        ),
        (
            "Emily Dickinson",
            "Emily slept. The Dickinsons did not.",
            "Emily slept. The Dickinsons did not.",
        ),
        ("Александр Пушкин", "Стихи А. Пушкина и Пушкин сам", "Стихи [author] и [author] сам"),
        ("李白", "床前明月光。李白作。", "床前明月光。[author]作。"),
        ("", "No name", "No name"),
    ],
)
def test_the_name_is_hidden(name: str, text: str, shown: str) -> None:
    assert mask_author(text, name) == shown
