"""Folding a session: its oldest turns become a block, and what they name stays at hand.

Every write has an idempotency key: a run that was killed and starts again cuts the same segments and leaves what an
undisturbed run leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.prompting.budget import baseline
from brain.prompting.tokens import MESSAGE_OVERHEAD, count_tokens
from brain.settings import Settings
from brain.state import Update
from evolution.state import EvolutionState
from evolution.summaries.digest import Digest
from evolution.summaries.model import summarize_turns
from memory.sessions import SummaryDraft, SummaryTurn, Tail

_THIRD = 3
_MIN_TOKENS = 200
_AFTER = 3
"""Turns by which a stretch is prolonged at most, so that an answer stays with its question."""
MAX_BLOCKS = 25
"""Blocks of one run: a long history that was imported at once is folded by several."""
MAX_SESSIONS = 20
"""Sessions of one run of ``archive_expired``."""
AT_HAND = 12
"""Values of one kind that a session keeps at hand."""


@dataclass(frozen=True, kw_only=True)
class SegmentLimits:
    """A stretch is full at so many turns or tokens, and folded when as much again is left behind it."""

    turns: int
    tokens: int

    @property
    def turns_to_read(self) -> int:
        """How many turns show whether a stretch can be folded."""
        return 2 * (self.turns + _AFTER) + 1


@dataclass(frozen=True, kw_only=True)
class FoldResult:
    """How many blocks a run wrote, whether nothing is left to fold, and what it had to do without."""

    blocks: int = 0
    complete: bool = True
    degraded: tuple[str, ...] = ()


async def fold_session(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """The oldest turns beyond the window stand in a block from now on; a session that ended is folded to its end."""
    folded = await fold_session_turns(runtime.context, UUID(state.session_id))
    return {"degraded": list(folded.degraded)}


async def fold_session_turns(context: JobContext, session_id: UUID, *, whole: bool = False) -> FoldResult:
    """Fold what lies beyond the live window; all of it when ``whole``, or when the session is archived."""
    sessions, limits = context.resources.memory.sessions, segment_limits(context.resources.settings)
    degraded: dict[str, None] = {}
    for blocks in range(MAX_BLOCKS):
        tail = await sessions.tail(context.scope, session_id, limits.turns_to_read)
        if tail is None:
            return FoldResult()
        stretch = next_segment(tail.events, limits, whole=whole or tail.status == "archived")
        if tail.withdrawn:
            degraded |= await _reword_block(context, session_id, tail.withdrawn[0])
        elif stretch:
            degraded |= await _save_block(context, session_id, (tail, stretch))
        else:
            return FoldResult(blocks=blocks, degraded=tuple(degraded))
    return FoldResult(blocks=MAX_BLOCKS, complete=False, degraded=tuple(degraded))


async def archive_expired(context: JobContext) -> int:
    """Close this person's sessions whose time is over, folded to the last turn, and word withdrawn blocks anew.

    Returns how many were closed. One that is too long for a run stays open until a later one.
    """
    sessions, now = context.resources.memory.sessions, context.resources.clock()
    closed = 0
    for each in await sessions.list_unsettled(context.scope, now, MAX_SESSIONS):
        folded = await fold_session_turns(context, each.session_id, whole=each.over)
        if each.over and folded.complete:
            closed += await sessions.expire(context.scope, each.session_id, now)
    return closed


async def _save_block(
    context: JobContext, session_id: UUID, waiting: tuple[Tail, Sequence[SummaryTurn]]
) -> dict[str, None]:
    tail, stretch = waiting
    digest, degraded = await summarize_turns(context.resources.models, stretch)
    draft = _draft(session_id, tail.block, (stretch, digest), merge_entity_slots(tail.entity_slots, digest.named))
    await context.resources.memory.sessions.save_summary(context.scope, draft, context.resources.clock())
    return dict.fromkeys(degraded)


async def _reword_block(context: JobContext, session_id: UUID, block: int) -> dict[str, None]:
    """What was forgotten is not quotable any more; the rest of the block is told again."""
    sessions = context.resources.memory.sessions
    turns = await sessions.list_covered_turns(context.scope, session_id, block)
    digest, degraded = await summarize_turns(context.resources.models, turns)
    await sessions.reword(context.scope, _draft(session_id, block, (turns, digest), {}))
    return dict.fromkeys(degraded)


def merge_entity_slots(known: Mapping[str, str], named: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What a session keeps of the things that its blocks name, the newest first: only what is new is returned."""
    kept: dict[str, str] = {}
    for kind, values in named.items():
        slot = f"earlier_{kind}"
        before = [value for value in known.get(slot, "").split(", ") if value]
        kept[slot] = ", ".join(list(dict.fromkeys((*reversed(values), *before)))[:AT_HAND])
    return kept


def _draft(
    session_id: UUID, block: int, told: tuple[Sequence[SummaryTurn], Digest], entity_slots: Mapping[str, str]
) -> SummaryDraft:
    turns, digest = told
    times = [turn.occurred_at for turn in turns]
    return SummaryDraft(
        session_id=session_id,
        block=block,
        text=digest.text,
        sources=digest.sources,
        first_position=turns[0].position,
        last_position=turns[-1].position,
        started_at=min(times),
        ended_at=max(times),
        entity_slots=entity_slots,
    )


def segment_limits(settings: Settings) -> SegmentLimits:
    """A third of the window each: one to fold, one that stays, and one for what is said until the worker comes.

    So what is not folded yet fits into the window, by turns and by the tokens of S0 section 4.2.
    """
    window = baseline(settings.context_window)["active_window"]
    tokens = settings.fold_tokens or max(_MIN_TOKENS, window // _THIRD)
    return SegmentLimits(turns=max(1, (settings.window_events - _AFTER) // _THIRD), tokens=tokens)


def next_segment(turns: Sequence[SummaryTurn], limits: SegmentLimits, *, whole: bool) -> Sequence[SummaryTurn]:
    """The oldest turns that one block shall stand for; none while too little would be left, unless ``whole``."""
    end = _end(turns, limits)
    if whole:
        return turns[:end]
    return turns[:end] if _is_full(turns[end:], limits) else ()


def _end(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> int:
    """Where the first stretch is full, before the next word of a person if that is near."""
    end = _full_at(turns, limits)
    near = turns[end : end + _AFTER]
    ahead = next((n for n, turn in enumerate(near) if turn.role == "user"), len(near))
    return end + ahead


def _full_at(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> int:
    tokens = 0
    for number, turn in enumerate(turns[: limits.turns], start=1):
        tokens += _cost(turn)
        if tokens >= limits.tokens:
            return number
    return min(len(turns), limits.turns)


def _is_full(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> bool:
    return len(turns) >= limits.turns or sum(map(_cost, turns)) >= limits.tokens


def _cost(turn: SummaryTurn) -> int:
    return count_tokens(turn.text) + MESSAGE_OVERHEAD
