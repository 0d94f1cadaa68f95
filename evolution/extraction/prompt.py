"""What a model reads before it notes memories down: people's words as data, numbered, unable to leave their tags."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.messages import BaseMessage

from brain.prompting.memory_tags import speaker_name
from brain.prompting.tokens import clip
from brain.safety.sanitizer import sanitize_text
from evolution.state import ExtractionCandidate, KnownMemory, TurnRecord
from language.times import zone_of
from prompts.registry import load_prompt

TURN_TOKENS = 1_200
EARLIER_TOKENS = 200
KNOWN_TOKENS = 80

_INERT = str.maketrans("<>", "‹›")


@dataclass(frozen=True, kw_only=True)
class ExtractionInput:
    """What is to be analysed: the turns, the ones before them, the memories that bear on both, and the statements that
    code has read in the turns.
    """

    said: Sequence[TurnRecord]
    before: Sequence[TurnRecord] = ()
    known: Sequence[KnownMemory] = ()
    stated: Sequence[ExtractionCandidate] = ()

    def turn(self, number: int) -> TurnRecord | None:
        """The turn of that number; they are counted from one."""
        return self.said[number - 1] if 1 <= number <= len(self.said) else None

    @property
    def statements(self) -> dict[str, ExtractionCandidate]:
        """What code has read, by label (``s1``)."""
        return {f"s{number}": each for number, each in enumerate(self.stated, start=1)}

    def memory(self, label: str) -> KnownMemory | None:
        """The known memory of that label (``k1``), or of that id."""
        named = label.strip().strip("[]").lower()
        return {**{each["memory_id"]: each for each in self.known}, **self._memories_by_label()}.get(named)

    def _memories_by_label(self) -> dict[str, KnownMemory]:
        return {f"k{number}": each for number, each in enumerate(self.known, start=1)}


@dataclass(frozen=True)
class PromptParts:
    """The parts of a reading as text for a prompt."""

    participants: str
    spoken_at: str
    known: str
    stated: str
    earlier: str
    conversation: str = field(repr=False)


def render_parts(reading: ExtractionInput) -> PromptParts:
    """Names, times, memories and turns as a model may read them."""
    people = dict.fromkeys(
        speaker_name(turn["speaker"]) for turn in (*reading.before, *reading.said) if _is_person(turn)
    )
    return PromptParts(
        participants="\n".join(f"- {one_line(name)}" for name in people) or "(nobody)",
        spoken_at=_render_moment(reading.said[-1]) if reading.said else "(unknown)",
        known="\n".join(_render_memory(f"k{number}", each) for number, each in enumerate(reading.known, start=1))
        or "(none)",
        stated="\n".join(_render_statement(reading, label, each) for label, each in reading.statements.items())
        or "(none)",
        earlier="\n".join(_render_turn(turn, 0) for turn in reading.before) or "(nothing)",
        conversation="\n".join(_render_turn(turn, number) for number, turn in enumerate(reading.said, start=1)),
    )


def extraction_messages(reading: ExtractionInput) -> list[BaseMessage]:
    """The request for notes."""
    parts = render_parts(reading)
    return load_prompt("extract_memories").ask(
        participants=parts.participants,
        spoken_at=parts.spoken_at,
        known=parts.known,
        stated=parts.stated,
        earlier=parts.earlier,
        conversation=parts.conversation,
    )


def one_line(text: str) -> str:
    """Somebody's words on one line, with nothing that could pass for a tag of ours."""
    return " ".join(text.translate(_INERT).split())


def _render_turn(said: TurnRecord, number: int) -> str:
    """One turn. A line break would let its text begin a turn of its own; what is plainly an attack is left out."""
    text = clip(sanitize_text(said["text"]).text, TURN_TOKENS if number else EARLIER_TOKENS)
    who = "person" if _is_person(said) else said["role"]
    place = f'number="{number}" ' if number else ""
    speaker = one_line(speaker_name(said["speaker"])).replace('"', "'")
    head = f'{place}speaker="{speaker}" who="{who}" at="{_render_moment(said)}"'
    return f"<turn {head}>{one_line(text) or '(left out)'}</turn>"


def _render_memory(label: str, memory: KnownMemory) -> str:
    return f"[{label}] {one_line(clip(sanitize_text(memory['content']).text, KNOWN_TOKENS))}"


def _render_statement(reading: ExtractionInput, label: str, statement: ExtractionCandidate) -> str:
    number = next((n for n, turn in enumerate(reading.said, start=1) if turn["event_id"] == statement["event_id"]), 0)
    return f"[{label}] turn {number}: {one_line(clip(sanitize_text(statement['content']).text, KNOWN_TOKENS))}"


def _is_person(said: TurnRecord) -> bool:
    return said["role"] == "user"


def _render_moment(said: TurnRecord) -> str:
    at = datetime.fromisoformat(said["at"]).astimezone(zone_of(said["time_zone"]))
    return f"{at:%Y-%m-%d %H:%M, %A}, {said['time_zone']}"
