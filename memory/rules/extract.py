"""From a turn to its assertions: mask what is not the speaker's, read clause by clause, word each finding."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from language.detection import Language, language_of
from language.own_words import own_words
from language.predicates import SINGLE_VALUED, favourite, relation
from language.times import TimeSpan, find_times
from memory.contracts import ProvenanceLevel
from memory.rules.assertions import Assertion, Correction, SpokenTurn
from memory.rules.categories import category_of
from memory.rules.chinese import ChineseReader
from memory.rules.clauses import Sentence, sentences
from memory.rules.endings import ENDS, ended
from memory.rules.english import EnglishReader
from memory.rules.notes import asked
from memory.rules.replacements import CORRECTS, TakenBack, bare, taken_back
from memory.rules.rows import SKIPPED, TIME_MARK, Finding, Standing, Subject
from memory.rules.wording import calendar_words, dated, impersonal, sentence

_TRUST: dict[Standing, tuple[ProvenanceLevel, float, float]] = {
    "declared": ("observation", 0.5, 0.8),
    "stated": ("confirmed_by_user", 0.85, 0.9),
    "intended": ("confirmed_by_user", 0.7, 0.7),
}
"""Provenance, confidence, certainty of a first-hand statement; a declared taste stays at 0.5 (S0 section 3.1.0.1)."""


_TIMELESS = frozenset({"age", "birthday", "birthplace", "anniversary", "corrects", "habit"})
_OF_OTHERS, _HEDGED = 0.1, 0.3


def extract(turn: SpokenTurn) -> list[Assertion]:
    """Everything a turn states that is worth remembering, in order; only people state things, never the assistant."""
    if turn.role != "user" or not turn.text.strip():
        return []
    said = own_words(turn.text)
    times = find_times(said, turn.at, turn.zone)
    kept = _reconciled(list(_found(said, times, turn)))
    worded = [_assertion(finding, _Scene(turn, times)) for finding in kept]
    return list({(each.subject, each.predicate, each.object, each.negated): each for each in worded}.values())


def _found(said: str, times: Sequence[TimeSpan], turn: SpokenTurn) -> Iterator[Finding]:
    speaker = Subject(key=turn.subject)
    said, withdrawn = taken_back(said)
    masked = _masked(said, times)
    english, chinese = EnglishReader(speaker), ChineseReader(speaker)
    for each in sentences(said):
        found = [
            _withdrawing(finding, withdrawn)
            for clause in each.clauses
            for finding in (
                list((chinese if clause.chinese else english).read(masked, clause)) or ended(said, clause, speaker)
            )
        ]
        for finding in found or _otherwise(said, each, withdrawn, speaker):
            if not finding.row.needs_future or _ahead(finding, times, turn.at):
                yield finding


def _otherwise(said: str, each: Sentence, withdrawn: list[TakenBack], speaker: Subject) -> Iterator[Finding]:
    """Sentences that no row knows: a bare correction, or something the speaker asks to have noted."""
    if all(clause.reported for clause in each.clauses):
        return
    inside = [one for one in withdrawn if each.start <= one.start < each.end]
    corrections = list(bare(said[each.start : each.end], each.start, inside, speaker))
    yield from corrections or asked(said, each, speaker)


def _masked(said: str, times: Sequence[TimeSpan]) -> str:
    characters = list(said)
    for time in times:
        start, end = time.span
        if not _withdrawn(said[start:end]):
            characters[start:end] = TIME_MARK * (end - start)
    return "".join(characters)


def _withdrawn(words: str) -> bool:
    """Whether a time was masked already as part of a value that is taken back."""
    return SKIPPED in words or not words.strip()


def _withdrawing(finding: Finding, withdrawn: list[TakenBack]) -> Finding:
    start, end = finding.clause
    old = next((each.old for each in withdrawn if start - 1 <= each.end and each.start <= end), "")
    return replace(finding, old=finding.old or old)


def _ahead(finding: Finding, times: Sequence[TimeSpan], at: datetime) -> bool:
    return any(time.end > at for time in _times_near(finding, times))


def _times_near(finding: Finding, times: Sequence[TimeSpan]) -> list[TimeSpan]:
    """The times of the clause, with one that stands right before its subject («Next week I …»)."""
    start, end = finding.clause
    return [time for time in times if start - 2 <= time.span[1] <= end]


def _reconciled(found: list[Finding]) -> list[Finding]:
    """«I don't live in Paris, I live in Lyon» is one correction, not a denial and a statement."""
    kept: dict[int, Finding] = {}
    denials: dict[tuple[str, str, str], int] = {}
    for number, finding in enumerate(found):
        matter = (finding.row.predicate, finding.subject.key, finding.about)
        if finding.negated and _single(finding):
            denials[matter] = number
        elif not finding.negated and matter in denials:
            denial = kept.pop(denials.pop(matter))
            finding = replace(finding, corrects=True, denied=finding.denied or denial.place)
        kept[number] = finding
    return list(kept.values())


