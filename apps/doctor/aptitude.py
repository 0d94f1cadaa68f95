"""Is the fast model up to judging memories? Asked with the real forms, through the real checks."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

from apps.doctor.aptitude_cases import TO_NOTE, TO_SETTLE, NoteCase, SettleCase
from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.models.errors import ModelError, ModelUnavailable
from brain.models.port import ChatModel
from brain.settings import Settings
from brain.wiring import build_resources
from evolution.extraction.analyze import extract_with_model
from evolution.extraction.prompt import ExtractionInput
from evolution.state import TurnRecord
from evolution.upkeep.resolve import ask_ruling

MIN_SHARE = 0.8
"""Share of right judgements from which a model counts as up to it."""
_WEAK = "Choose a stronger BRAIN_FAST_MODEL: this one will note and settle memories wrongly."
_AWAY = "See the line about the model above."


@dataclass(frozen=True)
class CaseResult:
    """One judgement, and whether it was right."""

    name: str
    right: bool


async def aptitude_finding(settings: Settings) -> Finding:
    """What the fast model is worth. A dozen short calls, one after the other; none where there is no model."""
    models = build_resources(settings).models
    try:
        if models.fast is None:
            return ok_finding("aptitude", "nothing to examine: no model is configured")
        return summarize_judgements(models.fast.name, [each async for each in judge_cases(models.fast)])
    except ModelUnavailable as failure:
        return degraded_finding("aptitude", f"{settings.fast_model} could not be examined: {failure.reason}", _AWAY)
    finally:
        await models.aclose()


def summarize_judgements(model: str, judgements: list[CaseResult]) -> Finding:
    """The verdict, with every case that failed."""
    wrong = [each.name for each in judgements if not each.right]
    what = f"{model}: {len(judgements) - len(wrong)} of {len(judgements)} judgements about memories are right"
    if wrong:
        what = f"{what}; wrong: {', '.join(wrong)}"
    enough = len(wrong) <= (1 - MIN_SHARE) * len(judgements)
    return ok_finding("aptitude", what) if enough else degraded_finding("aptitude", what, _WEAK)


async def judge_cases(model: ChatModel) -> AsyncGenerator[CaseResult]:
    """Every case, put to the model. Raises ``ModelUnavailable``; an unreadable answer or a refusal is a wrong one."""
    for note in TO_NOTE:
        yield CaseResult(note.name, await _can_note(model, note))
    for pair in TO_SETTLE:
        yield CaseResult(pair.name, await _can_settle(model, pair))


async def _can_note(model: ChatModel, case: NoteCase) -> bool:
    """Only what the model noted itself counts, not what rules found where its notes were wrong."""
    said = [_turn(number, role, text) for number, (role, text) in enumerate(case.said, start=1)]
    try:
        analysis = await extract_with_model(model, ExtractionInput(said=said))
    except ModelUnavailable:
        raise
    except ModelError:
        return False
    return case.right([each for each in analysis.candidates if each["source"] == "model"])


async def _can_settle(model: ChatModel, case: SettleCase) -> bool:
    first, second = (f"({day}) {text}" for day, text in (case.held, case.new))
    try:
        return (await ask_ruling(model, first, second)).finding == case.finding
    except ModelUnavailable:
        raise
    except ModelError:
        return False


def _turn(number: int, role: str, text: str) -> TurnRecord:
    return TurnRecord(
        event_id=str(UUID(int=number)),
        operation_id=str(UUID(int=0)),
        session_id=str(UUID(int=0)),
        role="assistant" if role == "assistant" else "user",
        speaker=role,
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
        at=datetime(2025, 6, 10, 12, tzinfo=UTC).isoformat(),
        time_zone="UTC",
    )
