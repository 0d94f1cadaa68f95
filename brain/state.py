"""What flows through one turn. Plain values are checkpointed; what can be read back again is not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, RemoveMessage, convert_to_messages
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages

from brain.approval import Approval
from brain.media.shown import ShownMedia
from brain.metering import Usage, tally
from knowledge.port import KnowledgeBundle
from memory.recall.query import RecallPass
from memory.session_state import SessionState
from memory.turns import Visibility

DecisionReason = Literal[
    "relevance",
    "recency",
    "confidence",
    "budget_exceeded",
    "blocked",
    "below_cut",
    "conflict",
    "in_document",
    "repeat",
    "question",
    "courtesy",
    "own_reply",
    "pinned",
]
Status = Literal["earlier", "outdated"]
"""``earlier``: something newer about the same matter is known, and this may hold or not; ``outdated``: it is over."""
Sanitization = Literal["pass", "sanitized", "blocked"]

ChangeAct = Literal["", "forget", "correct", "erase", "remember", "dont_note", "undo", "off_record", "on_record"]
ChangeOutcome = Literal[
    "done",
    "asked",
    "nearest",
    "says_more",
    "proposed",
    "waiting",
    "unknown",
    "unnamed",
    "in_past",
    "kept",
    "confirm",
    "refused",
    "expired",
]
"""``in_past``: no memory holds what is named, and something that was brought along does. ``says_more``: what is named
stands in one sentence with other things. ``nearest``: nothing holds what is named, and what is nearest to it in meaning
was asked about. ``unnamed``: it names nothing, and nothing was said before it.
``proposed``: the rules have only looked for what is meant; a model decides by its tools."""

Update = dict[str, Any]


class TurnInfo(TypedDict):
    """The turn's own names and clock. Times are ISO 8601 with offset; ids are UUID text.

    ``own`` are the logged events of this very turn, which it must not recall. ``thread``, ``parent`` (the turn before
    it in the thread, empty for the first) and ``message`` tell where it stands. ``as_of`` is the moment at which it
    reads memory where its run goes on from an older checkpoint or answers it again, else empty. Memory takes nothing
    from a turn that is not ``learnt``; nothing of a ``copied`` thread is.
    """

    operation_id: str
    session_id: str
    text: str
    at: str
    time_zone: str
    turns_before: int
    own: list[str]
    thread: NotRequired[str]
    parent: NotRequired[str]
    message: NotRequired[str]
    as_of: NotRequired[str]
    learnt: NotRequired[bool]
    copied: NotRequired[bool]


class EventSpan(TypedDict):
    """Which words of a logged turn a memory shows, in code points, the end not included."""

    event_id: str
    start: int
    end: int


class MemoryUse(TypedDict):
    """One memory as this turn sees it: what it says, why it is here, and what was decided.

    What was said has a ``span``; a passage of a long turn is ``about`` the headings it stood under. ``about`` of a fact
    tells that it is in doubt, or which part of it is over. It was said at ``said_at`` and holds since ``valid_since``,
    where an end is known to ``valid_until``; all are ISO 8601. It gave way to the entry of knowledge ``ruled_by``.
    """

    memory_id: str
    lane: str
    text: str
    score: float
    signals: dict[str, float]
    speaker: str
    role: str
    confidence: float
    provenance: str
    epistemic_type: str
    category: str
    valid_since: str
    valid_until: NotRequired[str]
    said_at: NotRequired[str]
    decision_reason: DecisionReason
    position: int | None
    sanitization: NotRequired[Sanitization]
    span: NotRequired[EventSpan]
    about: NotRequired[str]
    status: NotRequired[Status]
    ruled_by: NotRequired[str]


def said_at(memory: MemoryUse) -> str:
    """When it was said, ISO 8601; uses of an older release tell only since when it holds, which was the same."""
    return memory.get("said_at", memory["valid_since"])


class MemoryChange(TypedDict):
    """What this turn does to memory because the person asks for it.

    ``told`` are the sentences concerned, ``new`` what a correction states. ``notes`` are where sentences of this turn
    begin that are remembered as soon as it is logged. ``settled`` is why nobody else looks at the turn, empty when
    somebody does; ``carried`` goes on to the session's next turn.
    """

    act: ChangeAct
    outcome: ChangeOutcome
    told: list[str]
    new: str
    notes: list[int]
    visibility: Visibility
    settled: str
    carried: dict[str, Any]


class ExperimentContext(TypedDict):
    """The variant that answers a turn. Who picked one by name is not ``assigned`` it, and does not count."""

    id: str
    name: str
    variant: str
    dimensions: dict[str, str]
    assigned: bool


class Route(TypedDict):
    """Which model replied, and why."""

    role: Literal["chat", "routed"]
    reason: Literal["small_talk", "asks", "corrected_lately", "tools", "change", "fast_failed"]


class GuardState(TypedDict):
    """What the last check before a model call found. Lives for one model call."""

    passed: bool
    missing_anchors: list[str]
    violated_constraints: list[str]
    error_code: str


class ToolOutcome(TypedDict):
    """How one call of a tool ended. ``code`` is empty when it did what it is for, else it says why not.

    ``tool`` is empty for a name that no tool has: such a name is the model's own words.
    """

    tool: str
    ok: bool
    code: str


@dataclass(frozen=True, kw_only=True)
class AssembledPrompt:
    """The words for the model: a byte-stable ``system`` prefix, the window, then documents and context of this turn."""

    system: str
    history: tuple[BaseMessage, ...]
    context: str
    user_text: str
    allocation: dict[str, int]
    documents: tuple[str, ...] = ()
    shown: ShownMedia = field(default_factory=ShownMedia)


def merge_unique(old: list[str], new: Sequence[str] | None) -> list[str]:
    """Join reasons from parallel steps without repeats; ``None`` begins a new turn."""
    return [] if new is None else list(dict.fromkeys((*old, *new)))


def append_values(old: list[Any], new: Sequence[Any] | None) -> list[Any]:
    """Append what a later step adds; ``None`` begins anew."""
    return [] if new is None else [*old, *new]


def add_spoken(old: list[AnyMessage], new: Any) -> list[AnyMessage]:
    """LangGraph's own merging of messages; but words that are sent again, as after a crash, are the newest ones."""
    merged = cast("list[AnyMessage]", add_messages(cast("Any", old), new))
    sent = cast("list[Any]", new if isinstance(new, list) else [new])
    if not sent or len(merged) != len(old) or any(isinstance(each, RemoveMessage) for each in sent):
        return merged
    known = {each.id: each.text for each in old if isinstance(each, HumanMessage)}
    newest = convert_to_messages(sent)[-1]
    if not isinstance(newest, HumanMessage) or newest.id == merged[-1].id or known.get(newest.id) != newest.text:
        return merged
    return [*merged, newest]