def _single(finding: Finding) -> bool:
    return finding.row.predicate in SINGLE_VALUED or finding.row.predicate in ("favourite", "date")


@dataclass(frozen=True)
class _Scene:
    """What wording needs besides the finding itself."""

    turn: SpokenTurn
    times: Sequence[TimeSpan]


def _assertion(finding: Finding, scene: _Scene) -> Assertion:
    turn, row = scene.turn, finding.row
    start, end = _quoted(turn.text, finding)
    language = language_of(turn.text[start:end])
    name = turn.display_name(language)
    subject, predicate = _slot(finding, turn)
    times: Sequence[TimeSpan] = () if row.predicate in _TIMELESS else scene.times
    thing = dated(turn.text, finding.place, times, language)
    correction = _correction(finding, turn.text, thing)
    provenance, confidence, certainty = _trust(finding, correction)
    return Assertion(
        item_type="relation" if not finding.subject.is_speaker and row.item_type != "constraint" else row.item_type,
        subject=subject,
        predicate=predicate,
        object=impersonal(thing, name, language),
        negated=finding.negated,
        epistemic_type=row.epistemic_type,
        certainty=certainty,
        provenance=provenance,
        confidence=confidence,
        span=(start, end),
        quote=turn.text[start:end],
        valid_at=_valid_at(finding, scene),
        category=category_of(row.category, thing),
        content=_content(finding, scene, (name, thing), language),
        language=language,
        correction=correction,
        replaces=row.changes or correction is not None,
    )


def _quoted(text: str, finding: Finding) -> tuple[int, int]:
    """The verbatim clause: what the memory rests on."""
    start, end = finding.clause[0], max(finding.clause[1], finding.place[1])
    quote = text[start:end]
    return start + len(quote) - len(quote.lstrip()), start + len(quote.rstrip())


def _slot(finding: Finding, turn: SpokenTurn) -> tuple[str, str]:
    """«My daughter is called Emma» says who the speaker's daughter is, not what some daughter is called."""
    subject, predicate = finding.subject, finding.row.predicate
    if predicate == "name" and subject.relation:
        return turn.subject, relation(subject.relation)
    if finding.about and predicate == "date":
        return subject.key, f"date:{finding.about}"
    return subject.key, favourite(finding.about) if finding.about and predicate == "favourite" else predicate


def _content(finding: Finding, scene: _Scene, values: tuple[str, str], language: Language) -> str:
    if finding.row is ENDS:
        return (
            f"{values[0]}说，{values[1]}已经结束"
            if language == "zh"
            else f"{values[0]} says that it is over: {values[1]}."
        )
    if finding.row is CORRECTS:
        name, thing = values
        old = finding.old
        return f"{name}更正：不是{old}，是{thing}" if language == "zh" else f"{name} corrected: not {old} but {thing}."
    content = sentence(finding, values, language)
    if finding.row.item_type != "plan" or any(
        finding.place[0] <= time.span[0] < finding.place[1] for time in scene.times
    ):
        return content
    when = next((time for time in _times_near(finding, scene.times) if time.end > scene.turn.at), None)
    if when is None:
        return content
    date = calendar_words(when, language)
    return f"{content}（{date}）" if language == "zh" else f"{content.rstrip('.')} ({date})."


def _correction(finding: Finding, text: str, thing: str) -> Correction | None:
    if finding.negated:
        return Correction(thing, "") if finding.ended else None
    old = finding.old or (text[slice(*finding.denied)] if finding.denied else "")
    if old or finding.corrects or (finding.row.changes and _single(finding)):
        return Correction(old, thing)
    return None


def _trust(finding: Finding, correction: Correction | None) -> tuple[ProvenanceLevel, float, float]:
    provenance, confidence, certainty = _TRUST[finding.row.standing]
    if finding.hedged:
        return "observation", min(0.4, confidence), max(0.0, certainty - _HEDGED)
    if correction and (correction.old or finding.corrects) and finding.subject.is_speaker:
        return "confirmed_by_user", 0.9, 0.95
    if finding.corrects and not finding.hedged:
        return provenance, confidence, 0.9
    if finding.insisted:
        return "confirmed_by_user", 0.9, 0.95
    if not finding.subject.is_speaker:
        return provenance, round(confidence - _OF_OTHERS, 2), round(certainty - _OF_OTHERS, 2)
    return provenance, confidence, certainty


def _valid_at(finding: Finding, scene: _Scene) -> datetime | None:
    """Since when it holds, when the clause names a time that has begun; a plan holds from now."""
    if finding.row.item_type == "plan":
        return None
    begun = [time.start for time in _times_near(finding, scene.times) if time.start <= scene.turn.at]
    return begun[0] if begun and finding.row.predicate not in _TIMELESS else None
