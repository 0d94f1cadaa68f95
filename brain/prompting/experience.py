"""What the agent has learnt of its tools, as a prompt tells it: within a slot of its own, and nothing that steers."""

from collections.abc import Sequence

from brain.prompting.tokens import count_tokens
from brain.safety.sanitizer import sanitize_text
from language.detection import Language
from language.experience import tell_lesson

EXPERIENCE_TOKENS = 200
"""Tokens of all lessons of a prompt together; the most frequent come first."""


def told_experience(lessons: Sequence[str], language: Language) -> list[str]:
    """The sentences of lessons that fit, in their order."""
    told: list[str] = []
    left = EXPERIENCE_TOKENS
    for lesson in lessons:
        sentence = tell_lesson(lesson, language)
        left -= count_tokens(sentence)
        if left < 0:
            break
        if sentence and sanitize_text(sentence).verdict == "pass":
            told.append(sentence)
    return told
