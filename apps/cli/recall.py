"""``brain recall``: the retrieval alone, with the score of every leg and signal."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import Annotated, Any, get_args
from uuid import UUID

import typer

from apps.cli.options import AsJson, PersonOptions, choices, command, scope_from, time_zones
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.iso_times import parse_time
from apps.views.proof import Proof, Source, fetch_proofs
from brain.identity import Identity
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from memory.contracts import Lane
from memory.errors import bad_request
from memory.recall.policies.registry import POLICIES, find_policy
from memory.recall.policy import RankedCandidate
from memory.recall.query import MAX_LIMIT, CandidateRow, Filters, Strategy, TimeWindow
from memory.scope import Scope
from memory.storable_text import require_storable_text
from nodes.open_session import parse_zone, session_of

_SENTENCES = {
    "cross_encoder_incomplete": "The cross-encoder read only the best memories in its time (BRAIN_RERANK_TIMEOUT).",
    "cross_encoder_unavailable": "The cross-encoder did not answer, so the policy's order stands; see 'brain doctor'.",
    "embedder_loading": "The encoder is still being loaded, so words alone were searched.",
    "embedder_unavailable": "The embedding model did not answer, so words alone were searched; see 'brain doctor'.",
    "embeddings_incomplete": "Most of this has no vector of the configured model yet; see 'brain embed status'.",
    "pgvector_unavailable": "The vectors are of another length than the model's now; run 'brain embed switch MODEL'.",
}
LANES: tuple[Lane, ...] = get_args(Lane)
_EVER = TimeWindow(start=datetime.min.replace(tzinfo=UTC), end=datetime.max.replace(tzinfo=UTC))


@dataclass(frozen=True, kw_only=True)
class RecallOptions(PersonOptions):
    """What is asked of memory."""

    query: Annotated[str, typer.Argument(help="The question, in plain words.")]
    k: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="How many memories.")] = 10
    as_of: Annotated[str, typer.Option(help="Recall what was believed at that time (ISO 8601).")] = ""
    at: Annotated[str, typer.Option(help="When the question is asked (ISO 8601); now when empty.")] = ""
    policy: Annotated[
        str, typer.Option(help="Ranking policy; the configured one when empty.", autocompletion=choices(POLICIES))
    ] = ""
    strategy: Annotated[Strategy, typer.Option(help="Which legs search.")] = "auto"
    session: Annotated[list[str], typer.Option(help="Only these sessions, by name.")] = field(default_factory=list[str])
    speaker: Annotated[list[str], typer.Option(help="Only what these people said.")] = field(default_factory=list[str])
    category: Annotated[list[str], typer.Option(help="Only these categories.")] = field(default_factory=list[str])
    lane: Annotated[
        list[str], typer.Option(help=f"Only these lanes: {', '.join(LANES)}.", autocompletion=choices(LANES))
    ] = field(default_factory=list[str])
    since: Annotated[str, typer.Option(help="Only what was said at that time or later (ISO 8601).")] = ""
    until: Annotated[str, typer.Option(help="Only what was said before that time (ISO 8601).")] = ""
    time_zone: Annotated[str, typer.Option(help="IANA zone of the person who asks.", autocompletion=time_zones)] = ""
    all: Annotated[bool, typer.Option(help="Also what stands below the cut, which no prompt would carry.")] = False
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "recall")
    def recall_(options: RecallOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Find memories that bear on a question, without a conversation."""
        answer = run(lambda resources: _answer(resources, options), load_settings())
        if options.json:
            emit(answer)
        else:
            _show(answer)


async def _answer(resources: Resources, options: RecallOptions) -> dict[str, Any]:
    scope = scope_from(options, resources.settings.dm_scope)
    question = build_ask(options, scope, resources)
    policy = find_policy(options.policy or resources.settings.ranking_policy)
    await resources.open()
    started = perf_counter()
    recalled = await recall(resources, scope, question, policy.name)
    latency = round((perf_counter() - started) * 1000, 3)
    hits = await _fetch_hits(resources, scope, recalled.ranked if options.all else recalled.relevant)
    return {
        "query": options.query,
        "policy": recalled.policy,
        "degraded_reasons": list(recalled.degraded),
        "latency_ms": latency,
        "hits": hits,
    }


