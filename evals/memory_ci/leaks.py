"""Leak fuzzing: random calls of the memory API by strangers who know every id. No answer may hold a foreign canary."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, get_args
from uuid import UUID, uuid4

from annotated_types import Ge
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from apps.access.roles import PERSON_SCOPES
from apps.access.tokens import Claims
from apps.memory_api.endpoint import AnyEndpoint, ApiCall
from apps.memory_api.routes import HTTP_ENDPOINTS
from brain.embeddings.backfill import embed_pending
from brain.identity import Identity
from brain.resources import Resources
from evals.memory_ci.bench import Bench, told_of_time
from evals.memory_ci.report import Figure, Findings
from graphs.evolution import evolve
from memory.errors import BrainError
from memory.memory_item import MemoryItem
from memory.scope import Speaker, scope_of, session_id_of

CALLS, QUICK = 4_000, 200
SEED = 29
_SESSION, _DOCUMENT, _KEY = "cellar", "2026-03-01", "secret"
_NUMBERS = (0, 1, 2, 50, 10_000)


@dataclass(frozen=True)
class Person:
    """Somebody of a tenant, with a word that nobody else has."""

    tenant: str
    user: str
    canary: str
    known: list[str] = field(default_factory=list[str])
    """Ids, cursors and names by which others might ask for what is theirs."""

    def call(self, resources: Resources) -> ApiCall:
        """A call over the API with a person's own rights."""
        scope = scope_of(Speaker(tenant=self.tenant, user=self.user), resources.settings.dm_scope)
        return ApiCall(
            identity=Identity(scope=scope, tenant=self.tenant, user=self.user),
            resources=resources,
            trace_id=str(resources.new_id()),
            claims=Claims(tenant=self.tenant, user=self.user),
        )


async def find_leaks(bench: Bench, endpoints: Sequence[AnyEndpoint] = HTTP_ENDPOINTS) -> Findings:
    """Two tenants, in each one who has something to lose and one who looks for it."""
    mark = uuid4().hex[:8].translate(str.maketrans("0123456789", "ghijklmnop"))
    victims = [Person(tenant, "ann", f"zq{tenant[:1]}{mark}") for tenant in ("acme", "birch")]
    strangers = [Person(tenant, "bob", f"own{tenant[:1]}{mark}") for tenant in ("acme", "birch")]
    async with bench.open() as resources:
        for person in (*victims, *strangers):
            await _fill(resources, person)
        before = [await _held(resources, each) for each in victims]
        fuzz = Fuzz(resources, [each for each in endpoints if each.scope in PERSON_SCOPES], victims, Random(SEED))
        planned = [strangers[number % 2] for number in range(QUICK if bench.is_quick else CALLS)]
        for stranger in bench.in_time(planned, 0.8):
            await fuzz.call_once(stranger)
        changed = [before[n] != await _held(resources, each) for n, each in enumerate(victims)]
        own = [await _recalls(resources, each, each.canary) for each in victims]
        crossed = [await _recalls(resources, each, victims[1 - n].canary) for n, each in enumerate(victims)]
    return Findings(
        figures=[
            Figure(
                name="answers with a foreign canary", part=fuzz.leaks.total(), whole=fuzz.calls, most=0.0, is_wrong=True
            ),
            Figure(name="failures without a code", part=fuzz.crashes.total(), whole=fuzz.calls, most=0.0),
            Figure(
                name="people whose memory was changed", part=sum(changed), whole=len(changed), most=0.0, is_wrong=True
            ),
            Figure(name="recall across tenants", part=sum(crossed), whole=len(crossed), most=0.0, is_wrong=True),
            Figure(name="people who find their own", part=sum(own), whole=len(own), least=1.0),
            Figure(name="calls that were answered", part=fuzz.answered, whole=fuzz.calls, least=0.1),
            Figure(name="endpoints called", part=len(fuzz.called), whole=len(fuzz.endpoints)),
        ],
        faults=[*(f"{name} told of somebody else" for name in fuzz.leaks), *fuzz.crashes],
        notes=told_of_time("calls", fuzz.calls, len(planned)),
    )


