"""Does Brain remember what should be remembered, and only that? Replays labelled conversations and judges them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from evals.evaluation.memory_data import Conversation, LabelledFile, Split
from evals.evaluation.memory_figures import Share, f1, measure_shares, total
from evals.evaluation.memory_recorded import Manner, RecordedModel, Recording, honest
from evals.evaluation.memory_replay import Calendar, Lived, Replay
from evals.evaluation.scratch import scratch_resources
from memory.errors import bad_request

TENANT = "eval"
RULES = "rules"
MODEL = "a model"
RECORDING = "recorded answers of a model"
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Task:
    """What to measure: which files, which half, with which recording, or else which models (none: by rules), where."""

    labelled: Sequence[LabelledFile]
    splits: Sequence[Split]
    recording: Recording | None = None
    manner: Manner = honest
    models: Models = field(default_factory=Models)
    embeddings: bool = True
    server: str | None = None

    def conversations(self, split: Split) -> list[Conversation]:
        """What is replayed of one half: with a recording, what was recorded."""
        return [
            each
            for labelled in self.labelled
            for each in labelled.conversations
            if each.head.split == split and (not self.recording or each.name in self.recording.conversations)
        ]


@dataclass(frozen=True)
class Report:
    """The figures of one half. ``groups`` are languages and categories; ``data`` are the files' SHA-256."""

    split: Split
    way: str
    data: Mapping[str, str]
    conversations: int
    total: Mapping[str, Share]
    groups: Mapping[str, Mapping[str, Share]]
    requests: Mapping[str, int] = field(default_factory=dict[str, int])
    lived: Sequence[Lived] = field(default=(), repr=False)

    @property
    def f1(self) -> float | None:
        """Of extraction."""
        return f1(self.total)


Done = Callable[[], None]


async def examined(settings: Settings, task: Task, done: Done) -> list[Report]:
    """A report for each half; ``done`` is told after each conversation. Raises ``E_BAD_REQUEST`` for an empty half."""
    plain = settings if task.embeddings else settings.model_copy(update={"embeddings": "none"})
    await build_resources(plain).load()
    async with scratch_resources(plain, task.server) as scratch:
        resources = replace(scratch, new_id=_sequential_ids())
        return [await _evaluate_half(resources, task, split, done) for split in task.splits]


async def _evaluate_half(resources: Resources, task: Task, split: Split, done: Done) -> Report:
    conversations = task.conversations(split)
    if not conversations:
        raise bad_request(f"Nothing of the {split} half can be replayed.", "Name other files, or another half.")
    model = RecordedModel(task.recording, task.manner) if task.recording else None
    models = model.models() if model else task.models
    lives: list[Lived] = []
    try:
        for conversation in conversations:
            lives.append(await _replay_conversation(replace(resources, models=models), conversation, model))
            done()
    finally:
        if model:
            await models.aclose()
    return report(task, split, lives, model.asked if model else {})


def report(task: Task, split: Split, lives: Sequence[Lived], requests: Mapping[str, int]) -> Report:
    """The figures of some lives, together and apart."""
    return Report(
        split=split,
        way=RECORDING if task.recording else MODEL if task.models.is_configured else RULES,
        data={each.path.name: each.sha256 for each in task.labelled},
        conversations=len(lives),
        total=total(map(measure_shares, lives)),
        groups={
            **_shares_by(lives, lambda one: one.conversation.head.language),
            **_shares_by(lives, lambda one: one.conversation.head.category),
        },
        requests=dict(requests),
        lived=lives,
    )


def _shares_by(lives: Iterable[Lived], key: Callable[[Lived], str]) -> dict[str, dict[str, Share]]:
    together: dict[str, list[Lived]] = {}
    for each in lives:
        together.setdefault(key(each), []).append(each)
    return {name: total(map(measure_shares, group)) for name, group in together.items()}


async def _replay_conversation(resources: Resources, conversation: Conversation, model: RecordedModel | None) -> Lived:
    calendar = Calendar(_BEGINNING)
    replay = Replay(replace(resources, clock=calendar), calendar, TENANT, conversation)
    return await replay.live(model.turn_to if model else None)


def _sequential_ids() -> Callable[[], UUID]:
    """Ids that count up: random ones would break ties in another way each time."""
    numbers = count(1)
    return lambda: UUID(int=next(numbers))
