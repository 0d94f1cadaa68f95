"""Who comes in, and what bears whose name: the outer door, owners, and what a server tells of itself."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, get_args
from uuid import uuid4

import jwt
import pytest
from langgraph_sdk import Auth
from starlette.types import Receive, Scope, Send

from apps.access import audit as access_audit
from apps.access.middleware import AccessMiddleware, refusal
from apps.access.tokens import Claims
from apps.doctor.readiness import check_readiness
from apps.http.errors import STATUS
from apps.servers import auth
from apps.threads.registry import KnownThread, Owner, restore
from brain.settings import Settings
from memory.errors import BrainError, Code, unavailable
from memory.scope import Speaker, scope_of
from memory.service_alerts import QueueHealth
from tests.fakes import NOW, Leanings, resources_of

doors: Any = auth
"""Its handlers, which registering dresses in types of their own."""
SECRET = "a secret of the tests, longer than thirty-two characters"


def request(client: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    told = {"host": "localhost:2024", **headers}
    return {
        "type": "http",
        "method": "GET",
        "path": "/threads",
        "client": (client, 1),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in told.items()],
    }


@pytest.mark.parametrize(
    ("asked", "comes_in"),
    [
        (request(), True),
        (request("::1", host="[::1]:2024"), True),
        (request(origin="http://localhost:3000"), True),
        (request(origin="https://smith.langchain.com"), True),
        (request("192.168.1.7"), False),
        (request("127.0.0.1.evil.example"), False),
        (request(host="evil.example"), False),
        (request(host="localhost.evil.example"), False),
        (request(origin="https://evil.example"), False),
        (request(origin="https://smith.langchain.com.evil.example"), False),
        (request(origin="null"), False),
        ({**request(), "client": None}, False),
    ],
)
def test_an_open_server_listens_to_its_own_machine(asked: dict[str, Any], comes_in: bool):
    assert (refusal(asked, Settings()) is None) is comes_in
    assert refusal(asked, Settings(auth_jwt_secret=SECRET)) is None


class Behind:
    """What stands behind the door, remembering what came through."""

    def __init__(self) -> None:
        self.reached: list[Scope] = []
        self.sent: list[Any] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope)

    async def knock(self, scope: Scope) -> None:
        async def receive() -> Any:
            raise AssertionError("nobody reads a request that is refused")

        async def send(message: Any) -> None:
            self.sent.append(message)

        await AccessMiddleware(self)(scope, receive, send)


@pytest.fixture
def guarded_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Set what this process is configured with."""

    def use(settings: Settings) -> None:
        resources = resources_of(Leanings(settings=settings))
        for module in (
            "apps.access.audit",
            "apps.access.middleware",
            "apps.servers.auth",
            "apps.access.authentication",
            "apps.doctor.readiness",
        ):
            monkeypatch.setattr(f"{module}.shared_resources", lambda: resources)
        doors.authenticator.cache_clear()

    yield use
    doors.authenticator.cache_clear()