@dataclass
class Fuzz:
    """Random requests by strangers, made of the names of what is not theirs."""

    resources: Resources
    endpoints: Sequence[AnyEndpoint]
    victims: Sequence[Person]
    chance: Random
    calls: int = 0
    answered: int = 0
    leaks: Counter[str] = field(default_factory=Counter[str])
    crashes: Counter[str] = field(default_factory=Counter[str])
    called: set[str] = field(default_factory=set[str])

    async def call_once(self, stranger: Person) -> None:
        """One request; what it is answered or refused with must not tell of anybody else."""
        endpoint, victim = self.chance.choice(self.endpoints), self.chance.choice(self.victims)
        self.calls += 1
        self.called.add(endpoint.name)
        told = await self._answer(endpoint, victim, stranger)
        if any(each.canary in told for each in self.victims):
            self.leaks[endpoint.name] += 1

    async def _answer(self, endpoint: AnyEndpoint, victim: Person, stranger: Person) -> str:
        values = {**endpoint.example, **self._values(endpoint.request, victim)}
        try:
            reply = await endpoint(endpoint.read(values), stranger.call(self.resources))
        except BrainError as refused:
            return f"{refused.message} {refused.hint}"
        except Exception as crash:  # whatever a call dies of is counted, and the next one is made
            self.crashes[f"{endpoint.name} failed with {type(crash).__name__}"] += 1
            return str(crash)
        self.answered += 1
        return f"{reply.data.model_dump_json()} {reply.retrieval_trace}"

    def _values(self, request: type[BaseModel], victim: Person) -> dict[str, object]:
        """Some of the fields, each with something that is the victim's or at least of its type."""
        return {
            name: self._value(info, victim)
            for name, info in request.model_fields.items()
            if info.is_required() or self.chance.random() < 0.5
            if self._value(info, victim) is not None
        }

    def _value(self, info: FieldInfo, victim: Person) -> object:
        kinds = {info.annotation, *get_args(info.annotation)}
        ids = [each for each in victim.known if _is_id(each)]
        if UUID in kinds:
            return self.chance.choice(ids)
        if bool in kinds:
            return self.chance.random() < 0.5
        if int in kinds:
            least = max([int(str(each.ge)) for each in info.metadata if isinstance(each, Ge)], default=0)
            return max(least, self.chance.choice(_NUMBERS))
        if str in kinds:
            return self.chance.choice([*victim.known, victim.user, "Which secret is it?", "你知道什么秘密？"])
        return None


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


async def _fill(resources: Resources, person: Person) -> None:
    """Something of most things, all of it with the canary, through the person's own calls."""
    text = f"My secret is {person.canary}."
    turn = {"user_message": text, "assistant_message": f"{person.canary}, I see.", "session": _SESSION}
    asked: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("PUT /v1/memory/memories", {"key": _KEY, "text": text}),
        ("POST /v1/memory/after_llm", turn),
        ("PUT /v1/memory/documents/{name}", {"name": _DOCUMENT, "body": f"# {person.canary}", "version": 0}),
        ("POST /v1/memory/store/batch", {"operations": [_stored(person)]}),
        ("POST /v1/memory/before_llm", {"message": "What is my secret?", "session": _SESSION}),
    )
    by_route = {f"{each.method} {each.path}": each for each in HTTP_ENDPOINTS}
    call = person.call(resources)
    for route, values in asked:
        reply = await by_route[route](by_route[route].read(values), person.call(resources))
        person.known.extend(_ids_in(reply.data.model_dump(mode="json")))
    await evolve(resources, call.scope, session_id_of(call.scope, _SESSION))
    await embed_pending(resources, call.scope)
    person.known.extend(str(each.memory_id) for each in await _items(resources, call))
    person.known.extend((_SESSION, _DOCUMENT, _KEY, person.user, person.tenant))


def _stored(person: Person) -> dict[str, Any]:
    return {"op": "put", "namespace": ["notes"], "key": "tea", "value": {"text": person.canary}}


def _ids_in(told: object) -> list[str]:
    match told:
        case str() if _is_id(told):
            return [told]
        case dict():
            return [found for value in told.values() for found in _ids_in(value)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list():
            return [found for value in told for found in _ids_in(value)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return []


async def _items(resources: Resources, call: ApiCall) -> list[MemoryItem]:
    return await resources.memory.items.list_newest(call.scope, include_inactive=True, limit=500)


async def _held(resources: Resources, person: Person) -> object:
    """What a stranger could have changed."""
    call = person.call(resources)
    documents = await resources.memory.documents.list_documents(call.scope)
    items = await _items(resources, call)
    return [
        sorted((str(each.memory_id), each.content, each.status, each.version) for each in items),
        sorted((each.kind, each.name, each.version, each.body) for each in documents),
    ]


async def _recalls(resources: Resources, person: Person, canary: str) -> bool:
    """Whether the person's own recall brings a canary."""
    recall = next(each for each in HTTP_ENDPOINTS if each.path == "/v1/memory/recall" and each.method == "POST")
    reply = await recall(recall.read({"query": "What is my secret?"}), person.call(resources))
    return canary in reply.data.model_dump_json()
