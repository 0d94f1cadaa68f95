"""Recorded answers on their way through the adapter of life."""

import json
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel

from brain.models.errors import ModelMalformed, ModelUnavailable
from evals.evaluation.memory_recorded import RecordedModel, read_recording
from memory.errors import BrainError

PROMPT = [SystemMessage("<known_memories>\n[k1] lives in Lyon\n[k2] likes tea\n</known_memories>"), HumanMessage("?")]


class Notes(BaseModel):
    """A form of that name is what recordings are of."""

    memories: list[dict[str, str]]


class SessionSummary(BaseModel):
    """A form that nobody recorded."""

    text: str


def a_model(folder: Path, *answers: object) -> RecordedModel:
    file = folder / "answers.jsonl"
    told = {"conversation": "c", "session": "s1", "form": "Notes"}
    file.write_text("\n".join(json.dumps(told | {"answer": answer}) for answer in answers))
    model = RecordedModel(read_recording(file))
    model.turn_to("c", "s1")
    return model


async def filled(model: RecordedModel, form: type[BaseModel] = Notes) -> BaseModel:
    models = model.models()
    assert models.fast is not None
    try:
        return await models.fast.fill(form, PROMPT)
    finally:
        await models.aclose()


async def test_answers_come_in_their_order_and_then_nothing_more(tmp_path: Path) -> None:
    model = a_model(tmp_path, {"memories": [{"content": "one"}]}, {"memories": [{"content": "two"}]})
    assert [await filled(model) for _ in range(3)] == [
        Notes(memories=[{"content": "one"}]),
        Notes(memories=[{"content": "two"}]),
        Notes(memories=[]),
    ]
    assert model.asked == {"Notes": 3}


async def test_words_in_place_of_a_label_find_the_known_memory_that_has_them(tmp_path: Path) -> None:
    model = a_model(tmp_path, {"memories": [{"related": "«tea»"}, {"related": "«snow»"}]})
    assert await filled(model) == Notes(memories=[{"related": "k2"}, {"related": ""}])


async def test_an_answer_that_is_no_form_is_handed_back_as_in_life(tmp_path: Path) -> None:
    model = a_model(tmp_path, '```json\n{"memories": [', {"memories": [{"content": "mended"}]})
    assert await filled(model) == Notes(memories=[{"content": "mended"}])
    assert model.asked == {"Notes": 2}


async def test_an_answer_that_stays_no_form_fails_as_in_life(tmp_path: Path) -> None:
    with pytest.raises(ModelMalformed):
        await filled(a_model(tmp_path, "no", "never"))


async def test_a_form_that_was_not_recorded_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        await filled(a_model(tmp_path), SessionSummary)


async def test_another_session_has_its_own_answers(tmp_path: Path) -> None:
    model = a_model(tmp_path, {"memories": [{"content": "one"}]})
    model.turn_to("c", "s2")
    assert await filled(model) == Notes(memories=[])


def test_a_line_that_is_no_answer_is_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"conversation": "c"}')
    with pytest.raises(BrainError, match=":1 is no recorded answer"):
        read_recording(file)
