"""The addresses of cells."""

import pytest

from brain.cells import settings_by_cell
from brain.settings import Settings
from memory.errors import BrainError


def test_each_cell_has_the_settings_of_the_first_database_with_its_own_address():
    settings = Settings(
        database_url="postgresql://o:p@one/brain",
        cells="east=postgresql://o:p@two/brain west=postgres://o:p@three/brain?sslmode=require",
        recall_memory=7,
    )
    found = settings_by_cell(settings)
    assert {name: each.database_url for name, each in found.items()} == {
        "home": "postgresql://o:p@one/brain",
        "east": "postgresql://o:p@two/brain",
        "west": "postgres://o:p@three/brain?sslmode=require",
    }
    assert {each.cells for each in found.values()} == {None}
    assert {each.recall_memory for each in found.values()} == {7}
    assert "o:p@two" not in repr(settings)


@pytest.mark.parametrize(
    "cells",
    [
        "east",
        "east=mysql://o@two/brain",
        "east=postgresql://o\uff1ao:p@two/brain",
        "east=postgresql://o:o:p%zz@two/brain",
        "home=postgresql://o:p@two/brain",
        "East=postgresql://o:p@two/brain",
        "east=postgresql://o:p@two/brain east=postgresql://o:p@three/brain",
    ],
)
def test_what_names_no_cell_is_refused_without_repeating_it(cells: str):
    with pytest.raises(BrainError, match="E_CONFIG: BRAIN_CELLS") as refused:
        Settings(cells=cells)
    assert "o:p" not in str(refused.value)