def build_ask(options: RecallOptions, scope: Scope, resources: Resources) -> RecallRequest:
    """The options as a question. Raises ``E_BAD_REQUEST`` for a time or a zone that is none."""
    zone = parse_zone(options.time_zone or resources.settings.time_zone)
    if not options.query.strip():
        raise bad_request("The question is empty.", "Ask something.")
    return RecallRequest(
        text=require_storable_text(options.query),
        at=parse_time(options.at, zone) if options.at else resources.clock(),
        time_zone=zone,
        as_of=parse_time(options.as_of, zone) if options.as_of else None,
        strategy=options.strategy,
        filters=_filters(options, scope, zone),
        limit=options.k,
    )


def _filters(options: RecallOptions, scope: Scope, zone: str) -> Filters:
    owner = Identity(scope=scope, tenant=options.tenant, user=options.user)
    window = TimeWindow(
        start=parse_time(options.since, zone) if options.since else _EVER.start,
        end=parse_time(options.until, zone) if options.until else _EVER.end,
    )
    return Filters(
        lanes=tuple(_lane(name) for name in options.lane),
        categories=tuple(options.category),
        speakers=tuple(options.speaker),
        session_ids=tuple(session_of(owner, name) for name in options.session),
        observed=window if window != _EVER else None,
    )


def _lane(name: str) -> Lane:
    for lane in LANES:
        if lane == name:
            return lane
    raise bad_request(f"There is no lane {name[:60]!r}.", f"Choose among {', '.join(LANES)}.")


async def _fetch_hits(resources: Resources, scope: Scope, ranked: Sequence[RankedCandidate]) -> list[dict[str, Any]]:
    proofs = await fetch_proofs(resources.memory, scope, [_source(each) for each in ranked])
    sessions = [each.candidate.session_id for each in ranked if each.candidate.session_id]
    names = await resources.memory.log.session_names(scope, sessions)
    return [_hit(each, proofs[each.candidate.source_id], names) for each in ranked]


def _source(ranked: RankedCandidate) -> Source:
    found = ranked.candidate
    return Source(found.source_id, found.lane, (found.event_id, *found.span) if found.event_id else None)


def _hit(ranked: RankedCandidate, proofs: Sequence[Proof], sessions: Mapping[UUID, str]) -> dict[str, Any]:
    found = ranked.candidate
    return {
        "id": found.source_id,
        "lane": found.lane,
        "text": found.text,
        "about": found.about,
        "span": _span(found),
        "turn_id": next((proof.turn_id for proof in proofs if proof.turn_id), None),
        "session": sessions.get(found.session_id) if found.session_id else None,
        "speaker": found.speaker,
        "role": found.role,
        "observed_at": found.observed_at,
        "category": found.category,
        "score": round(ranked.score, 6),
        "signals": {name: round(value, 4) for name, value in ranked.signals.items()},
        "evidence": [asdict(proof) for proof in proofs],
    }


def _span(found: CandidateRow) -> dict[str, Any] | None:
    """Which words of which logged turn came, in code points."""
    if found.lane != "turn":
        return None
    start, end = found.span
    return {"event_id": found.turn_id, "start": start, "end": end}


def _show(answer: Mapping[str, Any]) -> None:
    rows = [
        (f"{hit['score']:.3f}", hit["observed_at"].strftime("%Y-%m-%d"), hit["speaker"], _place(hit), hit["text"])
        for hit in sorted(answer["hits"], key=lambda hit: -hit["score"])
    ]
    if rows:
        show_table(("score", "said", "speaker", "from", "memory"), rows)
    else:
        say("Nothing is remembered about that.")
    for reason in answer["degraded_reasons"]:
        say(f"degraded: {reason_sentence(reason)}")


def _place(hit: Mapping[str, Any]) -> str:
    return " ".join(str(part) for part in (hit["session"], hit["turn_id"]) if part)


def reason_sentence(reason: str) -> str:
    """The code with its sentence, or the code alone where there is none."""
    return f"{reason}: {_SENTENCES[reason]}" if reason in _SENTENCES else reason
