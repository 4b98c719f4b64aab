"""While calls are under way garbage is looked for rarely, in a write transaction never; afterwards
as before, also where they overlap."""

from __future__ import annotations

import gc
from pathlib import Path

from graders.core.garbage import RARELY, not_collecting, rarely_collecting
from tests.store.small import workspace


def test_what_was_in_force_comes_back_after_the_last_of_several_runs() -> None:
    gc.unfreeze()  # what other tests of this process loaded may have been frozen
    usual = gc.get_threshold()
    first, second = rarely_collecting(), rarely_collecting()
    first.__enter__()
    assert gc.get_threshold() == RARELY and gc.get_freeze_count() > 0
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == RARELY and gc.get_freeze_count() > 0
    second.__exit__(None, None, None)
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)


def test_what_others_froze_stays_frozen() -> None:
    gc.freeze()
    try:
        with rarely_collecting():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_nothing_is_collected_while_others_wait_and_who_switched_it_off_keeps_it_off() -> None:
    with not_collecting():
        with not_collecting():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with not_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_write_transaction_is_such_a_time(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    with ws.write():
        assert not gc.isenabled()
    assert gc.isenabled()
