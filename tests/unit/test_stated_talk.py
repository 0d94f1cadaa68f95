"""What the throughput of evolution is measured with: statements that the rules and the instant model both know."""

from random import Random

import pytest

from brain.models.roles import Models
from evals.stated_talk import KINDS, InstantNotes, Kind, statement, turns
from evolution.extraction.analyze import analyze_turns
from evolution.extraction.prompt import ExtractionInput
from tests.unit.analysis_builders import a_said


@pytest.mark.parametrize("model", [None, InstantNotes()], ids=["rules", "instant"])
@pytest.mark.parametrize("kind", KINDS, ids=[kind.predicate for kind in KINDS])
async def test_every_kind_of_statement_is_noted_down_once(kind: Kind, model: InstantNotes | None):
    reading = ExtractionInput(said=[a_said(f"{kind.before} Bakato.")])
    found = await analyze_turns(Models(chat=model, fast=model), reading)
    (noted,) = found.candidates
    assert "Bakato" in noted["object"]
    assert found.degraded == ()


def test_talk_is_the_same_for_the_same_seed_and_states_something_in_half_of_its_turns():
    said = list(turns(200, seed=4))
    stated = [text for text in said if any(text.startswith(kind.before) for kind in KINDS)]
    assert said == list(turns(200, seed=4))
    assert 70 < len(stated) < 130
    assert len(set(stated)) == len(stated)
    assert statement(Random(1)) == statement(Random(1))
