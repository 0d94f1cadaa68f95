"""A turn taken apart into sentences that can be read alone; what must not stay is left out.

How much a sentence tells: resolutions, numbers, names and times count, courtesies do not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brain.safety.sanitizer import sanitize_text
from brain.signal_rules import entities
from evolution.courtesies import compile_courtesies
from language.commitments import Resolution, find_commitment, has_question_mark
from language.detection import language_of
from language.secrets import has_secret
from language.sentences import split_sentences
from language.tables import pattern_of_all
from language.terms import fold, word_terms
from language.times import TimeSpan, find_times
from language.times.wording import insert_full_dates
from memory.sessions import SummaryTurn

_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_POLITE = compile_courtesies("summed_up")

_OF_THE_ASSISTANT, _ASKED = 0.5, 0.7
_MOST_NAMES, _MOST_NUMBERS = 3, 2
MAX_CHARACTERS = 300
"""Characters of a sentence; a longer one is a list or a paste, which no summary quotes."""
READ = 6_000
"""Characters of a turn that are taken apart."""
MIN_WORDS = 2
MAX_SENTENCES = 60

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class SummarySentence:
    """One sentence: its place in the turn, its text with dates, its words, and how much it tells."""

    turn: SummaryTurn
    start: int
    end: int
    text: str
    words: frozenset[str]
    worth: float
    kind: Resolution | None = None


def sentences_of(turn: SummaryTurn) -> Iterator[SummarySentence]:
    """What a turn tells, sentence by sentence; courtesies, secrets, code and words that steer are left out."""
    said = _CODE.sub(lambda code: "\n" * len(code[0]), turn.text[:READ])
    times = find_times(said, turn.occurred_at, turn.time_zone)
    steers = sanitize_text(said).verdict != "pass"
    for part in split_sentences(said)[:MAX_SENTENCES]:
        if _is_fit(part.text, steers=steers):
            sentence = _sentence(turn, said, (part.start, part.end), times)
            if len(sentence.words) >= MIN_WORDS:
                yield sentence


def comparison_words(text: str) -> frozenset[str]:
    """The words by which texts are compared."""
    return frozenset(word for word in word_terms(fold(text)) if not word.startswith("month:"))


def _is_fit(raw: str, *, steers: bool) -> bool:
    """Within a turn that steers, every sentence is looked at by itself."""
    if len(raw) > MAX_CHARACTERS or is_polite(raw) or has_secret(raw):
        return False
    return not steers or sanitize_text(raw).verdict == "pass"


def _sentence(turn: SummaryTurn, said: str, place: tuple[int, int], times: Sequence[TimeSpan]) -> SummarySentence:
    raw = said[slice(*place)]
    within = [time for time in times if place[0] <= time.span[0] and time.span[1] <= place[1]]
    sure = [time for time in within if not pattern_of_all("summaries.guessed").fullmatch(said[slice(*time.span)])]
    by_person = turn.role == "user"
    text = insert_full_dates(said, place, sure, language_of(raw))
    return SummarySentence(
        turn=turn,
        start=place[0],
        end=place[1],
        text=" ".join(text.replace("**", "").split()),
        words=comparison_words(raw),
        worth=sentence_salience(raw, dated=bool(within), by_person=by_person),
        kind=find_commitment(raw) if by_person else None,
    )


def is_polite(text: str) -> bool:
    """Whether it is made of greetings, thanks and assents alone."""
    return bool(_POLITE.fullmatch(text))


def sentence_salience(text: str, *, dated: bool, by_person: bool) -> float:
    """From 0.35 for an assistant's plain question to some 8 for a dated decision with names and numbers."""
    names = max(len(_NAME.findall(text)), sum(value.count(",") + 1 for value in entities(text).values()))
    told = (
        1.0
        + min(_MOST_NUMBERS, len(pattern_of_all("summaries.counted").findall(text)))
        + min(_MOST_NAMES, names)
        + (1.0 if dated else 0.0)
    )
    told += 2.5 if find_commitment(text) else 0.0
    return told * (1.0 if by_person else _OF_THE_ASSISTANT) * (_ASKED if has_question_mark(text) else 1.0)
