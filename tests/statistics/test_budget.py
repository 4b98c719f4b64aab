"""How many labels are needed."""

from __future__ import annotations

import pytest

from graders.core.errors import InputError
from graders.statistics.budget import detectable, more_labels, routing_labels
from tests.statistics.values import same, same_row


def test_an_interval_half_as_wide_needs_four_times_the_labels():
    assert more_labels(100, 0.2, 0.1) == 300
    assert more_labels(100, 0.1, 0.2) == 0


def test_the_smallest_difference_that_is_seen_four_times_in_five():
    assert detectable(0.5, 1e9) == pytest.approx(0.5 * (1.95996 + 0.84162), abs=1e-5)
    # t of 29 degrees of freedom at .975 and .8
    assert detectable(1, 29) == pytest.approx(2.04523 + 0.85419, abs=1e-5)
    with pytest.raises(InputError, match="standard error: found 0"):
        detectable(0, 29)


@pytest.mark.parametrize(
    ("alpha", "delta", "fewest"),
    [
        (0.1, 0.1, "22 38 52"),
        (0.1, 0.05, "29 46 61"),
        (0.1, 0.025, "36 54 70"),
        (0.05, 0.1, "45 77 105"),
        (0.05, 0.05, "59 93 124"),
        (0.05, 0.025, "72 110 142"),
        (0.02, 0.1, "114 194 265"),
    ],
)
def test_fewest_labels_that_allow_so_many_errors(alpha, delta, fewest):
    ours = [routing_labels(alpha, delta, allowed) for allowed in (0, 1, 2)]
    same_row(
        f"7 fewest labels, alpha {alpha:g}, delta {delta:g}",
        "no error, 1 allowed, 2 allowed",
        ours,
        fewest,
    )


@pytest.mark.parametrize(
    ("alpha", "true_error", "labels"),
    [
        (0.1, 0.02, "38"),
        (0.1, 0.04, "91"),
        (0.1, 0.05, "128"),
        (0.1, 0.06, "210"),
        (0.1, 0.07, "390"),
        (0.05, 0.01, "77"),
        (0.05, 0.02, "184"),
        (0.05, 0.03, "446"),
    ],
)
def test_labels_that_pass_four_times_in_five(alpha, true_error, labels):
    same(
        f"7 labels to pass 4 times in 5, alpha {alpha:g}, error {true_error:g}",
        routing_labels(alpha, 0.1, true_error=true_error),
        labels,
    )


def test_labels_that_fall_outside_the_region_count_too():
    # 38 inside; half of all cells are inside; cells of a question repeat each other
    assert routing_labels(0.1, 0.1, true_error=0.02, share=0.5, deff=1.5) == 38 * 1.5 / 0.5


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: routing_labels(0.1, 0.1, true_error=0.1),
            "error in the region: found 0.1, expected less than alpha, 0.1. "
            "No number of labels will do: choose a stricter region, a higher alpha or a better judge.",
        ),
        (
            lambda: routing_labels(0.0, 0.1),
            "alpha: found 0, expected a share between 0 and 1. 0 and 1 cannot be promised from a sample.",
        ),
        (lambda: more_labels(10, 0.1, 0.0), "half width: found 0, expected a number above 0."),
    ],
)
def test_what_cannot_be_planned(call, said):
    with pytest.raises(InputError) as found:
        call()
    assert str(found.value) == said


def test_an_error_next_to_alpha_is_not_searched_for_ever():
    with pytest.raises(InputError, match="More than 1,000,000 labels would be needed"):
        routing_labels(0.1, 0.1, true_error=0.0999)
