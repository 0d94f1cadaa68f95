"""Reading English clauses: whom they are about, and which rows of the table they match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from memory.rules import english_everyday, english_more_rows
from memory.rules.clauses import Clause
from memory.rules.english_elided import elided
from memory.rules.english_joined import joined
from memory.rules.english_matching import findings_of, first_match
from memory.rules.english_openings import CHANGE, GREETED, HEDGE, INSISTS, NOW_LIKES, opened
from memory.rules.english_tables import BARE, CONTRACTED, MINE, ROWS
from memory.rules.english_words import MY_KIN, NAME, TITLE
from memory.rules.rows import Finding, Row, Subject

_SPEAKER = re.compile(r"(?:I|we)(?=['’\s])", re.IGNORECASE)
_POSSESSED = re.compile(r"(?:my|our)(?=\s)", re.IGNORECASE)
_POSSESSED_BY = re.compile(r"(?:her|his)(?=\s)", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"(?:(?:my"
    rf"|our)\s+|(?=(?-i:M[uo]m|Mam|Dad|Grandma|Grandpa|Gran|Nan)\b)){MY_KIN}(?![\w-])(?:,?\s+(?P<name>(?-i:{NAME}))(?=[\s,'’])(?!['’]?\s*(?-i:[A-Z])),?)?(?P<owns>['’]s)?",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?P<name>{NAME})(?P<owns>['’]s)?(?=\s)")
_PRONOUN = re.compile(r"(?:he|she|they)(?=['’\s])", re.IGNORECASE)
_NOT_A_PERSON = re.compile(
    r"(?:The|This|That|These|Those|There|It|Its|Here|Your|His|Her|Their|Our|What|Which|Who|When|Where|Why|How"
    r"|Today|Yesterday|Tomorrow|Everyone|Everybody"
    r"|Someone|People|Nobody|Please|Thanks|Some|Most|Many|All|My|We|You|They|She|He|If|And|But|Just|Not|One"
    r"|Nothing|Life|Work|God|Paris|London|Monday"
    r"|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Don['’]?t|Can['’]?t|Let['’]?s|Would|Could|Google|Apple"
    r"|Amazon|Microsoft|Speaking|Being|Having|As|So|Or|In|On|At|For|To|By|No|Yes|Good|New|Both|Any|Every|Well)\b"
)
_PERSON_ROWS = frozenset(
    {
        "prefers",
        "lives_in",
        "works_at",
        "job",
        "allergic_to",
        "diet",
        "consumes",
        "age",
        "origin",
        "studies",
        "speaks",
        "marital_status",
    }
)
_OUR_ROWS = frozenset({"lives_in", "has_family", "has_pet", "plans", "owns"})
_FAVOURITE_OF = re.compile(
    r"(?P<object>[A-Z0-9][\w '’-]{0,40}?)\s+(?:is|are)(?P<not>n['’]t|\s+not|\s+no\s+longer)?\s+(?:still\s+"
    r"|now\s+)?my\s+(?:all-time\s+)?"
    r"favou?rite\s+(?P<about>[\w -]{2,30})$"
)
_APPOSITION = re.compile(
    rf"\bmy\s+{MY_KIN},?\s+(?-i:{TITLE})?(?P<object>(?-i:{NAME}))(?=[\s,.!]|$)(?!\s+(?-i:[A-Z]))", re.IGNORECASE
)


@dataclass
class EnglishReader:
    """Reads the clauses of one turn in order, remembering whom "she" may mean."""

    speaker: Subject
    spoken_of: dict[str, Subject] = field(default_factory=dict[str, Subject])
    of_speaker: bool = True

    def read(self, said: str, clause: Clause) -> Iterator[Finding]:
        """Everything that a clause states. ``said`` has times and other people's words masked."""
        start, opening = opened(said, clause)
        stated = () if clause.reported else self._statements(said, (start, clause.end))
        findings = [*stated, *self._names(said, clause)]
        if not findings and GREETED.search(opening):
            findings = list(_introduction(said, (start, clause.end), self.speaker))
        whole = said[clause.start : clause.end]
        self._remember(said, findings)
        for finding in findings:
            yield replace(
                finding,
                clause=(start, clause.end),
                insisted=bool(INSISTS.search(opening)),
                hedged=bool(HEDGE.search(whole)),
                corrects=bool(CHANGE.search(opening) or NOW_LIKES.search(whole)),
            )

    def _statements(self, said: str, span: tuple[int, int]) -> Iterator[Finding]:
        if self.of_speaker and (found := elided(said, span, self.speaker)):
            yield from found
            return
        subject, at, rows = self._subject(said, span)
        self.of_speaker = subject.is_speaker and (bool(rows) or self.of_speaker)
        if favourites := list(_favourite_of(said, span, self.speaker)):
            yield from favourites
            return
        parts = joined(said, (at, span[1]), by_speaker=subject.is_speaker) if rows else []
        findings = [each for part in parts for each in first_match(said, part, subject, rows)]
        yield from findings or first_match(said, span, self.speaker, BARE)

    def _subject(self, said: str, span: tuple[int, int]) -> tuple[Subject, int, tuple[Row, ...]]:
        if found := _RELATIVE.match(said, *span):
            subject = self._relative(found)
            rows = _rows_for(found["owns"])
            return subject, found.end(), rows if subject.name or found["owns"] else (*rows, english_everyday.IS_CALLED)
        if found := _SPEAKER.match(said, *span):
            ours = found[0].lower() == "we"
            return self.speaker, found.end(), tuple(row for row in ROWS if not ours or row.predicate in _OUR_ROWS)
        if (found := _POSSESSED_BY.match(said, *span)) and len(self.spoken_of) == 1:
            return next(iter(self.spoken_of.values())), found.end(), MINE
        if found := _POSSESSED.match(said, *span):
            return self.speaker, found.end(), MINE
        if (found := _PRONOUN.match(said, *span)) and len(self.spoken_of) == 1:
            return next(iter(self.spoken_of.values())), found.end(), ROWS
        if (found := _NAMED.match(said, *span)) and not _NOT_A_PERSON.match(found["name"]):
            return (
                self._person(found["name"]),
                found.end(),
                tuple(row for row in ROWS if row.predicate in _PERSON_ROWS),
            )
        return self.speaker, span[0], ()

    def _relative(self, found: re.Match[str]) -> Subject:
        relation = re.sub(r"\s+", " ", found["kin"].lower())
        subject = Subject(key=found["name"] or relation, relation=relation, name=found["name"] or "")
        return self.spoken_of.setdefault(subject.key, subject)

    def _person(self, name: str) -> Subject:
        return self.spoken_of.get(name) or self.spoken_of.setdefault(name, Subject(key=name, name=name))

    def _remember(self, said: str, findings: list[Finding]) -> None:
        """After «my daughter is called Emma», "she" is Emma."""
        for each in findings:
            relation = each.subject.relation
            if each.row.predicate == "name" and relation and not each.subject.name:
                name = said[slice(*each.place)]
                self.spoken_of.pop(relation, None)
                self.spoken_of[name] = Subject(key=name, relation=relation, name=name)

    def _names(self, said: str, clause: Clause) -> Iterator[Finding]:
        """«my daughter Emma», wherever it stands: what she is called is stated in passing."""
        for found in _APPOSITION.finditer(said, clause.start, clause.end):
            subject = Subject(key=self.speaker.key, relation=re.sub(r"\s+", " ", found["kin"].lower()))
            if english_more_rows.NAMED.fits(found["object"]):
                place = found.span("object")
                yield Finding(row=english_more_rows.NAMED, subject=subject, place=place, clause=found.span())


def _rows_for(possessive: str | None) -> tuple[Row, ...]:
    """After «my sister's» either an attribute follows or a contracted «is»."""
    return (*english_more_rows.ATTRIBUTES, *CONTRACTED) if possessive else ROWS


def _introduction(said: str, span: tuple[int, int], speaker: Subject) -> Iterator[Finding]:
    """«Hi, I'm Anna»: only a greeting tells a name from an adjective."""
    me = _SPEAKER.match(said, *span)
    found = english_more_rows.INTRODUCED.pattern.match(said, me.end(), span[1]) if me else None
    if found:
        yield from findings_of(said, found, (english_more_rows.INTRODUCED, speaker), span)


def _favourite_of(said: str, span: tuple[int, int], speaker: Subject) -> Iterator[Finding]:
    """«Blue is my favourite colour»."""
    found = _FAVOURITE_OF.match(said[: span[1]].rstrip(), span[0])
    row = english_more_rows.FAVOURITE
    if found and row.fits(found["object"]) and not _NOT_A_PERSON.match(found["object"]):
        yield Finding(
            row=row,
            subject=speaker,
            place=found.span("object"),
            clause=span,
            negated=bool(found["not"]),
            about=found["about"].strip().lower(),
        )
