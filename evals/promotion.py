"""What is proposed of what several people told: ``python -m evals.promotion [--show]``.

Every case is a tenant of its own, and the real count of the owner runs over it, without a model. ``planted``: three
people tell the same sentence in which somebody or something can be recognised, word for word, each in conversations of
their own: none of these strings may reach a proposal. ``planted once``: one person tells it beside two who tell the
sentence without it. ``groups``: what people told in other words, to be proposed or not. Wrong acts come first.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from brain.resources import Resources
from brain.settings import Settings
from evals.evaluation.scratch import scratch_resources
from evolution.promotion.count import count_tenant
from language.statements import read_sentence
from memory.memory_item import Author, MemoryDraft
from memory.postgres.promotion_count import open_promotion_count
from memory.promotion import PromotionProposal
from memory.scope import Scope
from memory.turns import Capture, SessionRef, Utterance

DATA = Path(__file__).parent / "data" / "promotion"
HIDDEN = {"en": "something", "zh": "某个东西"}
"""What stands for a planted string where the others tell the sentence without it."""
CONFIDENT = 0.9


@dataclass(frozen=True)
class Telling:
    """One person says one thing."""

    person: str
    session: str
    days_ago: float
    kind: str
    confidence: float
    text: str


async def propose(resources: Resources, told: Sequence[Telling]) -> list[PromotionProposal]:
    """What is proposed of it, in a tenant of its own."""
    tenant_id, ids = uuid4(), dict[str, UUID]()
    for each in told:
        person = ids.setdefault(each.person, uuid4())
        session = ids.setdefault(f"{each.person} {each.session}", uuid4())
        await _tell(resources, Scope(tenant_id=tenant_id, user_id=person), session, each)
    owner_url = resources.settings.database_url
    assert owner_url is not None
    async with open_promotion_count(owner_url) as count:
        await count_tenant(resources, count, tenant_id)
    return list(await resources.memory.promotions.list_of(tenant_id, "proposed"))


async def _tell(resources: Resources, scope: Scope, session_id: UUID, told: Telling) -> None:
    at = datetime.now(UTC) - timedelta(days=told.days_ago)
    session = SessionRef(session_id=session_id, name=str(session_id), user_name="person", tenant_name="tenant")
    event = Utterance(event_id=uuid4(), role="user", speaker="user", text=told.text, occurred_at=at)
    capture = Capture(operation_id=uuid4(), session=session, utterances=(event,))
    await resources.memory.log.capture(scope, capture)
    kind: Any = told.kind
    draft = MemoryDraft(
        item_type=kind,
        epistemic_type=kind,
        subject="user",
        predicate="other",
        object=told.text,
        content=told.text,
        category=read_sentence(told.text).topic,
        slot=f"user|{uuid4()}",
        single_valued=False,
        provenance="confirmed_by_user",
        confidence=told.confidence,
        certainty=CONFIDENT,
        observed_at=at,
        valid_at=at,
        session_id=session_id,
    )
    author = Author(operator="user", reason="said so", idempotency_key=str(uuid4()), at=at)
    await resources.memory.items.write(scope, draft, author)


def _told_by(text: str, *, people: int, first: int = 0) -> list[Telling]:
    numbers = range(first, first + people)
    return [Telling(f"p{n}", f"s{n}", 1.0 + n, "fact", CONFIDENT, text) for n in numbers]


async def measure_planted(resources: Resources, case: Mapping[str, Any], *, once: bool) -> list[str]:
    """The proposals of a planted sentence that hold a planted string."""
    text, secrets = str(case["text"]), [str(each) for each in case["secret"]]
    told = _told_by(text, people=3)
    if once:
        without = text
        for secret in secrets:
            without = without.replace(secret, HIDDEN[case["language"]])
        told = [*_told_by(text, people=1), *_told_by(without, people=2, first=1)]
    made = await propose(resources, told)
    return [each.text for each in made if any(secret.casefold() in each.text.casefold() for secret in secrets)]


async def measure_group(resources: Resources, case: Mapping[str, Any]) -> list[PromotionProposal]:
    """The proposals of one group."""
    told = [
        Telling(m["person"], m["session"], m["day"], m["type"], m["confidence"], m["text"]) for m in case["memories"]
    ]
    return await propose(resources, told)


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


async def measure(*, show: bool) -> None:
    """Print the figures, wrong acts first."""
    async with scratch_resources(Settings()) as resources:
        await resources.load()
        planted, groups = read_cases("planted"), read_cases("groups")
        for name, once in (("planted", False), ("planted once", True)):
            leaked = {case["id"]: await measure_planted(resources, case, once=once) for case in planted}
            told = {key: texts for key, texts in leaked.items() if texts}
            print(f"{name}: {len(told)} of {len(planted)} reach a proposal")
            _print_if(show, told)
        made = {case["id"]: await measure_group(resources, case) for case in groups}
        for name, wanted in (("near misses proposed", False), ("groups found", True)):
            cases = [case["id"] for case in groups if case["promote"] is wanted]
            found = {key: [each.text for each in made[key]] for key in cases if made[key]}
            print(f"{name}: {len(found)} of {len(cases)}")
            _print_if(show, found)


def _print_if(show: bool, found: Mapping[str, Sequence[str]]) -> None:
    for key, texts in found.items() if show else ():
        print(f"  {key}: {' | '.join(texts)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="also the lines behind each figure")
    asyncio.run(measure(show=parser.parse_args().show))
