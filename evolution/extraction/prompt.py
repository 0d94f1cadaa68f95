"""What a model reads before it notes memories down: people's words as data, numbered, unable to leave their tags."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from brain.prompting.memory_tags import name_of
from brain.prompting.tokens import clip
from brain.safety.sanitizer import clean
from evolution.state import Known, Said
from language.times import zone_of
from prompts.registry import load

TURN_TOKENS = 1_200
EARLIER_TOKENS = 200
KNOWN_TOKENS = 80

_INERT = str.maketrans("<>", "‹›")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What is to be analysed: the turns, the ones before them, and the memories that bear on both."""

    said: Sequence[Said]
    before: Sequence[Said] = ()
    known: Sequence[Known] = ()

    def turn(self, number: int) -> Said | None:
        """The turn of that number; they are counted from one."""
        return self.said[number - 1] if 1 <= number <= len(self.said) else None

    def memory(self, label: str) -> Known | None:
        """The known memory of that label (``k1``), or of that id."""
        named = label.strip().strip("[]").lower()
        return {**{each["memory_id"]: each for each in self.known}, **self._labelled()}.get(named)

    def _labelled(self) -> dict[str, Known]:
        return {f"k{number}": each for number, each in enumerate(self.known, start=1)}


@dataclass(frozen=True)
class Shown:
    """The parts of a reading as text for a prompt."""

    participants: str
    spoken_at: str
    known: str
    earlier: str
    conversation: str = field(repr=False)


def shown(reading: Reading) -> Shown:
    """Names, times, memories and turns as a model may read them."""
    people = dict.fromkeys(name_of(turn["speaker"]) for turn in (*reading.before, *reading.said) if _person(turn))
    return Shown(
        participants="\n".join(f"- {line(name)}" for name in people) or "(nobody)",
        spoken_at=_moment(reading.said[-1]) if reading.said else "(unknown)",
        known="\n".join(_known(f"k{number}", each) for number, each in enumerate(reading.known, start=1)) or "(none)",
        earlier="\n".join(_turn(turn, 0) for turn in reading.before) or "(nothing)",
        conversation="\n".join(_turn(turn, number) for number, turn in enumerate(reading.said, start=1)),
    )


def question(reading: Reading) -> list[BaseMessage]:
    """The request for notes."""
    parts = shown(reading)
    prompt = load("extract_memories").render(
        participants=parts.participants,
        spoken_at=parts.spoken_at,
        known=parts.known,
        earlier=parts.earlier,
        conversation=parts.conversation,
    )
    return [SystemMessage(prompt), HumanMessage("Note down what is worth remembering.")]


def line(text: str) -> str:
    """Somebody's words on one line, with nothing that could pass for a tag of ours."""
    return " ".join(text.translate(_INERT).split())


def _turn(said: Said, number: int) -> str:
    """One turn. A line break would let its text begin a turn of its own; what is plainly an attack is left out."""
    text = clip(clean(said["text"]).text, TURN_TOKENS if number else EARLIER_TOKENS)
    who = "person" if _person(said) else said["role"]
    place = f'number="{number}" ' if number else ""
    speaker = line(name_of(said["speaker"])).replace('"', "'")
    head = f'{place}speaker="{speaker}" who="{who}" at="{_moment(said)}"'
    return f"<turn {head}>{line(text) or '(left out)'}</turn>"


def _known(label: str, memory: Known) -> str:
    return f"[{label}] {line(clip(clean(memory['content']).text, KNOWN_TOKENS))}"


def _person(said: Said) -> bool:
    return said["role"] == "user"


def _moment(said: Said) -> str:
    at = datetime.fromisoformat(said["at"]).astimezone(zone_of(said["time_zone"]))
    return f"{at:%Y-%m-%d %H:%M, %A}, {said['time_zone']}"
