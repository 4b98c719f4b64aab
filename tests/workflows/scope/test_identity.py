"""A name that is in use is not taken over by typing it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graders.core.errors import NotAllowed
from graders.store import codes, projects
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.scope import identity
from graders.workflows.scope.identity import MOST_WRONG, WAIT, NameTaken, enter
from graders.workflows.scope.permissions import Actor, Scope
from graders.workflows.scope.typed_names import person_named


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def stranger(ws: Workspace) -> Scope:
    return Scope(Actor(), ws)


def test_a_name_in_use_asks_for_its_code(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")
    mira = enter(stranger(ws), "Mira Holm")
    for typed in ("Mira Holm", "  mira   HOLM ", "Ｍｉｒａ holm"):
        with pytest.raises(NameTaken, match="found a name in use, expected the code") as refused:
            enter(stranger(ws), typed)
        assert refused.value.ask.startswith("Are you the same Mira Holm?")
    assert [one.name for one in projects.people(ws).values()] == ["Mira Holm"]
    typed = f" {mira.code.lower().replace('-', ' ')} "
    again = enter(stranger(ws), "mira holm", typed)
    assert again.person == mira.person and not again.code, "the code is shown once"
    jon = enter(stranger(ws), "Jon")
    with pytest.raises(NameTaken):  # nor by changing one's own name
        enter(Scope(Actor(jon.person.id), ws), "Mira Holm")
    with pytest.raises(NameTaken):  # nobody is made Mira by the code of another person
        enter(stranger(ws), "Mira Holm", jon.code)
    assert enter(Scope(Actor(jon.person.id), ws), "Jon B").person.name == "Jon B"


def test_a_code_is_kept_as_a_hash(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")
    made = enter(stranger(ws), "Mira")
    bare = made.code.replace("-", "")
    assert len(bare) == 6
    kept = codes.kept(ws, made.person.id).code
    assert bare not in kept and made.code not in kept and len(kept) > 64
    ws.close()
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert bare.encode() not in held and made.code.encode() not in held


def test_wrong_codes_are_limited(tmp_path: Path) -> None:
    clock = Clock()
    ws = open_workspace(tmp_path / "w.db", clock)
    mira = enter(stranger(ws), "Mira")
    for _ in range(MOST_WRONG):
        with pytest.raises(NameTaken, match="found another code"):
            enter(stranger(ws), "Mira", "AAA-AAA")
    with pytest.raises(NameTaken, match=r"5 wrong codes in a row, expected .* 15 minutes after"):
        enter(stranger(ws), "Mira", mira.code)
    assert enter(Scope(Actor(mira.person.id), ws), "Mira").person == mira.person, "a known browser"
    clock.now += WAIT.total_seconds() + 1
    assert enter(stranger(ws), "Mira", mira.code).person == mira.person
    for _ in range(MOST_WRONG):
        with pytest.raises(NameTaken):
            enter(stranger(ws), "Mira", "AAA-AAA")
    new = identity.new_code(stranger(ws), mira.person)  # a lead helps at once
    assert enter(stranger(ws), "Mira", new.code).person == mira.person
    with pytest.raises(NameTaken, match="another code"):
        enter(stranger(ws), "Mira", mira.code)


def test_many_codes_at_once_are_no_more_tries(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")
    enter(stranger(ws), "Mira")

    def tried(number: int) -> str:
        try:
            enter(stranger(ws), "Mira", f"AAAA{number:02}")
        except NameTaken as refused:
            return refused.found
        return "in"

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tried, range(24)))
    assert found.count("another code") == MOST_WRONG
    assert found.count(f"{MOST_WRONG} wrong codes in a row") == 24 - MOST_WRONG


def test_of_two_who_type_a_new_name_at_once_one_has_it(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")

    def entered(_: int) -> bool:
        try:
            return bool(enter(stranger(ws), "Mira").code)
        except NameTaken:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(entered, range(16))) == 1
    assert len(projects.people(ws)) == 1


def test_people_without_a_code_get_one_from_a_lead_or_from_their_own_browser(
    tmp_path: Path,
) -> None:
    ws = open_workspace(tmp_path / "w.db")
    projects.add_person(ws, "Aiko", person_id="aiko")  # from a file, or an earlier version
    with pytest.raises(NameTaken):
        enter(stranger(ws), "Aiko", "AAA-AAA")
    known = enter(Scope(Actor("aiko"), ws), "Aiko")  # the cookie of an earlier version
    assert known.person.id == "aiko" and known.code
    assert enter(stranger(ws), "Aiko", known.code).person.id == "aiko"
    own = identity.own_code(Scope(Actor("aiko"), ws))
    assert own.code != known.code and identity.in_force(Scope(Actor("aiko"), ws), own.seal)
    assert not identity.in_force(Scope(Actor("aiko"), ws), known.seal)
    with pytest.raises(NotAllowed, match="cograde people code NAME"):
        identity.new_code(Scope(Actor("jon", through_page=True), ws), known.person)


def test_acting_under_a_name_asks_for_its_code_too(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")
    mira = enter(stranger(ws), "Mira")
    for name in ("Mira", "mira", mira.person.id):
        with pytest.raises(NameTaken):
            person_named(stranger(ws), name, make=True)
        assert person_named(stranger(ws), name, make=True, code=mira.code)[0] == mira.person
    own = Scope(Actor(mira.person.id), ws)
    assert person_named(own, "Mira", make=False) == (mira.person, False)
    projects.add_person(ws, "Ann", person_id="ann")  # never seen on a page
    assert person_named(stranger(ws), "Ann", make=True)[0].id == "ann"


def test_a_visitor_has_no_code_and_takes_over_nobody(tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "w.db")
    projects.add_person(ws, "Mira", person_id="mira")  # of the demo
    made = enter(Scope(Actor(role="visitor"), ws), "Mira")
    assert made.person.id != "mira" and not made.code and not made.seal