async def test_the_header_of_the_studio_bypass_never_gets_through(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    behind = Behind()
    await behind.knock(request(x_auth_scheme="langsmith", authorization="Bearer x"))
    assert [name for name, _ in behind.reached[0]["headers"]] == [b"host", b"authorization"]


@pytest.mark.parametrize("path", ["/internal/truncate", "/internal/debug/thread/1", "/deploy", "/deploy/x/stream"])
async def test_routes_for_testing_the_server_are_closed(guarded_by: Any, path: str):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    behind = Behind()
    await behind.knock({**request(), "path": path})
    assert behind.reached == []
    assert behind.sent[0]["status"] == 404


async def test_a_websocket_from_elsewhere_is_closed(guarded_by: Any):
    guarded_by(Settings())
    behind = Behind()
    await behind.knock({**request(origin="https://evil.example"), "type": "websocket"})
    assert behind.reached == []
    assert behind.sent[0]["type"] == "websocket.close"


async def test_the_server_may_call_itself(guarded_by: Any):
    guarded_by(Settings())
    behind = Behind()
    await behind.knock({**request(host="api"), "client": None, "root_path": "/noauth"})
    assert len(behind.reached) == 1


class Ledger:
    """Knows whose threads the database has."""

    def __init__(self, **owners: Owner) -> None:
        self._owners = owners

    async def fetch_owner(self, thread_id: str) -> Owner | None:
        return self._owners.get(thread_id)


def asking(user: Any, resource: Any, action: Any) -> Auth.types.AuthContext:
    return Auth.types.AuthContext(user=user, permissions=[], resource=resource, action=action)


ANN_SIGNED_IN: Any = doors.user_of(Claims(tenant="acme", user="ann@acme.example"))
STAMP = {"tenant": "acme", "owner": "ann@acme.example"}


@pytest.mark.usefixtures("memory")
async def test_what_a_person_makes_bears_their_name_whatever_they_say(guarded_by: Any, monkeypatch: pytest.MonkeyPatch):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    monkeypatch.setattr(doors, "thread_registry", Ledger)
    for action in ("create", "create_run", "update"):
        value = {"thread_id": uuid4(), "metadata": {"owner": "bob", "tenant": "evil", "colour": "red"}}
        filters = await doors.authorize_threads(asking(ANN_SIGNED_IN, "threads", action), value)
        assert value["metadata"] == {**STAMP, "colour": "red"}
        assert filters == STAMP
    for action in ("read", "search", "delete"):
        assert await doors.authorize_threads(asking(ANN_SIGNED_IN, "threads", action), {}) == STAMP


@pytest.mark.usefixtures("memory")
async def test_a_thread_that_the_server_forgot_cannot_be_begun_by_another(
    guarded_by: Any, monkeypatch: pytest.MonkeyPatch
):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    thread_id = uuid4()
    ctx, before = asking(ANN_SIGNED_IN, "threads", "create"), await refused_attempts()
    for owner, comes_in in (
        (Owner("acme", "ann@acme.example"), True),
        (Owner("acme", "bob"), False),
        (Owner("other", "ann@acme.example"), False),
        (Owner(None, None), False),
    ):
        known = Ledger(**{str(thread_id): owner})
        monkeypatch.setattr(doors, "thread_registry", lambda known=known: known)
        if comes_in:
            assert await doors.authorize_threads(ctx, {"thread_id": thread_id, "metadata": {}}) == STAMP
        else:
            with pytest.raises(Auth.exceptions.HTTPException):
                await doors.authorize_threads(ctx, {"thread_id": thread_id, "metadata": {}})
    assert await refused_attempts() == before + 3


@pytest.mark.parametrize("settings", [Settings(), Settings(auth_jwt_secret=SECRET)])
async def test_a_misspelt_field_of_the_context_is_refused_before_anything_runs(guarded_by: Any, settings: Settings):
    guarded_by(settings)
    sent = {"context": {"usr": "ann"}, "config": {"configurable": {"usr": "ann", "__context_provided__": True}}}
    for handler, action, value in (
        (doors.authorize_threads, "create_run", {"kwargs": sent}),
        (doors.authorize_assistants, "create", {"context": {"usr": "ann"}}),
        (doors.authorize_assistants, "update", {"context": {"usr": "ann"}}),
    ):
        with pytest.raises(Auth.exceptions.HTTPException) as refused:
            await handler(asking(ANN_SIGNED_IN, "threads", action), value)
        assert refused.value.status_code == (422 if handler is doors.authorize_assistants else 400)
        assert refused.value.detail == "E_BAD_REQUEST: The context has no field 'usr'. Did you mean 'user'?"


async def test_what_an_older_client_configures_is_no_context(guarded_by: Any):
    guarded_by(Settings())
    configured = {"thread_id": "t", "checkpoint_ns": ""}
    value = {"kwargs": {"context": configured, "config": {"configurable": configured}}}
    assert await doors.authorize_threads(asking(ANN_SIGNED_IN, "threads", "create_run"), value) == {}


async def test_an_assistant_cannot_pass_for_the_servers_own(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    value = {"metadata": {"created_by": "system"}}
    await doors.authorize_assistants(asking(ANN_SIGNED_IN, "assistants", "create"), value)
    assert value["metadata"] == STAMP
    seen = await doors.authorize_assistants(asking(ANN_SIGNED_IN, "assistants", "search"), {})
    assert seen == {"$or": [{"created_by": "system"}, STAMP]}


async def test_the_store_asks_for_a_token_and_leaves_namespaces_alone(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    asked = {"namespace": ("bob", "notes")}
    await doors.authorize_store(asking(SignedIn(ANN_SIGNED_IN), "store", "get"), asked)
    assert asked == {"namespace": ("bob", "notes")}
    with pytest.raises(Auth.exceptions.HTTPException):
        await doors.authorize_store(asking(SignedIn({"identity": "studio"}), "store", "get"), asked)


async def refused_attempts() -> int:
    """As they are counted for the tenant that made them."""
    acme = scope_of(Speaker(tenant="acme", user="anybody"))
    return await access_audit.shared_resources().memory.refusals.count(acme, NOW)


@pytest.mark.usefixtures("memory")
async def test_a_refusal_stands_when_its_audit_cannot_be_written(guarded_by: Any, monkeypatch: pytest.MonkeyPatch):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    resources = access_audit.shared_resources()
    unwritable = replace(resources, memory=replace(resources.memory, refusals=Failing()))  # type: ignore[arg-type]
    monkeypatch.setattr(access_audit, "shared_resources", lambda: unwritable)
    thread_id = uuid4()
    known = Ledger(**{str(thread_id): Owner("acme", "bob")})
    monkeypatch.setattr(doors, "thread_registry", lambda: known)
    ctx = asking(ANN_SIGNED_IN, "threads", "create")
    with pytest.raises(Auth.exceptions.HTTPException) as refused:
        await doors.authorize_threads(ctx, {"thread_id": thread_id, "metadata": {}})
    assert refused.value.status_code == 404


class Failing:
    async def record(self, *_: object) -> None:
        raise unavailable("away")


class SignedIn(dict[str, Any]):
    """A user as the server hands it on: a mapping with an identity."""

    @property
    def identity(self) -> str:
        return str(self["identity"])


async def test_a_developer_let_in_by_studio_is_nobody_where_tokens_are_required(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    developer = {"identity": "langgraph-studio-user", "kind": "StudioUser"}
    for handler in (doors.authorize_threads, doors.authorize_assistants, doors.authorize_store, doors.refuse_others):
        with pytest.raises(Auth.exceptions.HTTPException) as refused:
            await handler(asking(developer, "threads", "read"), {})
        assert refused.value.status_code == 401


async def test_what_no_rule_names_is_forbidden_unless_the_server_is_open(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    assert await doors.refuse_others(asking(ANN_SIGNED_IN, "crons", "create"), {}) is False
    guarded_by(Settings())
    assert await doors.refuse_others(asking({"identity": "local"}, "crons", "create"), {}) is True


async def test_the_user_carries_what_identity_needs(guarded_by: Any):
    guarded_by(Settings(auth_jwt_secret=SECRET))
    claims = {"sub": "ann", "exp": datetime.now(UTC) + timedelta(minutes=1), "tenant": "acme"}
    claims |= {"roles": ["editor"], "channels": ["c1"], "org_tier": "brand_hq", "role": "owner"}
    user: Any = await doors.authenticate(request(authorization=f"Bearer {jwt.encode(claims, SECRET)}"))
    told = {name: user[name] for name in ("tenant", "user", "roles", "channels", "org_tier", "role")}
    assert told == {
        "tenant": "acme",
        "user": "ann",
        "roles": ["editor"],
        "channels": ["c1"],
        "org_tier": "brand_hq",
        "role": "owner",
    }


async def test_an_open_server_identifies_nobody(guarded_by: Any):
    guarded_by(Settings())
    user: Any = await doors.authenticate(request())
    assert "tenant" not in user
    with pytest.raises(Auth.exceptions.HTTPException) as refused:
        await doors.authenticate(request("203.0.113.9"))
    assert refused.value.status_code == 403


class ForgetfulServer:
    """A server's own client: it knows some threads, and is told of others."""

    def __init__(self, *known: str) -> None:
        self.threads = self
        self.told: dict[str, Any] = {}
        self._known = known

    async def search(self, ids: list[str], limit: int, select: list[str]) -> list[dict[str, str]]:
        assert (limit, select) == (len(ids), ["thread_id"])
        return [{"thread_id": each} for each in ids if each in self._known]

    async def create(self, thread_id: str, metadata: dict[str, Any], if_exists: str) -> None:
        assert if_exists == "do_nothing"
        self.told[thread_id] = metadata


async def test_a_server_is_told_only_of_the_threads_that_it_forgot():
    server: Any = ForgetfulServer("t1")
    known = [KnownThread("t1", "brain", "a", "acme", "ann"), KnownThread("t2", "brain", None, "acme", "bob")]
    assert await restore(known, server) == 1
    assert server.told == {"t2": {"graph_id": "brain", "tenant": "acme", "owner": "bob"}}


def stub_readiness(
    monkeypatch: pytest.MonkeyPatch,
    operation: Callable[..., Any],
    health: QueueHealth,
    disk: BrainError | None = None,
) -> None:
    """What readiness asks: the log, the ledger of checkpoints, the disk, and the queue."""

    async def fetch_recent(*_: object) -> list[str]:
        return []

    async def probe_disk() -> None:
        if disk:
            raise disk

    async def queue() -> QueueHealth:
        return health

    resources = SimpleNamespace(
        settings=Settings(), memory=SimpleNamespace(log=SimpleNamespace(operation=operation)), other_cells={}
    )
    monkeypatch.setattr("apps.doctor.readiness.shared_resources", lambda: resources)
    monkeypatch.setattr(
        "apps.doctor.readiness.thread_registry",
        lambda: SimpleNamespace(fetch_recent=fetch_recent, probe_disk=probe_disk, queue=queue),
    )


async def test_readiness_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch):
    async def operation(*_: object) -> None:
        raise unavailable("The database is away.")

    idle = QueueHealth(waiting=0, running=0, dead_letters=0, oldest_seconds=0.0, workers=1)
    stub_readiness(monkeypatch, operation, idle, unavailable("The database has no disk space left."))
    worker: Any = SimpleNamespace(is_alive=False)
    found = await check_readiness(worker)
    assert found.parts == {
        "memory": "E_DEP_UNAVAILABLE",
        "checkpoints": "ok",
        "disk": "E_DEP_UNAVAILABLE",
        "worker": "stopped",
        "queue": "ok",
    }
    assert not found.is_ready
    assert (await check_readiness(None)).parts["worker"] == "not started"


async def test_readiness_knows_how_long_the_oldest_job_waits(monkeypatch: pytest.MonkeyPatch):
    async def operation(*_: object) -> None:
        return None

    behind = QueueHealth(waiting=3, running=1, dead_letters=0, oldest_seconds=612.34, workers=1)
    stub_readiness(monkeypatch, operation, behind)
    worker: Any = SimpleNamespace(is_alive=True)
    found = await check_readiness(worker)
    assert (found.parts["queue"], found.oldest_job_seconds) == ("behind", 612.3)
    assert found.is_ready


def test_only_what_may_pass_by_itself_is_a_503():
    assert {code for code, status in STATUS.items() if status in {503, 504}} == {"E_DEP_UNAVAILABLE", "E_DEP_TIMEOUT"}
    assert (STATUS["E_INTERNAL"], STATUS["E_DIM_MISMATCH"], STATUS["E_CONFIG"]) == (500, 409, 500)
    assert set(STATUS) == set(get_args(Code))
