"""What several people told becomes a proposal; what would tell who said it, or is disputed, does not."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from evals.evaluation.scratch import as_url
from evals.promotion import read_cases
from evolution.erasure.job import run_erasure
from evolution.promotion.count import count_promotions
from evolution.promotion.knowledge_publisher import KnowledgePublisher
from evolution.promotion.publishing import settle_promotions, source_of
from knowledge.entries import EntryFilter
from language.secrets import MASK
from memory.memory_item import Author
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.promotion import Decider, PromotionProposal
from tests.contract.builders import a_session, an_erasure_request
from tests.fakes import NOW
from tests.integration import own_database
from tests.integration.denied import assert_denied
from tests.integration.promotion_talk import Company

PRINTER = (
    "Our label printer jams with thick paper.",
    "I find the label printer always jams with thick paper.",
    "The label printer jams when we use thick paper.",
)
PRINTER_ZH = ("我们的标签打印机遇到厚纸就卡纸", "标签打印机用厚纸总是卡纸", "我发现标签打印机一用厚纸就卡纸")
test_addresses, database = own_database.test_addresses, own_database.database


@pytest.fixture
def company(database: Database, test_addresses: Addresses) -> Company:
    return Company(test_addresses, database)


def decider(company: Company, name: str) -> Decider:
    return Decider(tenant_id=company.tenant_id, user_id=company.person(name).user_id, name=name)


async def approve(company: Company, proposal: PromotionProposal) -> None:
    decided = await company.resources.memory.promotions.decide(
        decider(company, "the boss"), proposal.proposal_id, approves=True, at=NOW
    )
    assert decided is not None
    assert decided.decided
    await settle_promotions(company.resources, company.tenant_id)


async def find(company: Company, proposal: PromotionProposal) -> PromotionProposal:
    found = await company.resources.memory.promotions.find(company.tenant_id, proposal.proposal_id)
    assert found is not None
    return found


@pytest.mark.parametrize("told", [PRINTER, PRINTER_ZH])
async def test_what_three_people_told_is_proposed_once_with_counts(company: Company, told: Sequence[str]):
    await company.tell_all(told)
    (proposal,) = await company.count()
    assert (proposal.people, proposal.sessions, proposal.told) == (3, 3, 3)
    assert "我" not in proposal.text
    assert not {"I", "Our", "our", "we"} & set(proposal.text.split())
    assert await company.count() == [proposal]


@pytest.mark.parametrize(
    ("told", "more"),
    [
        (PRINTER[:2], {}),
        (PRINTER, {"days_ago": 31}),
        (PRINTER, {"confidence": 0.74}),
        (PRINTER, {"item_type": "constraint"}),
        (PRINTER, {"session": a_session()}),
    ],
    ids=["two people", "long ago", "unsure", "constraints", "one conversation"],
)
async def test_below_a_threshold_nothing_is_proposed(company: Company, told: Sequence[str], more: dict[str, object]):
    company.key = "group:kitchen" if "session" in more else "main"
    await company.tell_all(told, **more)
    assert await company.count() == []


@pytest.mark.parametrize(
    "told",
    [
        ("I prefer tea in the break room.", "I prefer coffee in the break room.", "I prefer juice in the break room."),
        ("We should open early on Saturdays.", "We should open late on Saturdays.", "We should open on Saturdays."),
        ("I am allergic to the new soap.", "I'm allergic to the new soap.", "I am allergic to that new soap."),
        ("My boss shouts in meetings.", "My boss always shouts in meetings.", "My boss shouts in the meetings."),
        ("Marcus is late for meetings.", "Marcus is always late for meetings.", "Marcus is late for the meetings."),
        tuple(f"Between you and me, {each[0].lower()}{each[1:]}" for each in PRINTER),
        tuple(f"Don't tell anyone, but {each}" for each in PRINTER),
        tuple(f"就你我知道，{each}" for each in PRINTER_ZH),
        tuple(f"别告诉别人，{each}" for each in PRINTER_ZH),
        ("The back door opens with 4711.", "The back door opens with 4711!", "Our back door opens with 4711."),
    ],
    ids=[
        "tastes",
        "contraries",
        "health",
        "boss",
        "name",
        "between",
        "do not tell",
        "就你我知道",
        "别告诉别人",
        "code",
    ],
)
async def test_opinions_that_differ_and_what_is_somebodys_own_are_not_proposed(company: Company, told: Sequence[str]):
    await company.tell_all(told)
    assert await company.count() == []


async def test_what_others_deny_is_not_proposed(company: Company):
    await company.tell_all(PRINTER)
    for number in range(2):
        await company.tell(f"dissenter {number}", "The label printer does not jam with thick paper.")
    assert await company.count() == []


async def test_the_application_cannot_read_across_people(company: Company, test_addresses: Addresses):
    await company.tell_all(PRINTER)
    await company.count()
    asked = (
        "select * from brain.countable_memories(%(tenant)s, '-infinity', 0)",
        "select * from brain.tenants_of_several(1)",
        "select brain.recheck_promotions(%(tenant)s, 99, now())",
        "select brain.propose_promotion(%(tenant)s, %(tenant)s, 'x', '', '{}', now(), 0, 0, 0, 0, now())",
        "select * from brain.promotion_sources",
        "select * from brain.promotion_objections",
        "update brain.promotion_proposals set text = 'x'",
        "update brain.promotion_proposals set status = 'approved'",
    )
    assert_denied(test_addresses, company.tenant_id, asked)


async def test_an_approved_proposal_is_published_and_an_objection_takes_it_back(company: Company):
    await company.tell_all(PRINTER)
    (proposal,) = await company.count()
    await approve(company, proposal)
    assert await company.known() == [proposal.text]
    (entry,) = await company.store.list_entries(company.tenant_id, EntryFilter(), 5)
    approved = await find(company, proposal)
    assert (approved.entry_id, entry.source, entry.topic) == (str(entry.entry_id), source_of(proposal.proposal_id), "")
    promotions, ann = company.resources.memory.promotions, decider(company, "person 1")
    assert await promotions.object(ann, objects=True, at=NOW) == 1
    await settle_promotions(company.resources, company.tenant_id)
    assert await company.known() == []
    (gone,) = await company.store.find(company.tenant_id, [entry.entry_id])
    assert gone.text == MASK
    assert await company.store.history(company.tenant_id, entry.entry_id) == []
    withdrawn = await find(company, proposal)
    assert (withdrawn.status, withdrawn.text, withdrawn.entry_id, withdrawn.settled) == ("withdrawn", "", None, True)
    assert await company.count() == []
    await promotions.object(ann, objects=False, at=NOW)
    assert len(await company.count()) == 1


async def test_a_rejected_proposal_does_not_come_back_in_other_words(company: Company):
    await company.tell_all(PRINTER)
    (proposal,) = await company.count()
    promotions = company.resources.memory.promotions
    await promotions.decide(decider(company, "the boss"), proposal.proposal_id, approves=False, at=NOW)
    again = await promotions.decide(decider(company, "the boss"), proposal.proposal_id, approves=True, at=NOW)
    assert again is None
    for number, text in enumerate(PRINTER):
        await company.tell(f"newcomer {number}", text)
    assert await company.count() == []


async def test_who_told_it_cannot_approve_it_nearly_alone(company: Company):
    company.least_people = 2
    for name, text in zip(("ann", "ann", "bob"), PRINTER, strict=True):
        await company.tell(name, text)
    (proposal,) = await company.count()
    promotions = company.resources.memory.promotions
    for name, alone in (("ann", True), ("the boss", False)):
        found = await promotions.decide(decider(company, name), proposal.proposal_id, approves=True, at=NOW)
        assert found is not None
        assert (found.decided, found.alone) == (not alone, alone)


async def test_what_is_forgotten_is_withdrawn_at_the_next_count(company: Company):
    ids = await company.tell_all(PRINTER)
    (proposal,) = await company.count()
    scope, items = company.person("person 2"), company.resources.memory.items
    author = Author(operator="user", reason="asked", idempotency_key=str(uuid4()), at=NOW)
    await items.forget(scope, ids[2], author)
    assert await company.count() == []
    assert (await find(company, proposal)).status == "withdrawn"


async def test_who_is_erased_takes_a_published_proposal_along(company: Company, tmp_path: Path):
    company.settings = {"data_dir": tmp_path}
    await company.tell_all(PRINTER)
    (proposal,) = await company.count()
    await approve(company, proposal)
    erasures, gone = company.resources.memory.erasures, company.person("person 0")
    tombstone = await erasures.request(
        an_erasure_request(company.tenant_id, gone.user_id, user_name="the boss", requested_at=NOW)
    )
    assert {"brain.promotion_sources"} <= {each.kind for each in await erasures.find_residue(tombstone)}
    await run_erasure(company.resources, company.tenant_id, tombstone.tombstone_id)
    done = await erasures.find(company.tenant_id, tombstone.tombstone_id)
    assert done is not None
    assert done.state == "completed"
    assert await company.known() == []
    withdrawn = await find(company, proposal)
    assert (withdrawn.status, withdrawn.text, withdrawn.decided_by) == ("withdrawn", "", "")
    assert await company.count() == []


async def test_no_planted_secret_reaches_a_proposal_of_the_job(company: Company, test_addresses: Addresses):
    planted = [each for number, each in enumerate(read_cases("planted")) if number % 15 == 0]
    for person in ("ann", "bob", "cleo"):
        for each in planted:
            await company.tell(person, str(each["text"]))
    await company.tell_all(PRINTER)
    company.settings = {"database_url": as_url(test_addresses.owner)}
    await count_promotions(company.resources)
    proposals = await company.resources.memory.promotions.list_of(company.tenant_id, None)
    assert "printer" in " ".join(each.text for each in proposals)
    secrets = [str(secret) for each in planted for secret in each["secret"]]
    assert [secret for secret in secrets for each in proposals if secret in each.text] == []


async def test_objections_and_counts_at_once_end_in_order(company: Company):
    await company.tell_all([*PRINTER, *PRINTER])
    promotions = company.resources.memory.promotions
    objecting = (promotions.object(decider(company, f"person {n}"), objects=True, at=NOW) for n in range(6))
    await asyncio.gather(company.count(), *objecting, company.count())
    assert await company.count() == []
    every = await promotions.list_of(company.tenant_id, None)
    assert {each.status for each in every} <= {"withdrawn"}


async def test_what_is_withdrawn_while_it_is_published_does_not_stay(company: Company):
    await company.tell_all(PRINTER)
    (proposal,) = await company.count()
    promotions, resources = company.resources.memory.promotions, company.resources
    await promotions.decide(decider(company, "the boss"), proposal.proposal_id, approves=True, at=NOW)

    class Slow(KnowledgePublisher):
        async def publish(self, tenant_id: UUID, text: str, source: str) -> str:
            await promotions.object(decider(company, "person 0"), objects=True, at=NOW + timedelta(seconds=1))
            return await super().publish(tenant_id, text, source)

    await settle_promotions(resources, company.tenant_id, Slow(resources))
    assert await company.known() == []
    assert (await find(company, proposal)).settled


async def test_a_proposal_whose_source_a_restored_backup_lacks_is_withdrawn(
    company: Company, test_addresses: Addresses
):
    await company.tell_all([*PRINTER, PRINTER[0]])
    (proposal,) = await company.count()
    assert proposal.people == 4
    with psycopg.connect(test_addresses.owner) as connection:
        lost = "delete from brain.promotion_sources where tenant_id = %s and user_id = %s"
        connection.execute(lost, (company.tenant_id, company.people["person 3"]))
    await company.count()
    assert (await find(company, proposal)).status == "withdrawn"