class UntrackedList(UntrackedValue[list[Any]]):
    """An untracked list that parallel steps add to; ``None`` begins a new turn."""

    __slots__ = ()

    def update(self, values: Sequence[list[Any] | None]) -> bool:
        """Append every list written in this step, starting over at the last ``None``."""
        for value in values:
            held: list[Any] = self.value if self.is_available() else []
            self.value = [] if value is None else [*held, *value]
        return bool(values)


@dataclass(kw_only=True)
class Incoming:
    """All that a caller may put in: the conversation so far, or just its newest message."""

    messages: Annotated[list[AnyMessage], add_spoken] = field(default_factory=list[AnyMessage])


@dataclass(kw_only=True)
class TurnParts(Incoming):
    """What the steps of a turn add to one another, from the user's words to the written receipts."""

    intent: dict[str, Any] = field(default_factory=dict[str, Any])
    queries: list[str] = field(default_factory=list[str])
    memories: list[MemoryUse] = field(default_factory=list[MemoryUse])
    rejected: list[MemoryUse] = field(default_factory=list[MemoryUse])
    retrieval: dict[str, Any] = field(default_factory=dict[str, Any])
    budget: dict[str, int] = field(default_factory=dict[str, int])
    """Tokens by slot of the prompt, with what the window and its margin are."""
    experiment: ExperimentContext | None = None
    route: Route | None = None
    change: MemoryChange | None = None
    approval: Approval | None = None
    guard: GuardState | None = None
    guard_hits: Annotated[list[str], merge_unique] = field(default_factory=list[str])
    """The codes of all that the guard objected to in this turn, before whichever call."""
    tool_rounds: int = 0
    tool_outcomes: Annotated[list[ToolOutcome], append_values] = field(default_factory=list[ToolOutcome])
    ended: bool = False
    laid_down: bool = False
    """Whether a client wrote the checkpoint that the turn begins from, with values of its own."""
    degraded: Annotated[list[str], merge_unique] = field(default_factory=list[str])
    receipts: list[str] = field(default_factory=list[str])
    usage: Annotated[list[Usage], tally] = field(default_factory=list[Usage])
    tokens_left: int | None = None
    """What the tenant might still spend on models when the turn began; None where nothing limits it."""
    opened: Annotated[SessionState | None, UntrackedValue(SessionState, guard=False)] = None
    passes: Annotated[list[RecallPass], UntrackedList] = field(default_factory=list[RecallPass])
    knowledge: Annotated[KnowledgeBundle | None, UntrackedValue] = None
    prompt: Annotated[AssembledPrompt | None, UntrackedValue] = None


@dataclass(kw_only=True)
class State(TurnParts):
    """One turn as the graph keeps it; none is open before its first step."""

    turn: TurnInfo | None = None


@dataclass(kw_only=True)
class OpenTurn(TurnParts):
    """The same for the steps behind ``open_session``."""

    turn: TurnInfo

    @property
    def is_replayed(self) -> bool:
        """Whether this turn was begun by an earlier run: what is in no checkpoint has to be read again."""
        return self.opened is None
