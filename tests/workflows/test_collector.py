"""While calls are under way garbage is looked for rarely; afterwards as before, also where runs overlap."""

from __future__ import annotations

import gc

from graders.workflows._collector import RARELY, rarely_collecting


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
