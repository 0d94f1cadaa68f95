"""Receipts say nothing that only those who built Brain understand: in the panel and the terminal, in both languages."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast, get_args
from uuid import UUID

import pytest
from starlette.requests import Request

from apps.cli.why import Reason, explain
from apps.panel.answers import Candidate
from apps.panel.page import Visit, render_page
from apps.panel.session_cookie import PanelSession
from apps.panel.words import describe_nothing, label_for
from brain.intent_rules import IntentType
from brain.signal_rules import Feedback
from brain.state import DecisionReason
from language.detection import Language
from language.tables import languages, texts
from memory.lanes import Lane
from memory.recall.policies.registry import POLICIES
from memory.receipts import Receipt
from tests.integration.panel_browser import visible
from tests.internal_words import find_internal_words

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
SIGNALS = {
    **dict.fromkeys(("own", "before", "after", "answer", "speaker", "voice", "kin", "time", "session", "belief"), 0.4),
    **dict.fromkeys(("statement", "lane", "lexical", "vector", "coverage", "rrf", "semantic", "recency_boost"), 0.3),
    **dict.fromkeys(("confidence_effective", "provenance_weight", "frequency_factor", "same_turn", "echo"), 0.2),
    **dict.fromkeys(("repeat", "listwise", "cross_encoder", "a_signal_of_tomorrow"), 0.1),
}
DEGRADED = ["model_timeout", "intent_model_failed", "embedder_loading", "guardrail_degraded", "cause_of_tomorrow"]


def a_receipt(reason: str, lane: Lane, number: int) -> Receipt:
    return Receipt(
        receipt_id=UUID(int=number), receipt_type="injection", details={}, memory_id=UUID(int=number), lane=lane,
        utilized=True, utilization_signal=None, user_feedback_signal="deepen",
    )  # fmt: skip


def candidates() -> list[Candidate]:
    """One for every reason, of every kind, with every figure."""
    lanes = get_args(Lane) * 3
    return [
        Candidate(
            receipt=a_receipt(reason, lanes[number], number), text="Tea.", score=0.7, reason=reason, position=number,
            signals=tuple(SIGNALS.items()), proofs=(), is_forgotten=False,
        )
        for number, reason in enumerate(get_args(DecisionReason))
    ]  # fmt: skip


def a_visit(language: Language) -> Visit:
    """A visit of somebody of the open server, in a language."""
    headers = [(b"accept-language", language.encode())]
    asked = {"type": "http", "method": "GET", "path": "/panel/answers/1", "query_string": b"", "headers": headers}
    request = Request(asked)
    settings = SimpleNamespace(time_zone="Europe/Paris")
    visit = SimpleNamespace(
        request=request,
        language=language,
        zone=settings.time_zone,
        is_paused=False,
        resources=SimpleNamespace(settings=settings),
        session=PanelSession(),
        caller=SimpleNamespace(claims=None),
        identity=SimpleNamespace(user="ann", tenant="acme"),
        may=bool,
    )
    return cast("Visit", visit)


def answer_page(language: Language) -> str:
    """The page of an answer with all that a receipt may say."""
    found, reason = candidates(), "left out: echo, secret; analysis_model_timeout"
    operation = SimpleNamespace(status="nothing", reason=reason, memory_ids=[], operation_id=UUID(int=9))
    turn = SimpleNamespace(session_id=UUID(int=1), event_id=UUID(int=2), role="user", speaker="user", text="Tea?")
    turn.occurred_at, turn.standing = AT, "said"
    asked: dict[str, Any] = {"policy": "blend@4", "intent": "preference_check", "degraded": DEGRADED}
    retrieval: dict[str, Any] = asked | {"documents": [], "input_tokens": 9, "output_tokens": 2}
    values: dict[str, Any] = {"turns": [turn], "replies": {}, "operation": operation, "items": {}, "knowledge": {}}
    values |= {"used": found, "left_out": found, "retrieval": retrieval, "top": 1.0}
    return bytes(render_page(a_visit(language), "answer.html", **values).body).decode()


@pytest.mark.parametrize("language", languages())
def test_the_page_of_an_answer_says_nothing_internal(language: Language):
    said = visible(answer_page(language))
    assert find_internal_words(said) == []
    assert texts("receipts.signal", language)["kin"] in said
    assert "Europe/Paris" in said


@pytest.mark.parametrize("language", languages())
def test_the_terminal_says_nothing_internal(language: Language):
    memory = {"score": 0.7, "text": "Tea.", "lane": "fact", "signals": SIGNALS, "position": 0}
    every = [Reason(memory | {"decision_reason": each}, True, ()) for each in get_args(DecisionReason)]
    assert find_internal_words("\n".join(explain(every, language))) == []
    lone = [Reason(memory | {"decision_reason": "recency", "signals": {each: 0.5}}, False, ()) for each in SIGNALS]
    assert find_internal_words("\n".join(explain(lone, language))) == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("lane", get_args(Lane)),
        ("reason", get_args(DecisionReason)),
        ("intent", get_args(IntentType)),
        ("feedback", get_args(Feedback)),
        ("policy", tuple(POLICIES)),
        ("signal", tuple(SIGNALS)[:-1]),
        ("degraded", tuple(DEGRADED)[:-1]),
    ],
)
def test_every_value_of_a_receipt_has_words_of_its_kind(language: Language, kind: str, names: tuple[str, ...]):
    other, found = label_for(kind, "unheard_of", language), [label_for(kind, each, language) for each in names]
    assert other not in found
    assert kind == "lane" or not set(names) & set(found)


@pytest.mark.parametrize("language", languages())
def test_why_nothing_was_learned_is_told_without_codes(language: Language):
    told = describe_nothing("left out: echo, about_the_assistant; analysis_unfounded; model_timeout", language)
    assert find_internal_words(told) == []
    assert len(told.split("; ")) == 3


def test_an_internal_word_is_found_where_one_is():
    page = answer_page("en")
    for word in ("kin", "own", "lane", "deepen", "blend@3", "rrf", "decision_reason"):
        assert find_internal_words(visible(page.replace("Europe/Paris", word))) == [word]
    assert find_internal_words("a kind owner of a Laneway, who cuts things down") == []
