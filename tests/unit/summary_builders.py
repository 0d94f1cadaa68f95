"""Conversations for the tests of summaries."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid5

from memory.sessions import SummaryTurn

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SESSION = UUID(int=11)


def a_talk(*lines: str, speaker: str = "user", first: int = 0) -> list[SummaryTurn]:
    """One turn per line, a minute apart on 1 March 2026; what begins with ``>`` is said by the assistant."""
    return [a_line(line, position, speaker) for position, line in enumerate(lines, start=first)]


def a_line(line: str, position: int = 0, speaker: str = "user", *, quotable: bool = True) -> SummaryTurn:
    """One turn of a talk."""
    replied = line.startswith(">")
    text = line.removeprefix(">").strip()
    return SummaryTurn(
        event_id=uuid5(SESSION, f"{position} {line}"),
        session_id=SESSION,
        position=position,
        role="assistant" if replied else "user",
        speaker="assistant" if replied else speaker,
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
        occurred_at=NOON + timedelta(minutes=position),
        time_zone="UTC",
        quotable=quotable,
    )


KITCHEN = (
    "Hi there!",
    "> Hello! How can I help you today?",
    "I'm planning the kitchen renovation. We decided to use green tiles and the budget is 4,000 euros.",
    "> Green tiles cost about 35 euros per square metre at Leroy Merlin. Do you have a contractor?",
    "Yes, my cousin Marco will do it. He starts on Monday.",
    "> That gives you a few days to order the tiles.",
    "Remind me to order the tiles by tomorrow.",
    "> Sure, noted!",
    "Thanks!",
)
TRIP = (
    "你好",
    "> 你好，有什么可以帮你？",
    "我下周三要去北京出差，预算五千元，住在朝阳区的酒店。",
    "> 好的，北京下周可能降温，记得带外套。",
    "我们决定坐高铁，不坐飞机了。",
    "> 高铁G12次上午8点发车，票价553元。",
    "谢谢，再见",
)
