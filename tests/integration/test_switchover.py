"""The primary is killed while people talk, and its standby takes over."""

from pathlib import Path

import pytest

from evals.switchover import hold_drill

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("synchronous", [True, False], ids=["synchronous", "asynchronous"])
async def test_people_go_on_talking(synchronous: bool, reachable_folder: Path):
    result = await hold_drill(reachable_folder / f"drill-{synchronous}", synchronous=synchronous, people=4, seconds=2.0)
    assert result.acknowledged > 0
    assert result.doubled == 0
    assert not (synchronous and result.lost)
