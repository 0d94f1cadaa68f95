"""Any honest answer is read: each entry alone, and what cannot be read costs nothing but itself."""

import json
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from brain.models.errors import ModelMalformed
from brain.models.structured_output import parse_answer


class Note(BaseModel):
    turn: int
    quote: str
    kind: Literal["fact", "long_plan"]
    sure: bool = True
    since: str = ""


class Notes(BaseModel):
    notes: list[Note]


class Verdict(BaseModel):
    verdict: Literal["keep", "drop"]
    score: int = Field(default=5, ge=0, le=10)


TEA = {"turn": 1, "quote": "I like tea", "kind": "fact"}
WHOLE = json.dumps({"notes": [TEA]})


@pytest.mark.parametrize(
    "answer",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Sure, here it is:\n```\n{WHOLE}\n```\nAnything else?",
        f"<think>The user likes {{tea}}. [hm]</think>\n{WHOLE}",
        json.dumps([TEA]),
        json.dumps(TEA),
        json.dumps({"Notes": [TEA]}),
        WHOLE[:-2] + ",]}",
        WHOLE[:-2],
        WHOLE.replace('"', "'"),
        json.dumps({"notes": [{**TEA, "kind": "Fact", "turn": "one"}]}),
        json.dumps({"notes": [{**TEA, "Turn": "turn 1"} | {"sure": "yes", "since": None}]}),
        json.dumps({"notes": [{**TEA, "sure": "perhaps"}]}),
        json.dumps({"notes": [TEA, {"turn": 2, "quote": "x", "kind": "hobby"}, "nothing", None]}),
        f'{{"notes": [{json.dumps(TEA)}, {{"turn": 2, "quo',
        f"The notes are {WHOLE}. That is all.",
    ],
)
def test_what_was_meant_is_read(answer: str):
    (note,) = parse_answer(Notes, answer).notes
    assert (note.turn, note.quote, note.kind, note.sure, note.since) == (1, "I like tea", "fact", True, "")


@pytest.mark.parametrize(
    "answer", ["null", "```json\nnull\n```", "[]", '{"notes": null}', '{"notes": []}', "<think>No.</think>[]"]
)
def test_nothing_is_an_answer(answer: str):
    assert parse_answer(Notes, answer).notes == []


@pytest.mark.parametrize(
    ("answer", "verdict"), [('{"verdict": "Keep"}', "keep"), ('Verdict:\n{"VERDICT": "drop", "score": "high"}', "drop")]
)
def test_a_form_without_a_list_is_read_as_well(answer: str, verdict: str):
    assert parse_answer(Verdict, answer).verdict == verdict
    assert parse_answer(Verdict, answer).score == 5


@pytest.mark.parametrize(
    "answer", ["", "I would rather not.", "{}", '{"weather": "fine"}', "<html><body>502</body></html>", '{"notes": [']
)
def test_what_says_nothing_of_the_kind_is_refused(answer: str):
    with pytest.raises(ModelMalformed):
        parse_answer(Notes, answer)


@pytest.mark.parametrize("answer", ["null", "[]", '{"verdict": "maybe"}', '{"verdict": "keep", "score": 99}'])
def test_a_form_that_cannot_be_filled_is_refused(answer: str):
    with pytest.raises(ModelMalformed):
        parse_answer(Verdict, answer)
