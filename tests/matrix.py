"""Matrices of cases: a part of each runs always, the whole with ``make test-all``."""

from collections.abc import Collection, Sequence
from itertools import product

import pytest


def diagonal(*axes: Sequence[object]) -> Sequence[object]:
    """All combinations for ``parametrize``. Those that are needed to see each value of each axis once run always."""
    longest = max(map(len, axes))
    always = {tuple(each % len(axis) for axis in axes) for each in range(longest)}
    places = product(*(range(len(axis)) for axis in axes))
    return [
        pytest.param(*(axis[each] for axis, each in zip(axes, place, strict=True)), marks=_marks(place in always))
        for place in places
    ]


def _marks(always: bool) -> Collection[pytest.MarkDecorator]:
    return () if always else (pytest.mark.exhaustive,)
