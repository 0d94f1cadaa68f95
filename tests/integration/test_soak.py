"""A small soak, as ``python -m evals.soak`` runs it for hours: nothing wrong, and nothing left behind."""

import pytest

from evals.soak.run import Options, soak


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
async def test_people_talk_while_everything_is_killed_and_nothing_is_wrong():
    storm = {"storm": 12.0, "calm": 8.0, "between_kills": 3.0}
    figures = await soak(Options(seconds=20.0, people=4, seed=2, pause=0.5, embeddings="none", **storm))
    assert figures["faults"] == []
    assert figures["acts"] > 0
    assert sum(figures["kills"].values()) > 0
