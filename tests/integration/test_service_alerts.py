"""Alerts on a made-up day: they begin once, are told to a real receiver until it has them, and end."""

import asyncio
import hmac
import json
import re
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from apps.backups.database import note_backup
from apps.doctor.tenant import alerts_finding
from apps.http.alert_gauges import alerts, looked, refresh_alerts
from apps.jobs.sealing import sign_head
from brain.audit_key import AuditKey
from brain.resources import Resources
from brain.service_alerts.watch import AlertWatch
from brain.settings import Settings
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.postgres.sql import statement
from memory.refusals import Refusal
from memory.scope import Scope, name_id
from memory.service_alerts import INSTALLATION, AlertChange
from tests.fakes import Leanings, resources_of
from tests.integration import own_database
from tests.integration.brain_process import Brain, as_url
from tests.integration.level_rows import AT, INJECTION, LEFT_OUT, RETRIEVAL, WRITE, Rows, ago
from tests.integration.working import work

test_addresses, database = own_database.test_addresses, own_database.database
KEY = bytes(range(32))


@dataclass
class Receiver:
    """Answers with each of some statuses, then 200."""

    statuses: list[int] = field(default_factory=list[int])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list[tuple[dict[str, str], bytes]])
    address: str = ""

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(found.statuses.pop(0) if found.statuses else 200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found.address = f"http://127.0.0.1:{server.server_port}/alerts"
        yield found
        server.shutdown()


@pytest.fixture
def owner(test_addresses: Addresses) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(test_addresses.owner, autocommit=True) as connection:
        connection.execute("delete from brain.last_done")
        connection.execute("delete from brain.service_alerts")
        connection.execute("truncate brain.tombstones, brain.memory_receipts cascade")
        connection.execute("delete from queue.procrastinate_jobs")
        yield connection


@pytest.fixture
def core(database: Database) -> MemoryCore:
    return postgres_memory(database)


def at(core: MemoryCore, moment: datetime = AT, **settings: Any) -> Resources:
    return resources_of(Leanings(memory=core, clock=lambda: moment, settings=Settings(**settings)))


def telling(receiver: Receiver) -> dict[str, Any]:
    return {"alert_webhook": receiver.address, "alert_webhook_secret": SecretStr(b64encode(KEY).decode())}


def names(changes: list[AlertChange], tenant_id: UUID) -> list[tuple[str, str, str]]:
    return sorted(
        (each.alert.name, each.alert.severity, each.state) for each in changes if each.alert.tenant_id == tenant_id
    )


def searches(rows: Rows, moment: datetime, slow: int, fast: int) -> None:
    rows.receipts(slow, "retrieval", moment, RETRIEVAL | {"latency_ms": 200.0})
    rows.receipts(fast, "retrieval", moment, RETRIEVAL | {"latency_ms": 199.0})


async def test_what_burns_in_both_windows_begins_once_and_ends_when_the_short_one_is_over(
    core: MemoryCore, owner: psycopg.Connection[Any]
):
    rows, spike, few = Rows(owner), Rows(owner), Rows(owner)
    searches(rows, ago(minutes=2), slow=72, fast=28)  # 14.4 times the 5 % that may be slow
    searches(spike, ago(minutes=2), slow=40, fast=0)
    searches(spike, ago(minutes=50), slow=0, fast=300)
    searches(few, ago(minutes=2), slow=29, fast=0)
    found = await AlertWatch(at(core)).look_at_burning()
    latency = "retrieval_latency_p95"
    assert names(found, rows.tenant_id) == [(latency, "ticket", "began"), (latency, "urgent", "began")]
    assert names(found, spike.tenant_id) == names(found, few.tenant_id) == []
    [urgent] = [
        each.alert for each in found if (each.alert.tenant_id, each.alert.severity) == (rows.tenant_id, "urgent")
    ]
    assert (urgent.value, urgent.threshold, urgent.samples) == (14.4, 14.4, 100)
    later = AT + timedelta(minutes=1)
    assert names(await AlertWatch(at(core, later)).look_at_burning(), rows.tenant_id) == []
    renewed = await core.service_alerts.find(rows.tenant_id, urgent.alert_id)
    assert renewed is not None
    assert (renewed.began_at, renewed.renewed_at, renewed.ended_at) == (AT, later, None)
    over = await AlertWatch(at(core, AT + timedelta(minutes=4))).look_at_burning()
    assert names(over, rows.tenant_id) == [(latency, "urgent", "ended")]
    assert names(await AlertWatch(at(core, AT + timedelta(hours=9))).look_at_burning(), rows.tenant_id) == [
        (latency, "ticket", "ended")
    ]


async def test_several_processes_begin_and_end_each_alert_once(core: MemoryCore, owner: psycopg.Connection[Any]):
    rows = Rows(owner)
    rows.receipts(60, "injection", ago(minutes=1), LEFT_OUT)
    rows.receipts(20, "injection", ago(minutes=1), INJECTION)
    with capture_logs() as logs:
        found = await asyncio.gather(*(AlertWatch(at(core)).look_at_burning() for _ in range(3)))
        assert names([each for some in found for each in some], rows.tenant_id) == [
            ("context_overflow_rate", "ticket", "began"),
            ("context_overflow_rate", "urgent", "began"),
        ]
        late = at(core, AT + timedelta(hours=7))
        found = await asyncio.gather(*(AlertWatch(late).look_at_burning() for _ in range(3)))
        assert [state for *_, state in names([each for some in found for each in some], rows.tenant_id)] == [
            "ended",
            "ended",
        ]
    told = [
        (each["event"], each["severity"], each["log_level"])
        for each in logs
        if each.get("tenant_id") == str(rows.tenant_id)
    ]
    assert sorted(told)[:2] == [("alert_began", "ticket", "warning"), ("alert_began", "urgent", "error")]
    assert len(told) == 4


async def test_one_process_looks_in_a_minute(core: MemoryCore, owner: psycopg.Connection[Any]):
    claims = await asyncio.gather(*(core.service_alerts.claim("burn", 54.0) for _ in range(4)))
    assert sorted(claims) == [False, False, False, True]
    assert await core.service_alerts.claim("levels", 54.0)
    owner.execute("update brain.last_done set done_at = done_at - interval '1 minute' where act = 'burn'")
    assert await core.service_alerts.claim("burn", 54.0)
    owner.execute("update brain.last_done set done_at = done_at + interval '1 year'")  # the clock was set back
    assert await core.service_alerts.claim("burn", 54.0)


async def test_a_single_case_is_enough_where_there_may_be_none(core: MemoryCore, owner: psycopg.Connection[Any]):
    rows = Rows(owner)
    rows.tombstone(ago(days=30), ago(days=1))
    item = rows.memory()
    rows.version(item, 1, "create", ago(minutes=9))
    rows.version(item, 2, "correct", ago(minutes=8), audited=False)
    stranger = Scope(tenant_id=rows.tenant_id, user_id=rows.user_id)
    await core.refusals.record(stranger, Refusal(what="a thread", operator="bob", at=ago(minutes=1), trace_id="t"))
    found = await AlertWatch(at(core)).look_at_burning()
    assert names(found, rows.tenant_id) == [
        ("access_refused", "urgent", "began"),
        ("audit_completeness_rate", "urgent", "began"),
        ("deletion_timeout_rate", "urgent", "began"),
    ]


async def test_memory_that_gives_up_on_turns_burns_its_thousandth(core: MemoryCore, owner: psycopg.Connection[Any]):
    rows = Rows(owner)
    rows.receipt("write", ago(minutes=4), WRITE)
    for number in range(100):
        rows.operation(ago(minutes=4), ago(minutes=3), "dead_letter" if number < 2 else "stored")
    found = await AlertWatch(at(core)).look_at_burning()
    assert ("write_success_rate", "urgent", "began") in names(found, rows.tenant_id)


async def test_the_governor_makes_a_ticket_of_a_figure_that_fails_until_it_passes(
    core: MemoryCore, owner: psycopg.Connection[Any]
):
    rows = Rows(owner)
    rows.receipt("write", ago(hours=1), WRITE)
    rows.memories(29)
    rows.memories(11, stale=True)  # 11 of 40 are 27.5 %: more than 25
    watch = AlertWatch(at(core))
    assert names(await watch.look_at_levels(), rows.tenant_id) == [("staleness_rate", "ticket", "began")]
    assert names(await AlertWatch(at(core)).look_at_burning(), rows.tenant_id) == []  # whoever looks else ends nothing
    rows.memories(15)  # 11 of 55 are 20 %: neither good nor bad, so it goes on
    assert names(await watch.look_at_levels(), rows.tenant_id) == []
    rows.memories(45)  # 11 of 100
    assert names(await watch.look_at_levels(), rows.tenant_id) == [("staleness_rate", "ticket", "ended")]


async def test_the_receiver_gets_each_change_signed_and_again_until_it_takes_it(
    core: MemoryCore, owner: psycopg.Connection[Any], test_addresses: Addresses, receiver: Receiver
):
    rows = Rows(owner)
    rows.tombstone(ago(days=30), ago(days=1))
    resources = at(core, **telling(receiver))
    await AlertWatch(resources).look_at_burning()
    owner.execute("update brain.tombstones set due_at = %s", [AT + timedelta(days=1)])
    await AlertWatch(at(core, AT + timedelta(minutes=1), **telling(receiver))).look_at_burning()
    receiver.statuses = [503]
    await work(test_addresses, resources, queues=["corrections"])
    owner.execute("update queue.procrastinate_jobs set scheduled_at = null where status = 'todo'")
    await work(test_addresses, resources, queues=["corrections"])
    first, again, end = receiver.told()
    assert first == again
    assert [each["state"] for each in (again, end)] == ["began", "ended"]  # the end waited for the beginning
    assert again | {"id": "", "alert_id": ""} == {
        "event": "service_alert",
        "id": "",
        "state": "began",
        "alert_id": "",
        "tenant_id": str(rows.tenant_id),
        "name": "deletion_timeout_rate",
        "severity": "urgent",
        "value": 1.0,
        "threshold": 0.0,
        "samples": 1,
        "began_at": AT.isoformat(),
        "ended_at": None,
    }
    assert end["ended_at"] == (AT + timedelta(minutes=1)).isoformat()
    assert (first["id"], end["id"]) == (f"{first['alert_id']}:began", f"{first['alert_id']}:ended")
    for headers, body in receiver.got:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        version, _, signature = headers["webhook-signature"].partition(",")
        assert version == "v1"
        assert hmac.compare_digest(b64decode(signature), hmac.new(KEY, signed, sha256).digest())
        assert headers["webhook-id"] == json.loads(body)["id"]


async def test_without_a_webhook_nothing_is_queued(core: MemoryCore, owner: psycopg.Connection[Any]):
    Rows(owner).tombstone(ago(days=30), ago(days=1))
    await AlertWatch(at(core)).look_at_burning()
    told = owner.execute("select count(*) from queue.procrastinate_jobs where task_name = 'tell_alert'").fetchone()
    assert told == (0,)


async def test_what_was_written_and_is_not_sealed_at_the_next_look_is_late(
    core: MemoryCore, owner: psycopg.Connection[Any]
):
    async def seal() -> None:
        while (await core.audit_chain.seal(lambda head: sign_head(AuditKey.derive(bytes(32)), head), 1_000)).links:
            pass

    async def unsealed() -> float:
        return (await core.service_alerts.read_duties()).unsealed_seconds

    await seal()
    assert await unsealed() == 0
    Rows(owner).receipt("write", ago(days=900), WRITE)  # dated back, and new all the same
    assert await unsealed() == 0
    assert await unsealed() > 0
    owner.execute("update brain.last_done set done_at = now() - interval '31 minutes' where act = 'seal'")
    found = await AlertWatch(at(core)).look_at_burning()
    assert [each for each in names(found, INSTALLATION) if each[0] == "seal_age"] == [
        ("seal_age", "ticket", "began"),
        ("seal_age", "urgent", "began"),
    ]
    await seal()
    assert ("seal_age", "urgent", "ended") in names(await AlertWatch(at(core)).look_at_burning(), INSTALLATION)


async def test_a_backup_that_is_missing_or_old_is_told_where_somebody_asks_for_one(
    core: MemoryCore, owner: psycopg.Connection[Any], test_addresses: Addresses
):
    def backups(changes: list[AlertChange]) -> list[tuple[str, str]]:
        return [each[1:] for each in names(changes, INSTALLATION) if each[0] == "backup_age"]

    assert backups(await AlertWatch(at(core)).look_at_burning()) == []
    watch = AlertWatch(at(core, alert_backup_hours=24.0))
    assert backups(await watch.look_at_burning()) == [("ticket", "began"), ("urgent", "began")]
    now = datetime.now(AT.tzinfo)
    await note_backup(test_addresses, now - timedelta(hours=25))
    assert backups(await watch.look_at_burning()) == [("urgent", "ended")]
    await note_backup(test_addresses, now)
    await note_backup(test_addresses, now - timedelta(hours=90))
    assert backups(await watch.look_at_burning()) == [("ticket", "ended")]


async def test_metrics_and_the_doctor_tell_what_is_active(
    core: MemoryCore, owner: psycopg.Connection[Any], test_addresses: Addresses
):
    def gauge(name: str, severity: str) -> float | None:
        labels = {"cell": HOME, "indicator": name, "severity": severity}
        samples = [each for metric in alerts.collect() for each in metric.samples]
        return next((each.value for each in samples if each.labels == labels), None)

    await refresh_alerts({HOME: core})
    assert gauge("deletion_timeout_rate", "urgent") == 0
    assert next(iter(looked.collect())).samples[0].value == float("inf")
    for _ in range(2):
        Rows(owner).tombstone(ago(days=30), ago(days=1))
    await AlertWatch(at(core, alert_backup_hours=1.0)).look()
    await refresh_alerts({HOME: core})
    assert gauge("deletion_timeout_rate", "urgent") == 2
    assert gauge("deletion_timeout_rate", "ticket") == 0
    assert next(iter(looked.collect())).samples[0].value < 60
    found = await alerts_finding(Settings(database_url=as_url(test_addresses.owner)), "local")
    assert found is not None  # of the installation; what burns in other tenants is theirs
    assert found.what == "backup_age (urgent), backup_age (ticket) (tenant local)"


def test_the_command_lists_what_goes_on_and_what_ended(
    owner: psycopg.Connection[Any], test_addresses: Addresses, tmp_path: Path
):
    brain = Brain(as_url(test_addresses.owner), tmp_path)
    assert brain.ask("alerts", "list").out == "There is no alert.\n"
    told = {"severity": "urgent", "value": 15.5, "threshold": 14.4, "samples": 100, "began_at": AT, "renewed_at": AT}
    own, stranger = Rows(owner, name_id("tenant", brain.tenant)), Rows(owner)
    own.insert("service_alerts", alert_id=uuid4(), name="context_overflow_rate", **told)
    own.insert("service_alerts", alert_id=uuid4(), name="retrieval_latency_p95", ended_at=AT, **told)
    stranger.insert("service_alerts", alert_id=uuid4(), name="write_success_rate", **told)
    Rows(owner, INSTALLATION).insert("service_alerts", alert_id=uuid4(), name="queue_age", **told)
    active, everything = (brain.ask("alerts", "list", *more, "--json").json["alerts"] for more in ((), ("--ended",)))
    names = [(each["name"], each["of"], each["ended_at"] is None) for each in everything]
    assert sorted(names) == [
        ("context_overflow_rate", "tenant", True),
        ("queue_age", "installation", True),
        ("retrieval_latency_p95", "tenant", False),
    ]
    assert [each["name"] for each in active] == [name for name, _, is_active in names if is_active]
    shown = brain.ask("alerts", "list").out
    assert "urgent" in shown
    assert "goes on" in shown


def test_what_is_looked_for_every_minute_is_found_by_an_index(owner: psycopg.Connection[Any]):
    owner.execute("set enable_seqscan = off")
    expected = {
        "audited_since": "audit_by_time",
        "active_alerts": "service_alerts_active",
        "end_alert": "service_alerts",
    }
    for name, index in expected.items():
        names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement(name).text)))
        text = re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", statement(name).text)  # noqa: B023
        plan = owner.execute(f"explain (generic_plan) {text}".encode()).fetchall()
        assert index in str(plan), (name, plan)


async def test_what_ended_long_ago_is_dropped_when_another_begins(core: MemoryCore, owner: psycopg.Connection[Any]):
    rows = Rows(owner)
    told = {"name": "access_refused", "severity": "urgent", "value": 1, "threshold": 0, "samples": 1}
    for days in (100, 80):
        begun = ago(days=days)
        rows.insert("service_alerts", alert_id=uuid4(), began_at=begun, renewed_at=begun, ended_at=begun, **told)
    rows.tombstone(ago(days=30), ago(days=1))
    await AlertWatch(at(core)).look_at_burning()
    left = await core.service_alerts.list_newest(rows.tenant_id, 10)
    assert [(each.name, each.began_at) for each in left] == [
        ("deletion_timeout_rate", AT),
        ("access_refused", ago(days=80)),
    ]
