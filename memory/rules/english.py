"""Reading English clauses: whom they are about, and which rows of the table they match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from memory.rules import english_everyday, english_more_rows, english_rows
from memory.rules.clauses import Clause
from memory.rules.english_joined import joined
from memory.rules.english_words import MY_KIN, NAME
from memory.rules.objects import contrast, english_object, exception, favoured, items, shown, trimmed
from memory.rules.rows import TIME_MARK, Finding, Row, Subject

_MARKER = re.compile(
    rf"(?:[\s,:;.!*–—-]|{TIME_MARK})+|(?:well|oh|ah|hey|hi|hello|yes|yeah|yep|no|nope|ok|okay|so|and|but|also"
    rf"|plus|actually|honestly|frankly|personally"
    r"|btw|by\s+the\s+way|fyi|for\s+the\s+record|to\s+be\s+(?:honest|clear)|in\s+fact|you\s+know"
    r"|as\s+(?:you\s+know|i\s+said)|like\s+i\s+said|i\s+mean"
    r"|sorry|thanks?(?:\s+you)?|now|currently|these\s+days|right\s+now|at\s+the\s+moment|nowadays|lately"
    r"|recently|i\s+have\s+to\s+say|i\s+must\s+(?:say|admit)"
    r"|it\s+turns\s+out|turns\s+out|the\s+thing\s+is|fun\s+fact|in\s+general|generally|unfortunately|luckily"
    r"|sadly|anyway|first(?:ly)?|second(?:ly)?"
    r"|finally|besides|because|since|although|though|however|then|while|as\s+for\s+me|about\s+me|maybe|perhaps"
    r"|probably|i\s+(?:think|guess|believe|suppose)"
    r"|i\s+changed\s+my\s+mind|correction|i\s+was\s+wrong|my\s+mistake|i\s+misspoke"
    r"|i\s+meant\s+to\s+say)(?![\w'’])(?:\s+that(?=\s+(?:i|my)\b))?",
    re.IGNORECASE,
)
_INSISTS = re.compile(
    r"(?:(?:just\s+)?so\s+you\s+know|(?:please\s+)?(?:remember|note|keep\s+in\s+mind|don['’]?t\s+forget"
    r"|bear\s+in\s+mind)|(?:just\s+)?(?:to\s+)?let\s+you\s+know"
    r"|i\s+(?:just\s+)?(?:want|wanted|need)\s+you\s+to\s+(?:know|remember)|i\s+(?:told|said\s+to|tell)\s+you"
    r"|you\s+should\s+know)\b(?:\s+(?:this|that))?[\s,:]*",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"\b(?:maybe|perhaps|probably|possibly|i\s+(?:think|guess|suppose|believe))\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:actually|changed\s+my\s+mind|correction|i\s+(?:was\s+wrong|misspoke|meant)|my\s+mistake|no\s+wait"
    r"|sorry)\b|^\s*no,",
    re.IGNORECASE,
)
_NOW_LIKES = re.compile(
    r"\bi\s+now\s+(?:like|love|prefer|enjoy)\b|\bnow\s+i\s+(?:like|love|prefer|enjoy)\b", re.IGNORECASE
)
_ENDED = re.compile(
    r"\b(?:no\s+longer|any\s?more|any\s+longer|used\s+to|left|stopped|quit|gave\s+up|given\s+up)\b", re.IGNORECASE
)
_SPEAKER = re.compile(r"(?:I|we)(?=['’\s])", re.IGNORECASE)
_POSSESSED = re.compile(r"(?:my|our)(?=\s)", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"(?:my"
    rf"|our)\s+{MY_KIN}(?![\w-])(?:,?\s+(?P<name>(?-i:{NAME}))(?=[\s,'’])(?!['’]?\s*(?-i:[A-Z])),?)?(?P<owns>['’]s)?",
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
    r"|Amazon|Microsoft|Speaking|Being|Having)\b"
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
_ROWS = (*english_rows.ROWS, *english_more_rows.ROWS, *english_everyday.ROWS)
_MINE = (*english_more_rows.ATTRIBUTES, *english_everyday.EVENTS)
_BARE = (*english_more_rows.BARE_ROWS, *english_everyday.BARE_ROWS)
_FAVOURITE_OF = re.compile(
    r"(?P<object>[A-Z0-9][\w '’-]{0,40}?)\s+(?:is|are)(?P<not>n['’]t|\s+not|\s+no\s+longer)?\s+(?:still\s+"
    r"|now\s+)?my\s+(?:all-time\s+)?"
    r"favou?rite\s+(?P<about>[\w -]{2,30})$"
)
_APPOSITION = re.compile(rf"\bmy\s+{MY_KIN},?\s+(?P<object>(?-i:{NAME}))(?=[\s,.!]|$)(?!\s+(?-i:[A-Z]))", re.IGNORECASE)


@dataclass
class EnglishReader:
    """Reads the clauses of one turn in order, remembering whom "she" may mean."""

    speaker: Subject
    spoken_of: dict[str, Subject] = field(default_factory=dict[str, Subject])

    def read(self, said: str, clause: Clause) -> Iterator[Finding]:
        """Everything that a clause states. ``said`` has times and other people's words masked."""
        start, opening = _opening(said, clause)
        findings = [*self._statements(said, (start, clause.end)), *self._names(said, clause)]
        if not findings and _GREETED.search(opening):
            findings = list(_introduction(said, (start, clause.end), self.speaker))
        whole = said[clause.start : clause.end]
        self._remember(said, findings)
        for finding in findings:
            yield replace(
                finding,
                clause=(start, clause.end),
                insisted=bool(_INSISTS.search(opening)),
                hedged=bool(_HEDGE.search(whole)),
                corrects=bool(_CHANGE.search(opening) or _NOW_LIKES.search(whole)),
            )

    def _statements(self, said: str, span: tuple[int, int]) -> Iterator[Finding]:
        subject, at, rows = self._subject(said, span)
        if favourites := list(_favourite_of(said, span, self.speaker)):
            yield from favourites
            return
        parts = joined(said, (at, span[1]), by_speaker=subject.is_speaker) if rows else []
        findings = [each for part in parts for each in _first_match(said, part, subject, rows)]
        yield from findings or _first_match(said, span, self.speaker, _BARE)

    def _subject(self, said: str, span: tuple[int, int]) -> tuple[Subject, int, tuple[Row, ...]]:
        if found := _RELATIVE.match(said, *span):
            subject = self._relative(found)
            rows = _rows_for(found["owns"])
            return subject, found.end(), rows if subject.name or found["owns"] else (*rows, english_everyday.IS_CALLED)
        if found := _SPEAKER.match(said, *span):
            ours = found[0].lower() == "we"
            return self.speaker, found.end(), tuple(row for row in _ROWS if not ours or row.predicate in _OUR_ROWS)
        if found := _POSSESSED.match(said, *span):
            return self.speaker, found.end(), _MINE
        if (found := _PRONOUN.match(said, *span)) and len(self.spoken_of) == 1:
            return next(iter(self.spoken_of.values())), found.end(), _ROWS
        if (found := _NAMED.match(said, *span)) and not _NOT_A_PERSON.match(found["name"]):
            return (
                self._person(found["name"]),
                found.end(),
                tuple(row for row in _ROWS if row.predicate in _PERSON_ROWS),
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


_GO_ON = frozenset({"works_at", "job", "studies", "has_family", "has_pet", "birthday", "birthplace"})
_GREETED = re.compile(r"\b(?:hi|hello|hey|good\s+(?:morning|evening|afternoon))\b", re.IGNORECASE)


def _opening(said: str, clause: Clause) -> tuple[int, str]:
    """Where the statement begins, past greetings and «by the way», and the words passed over."""
    at = clause.start
    for _ in range(12):
        found = _MARKER.match(said, at, clause.end) or _INSISTS.match(said, at, clause.end)
        if not found or found.end() == at:
            break
        at = found.end()
    return at, said[clause.start : at]


def _rows_for(possessive: str | None) -> tuple[Row, ...]:
    """After «my sister's» either an attribute follows or a contracted «is»."""
    return (*english_more_rows.ATTRIBUTES, *_CONTRACTED) if possessive else _ROWS


_CONTRACTED = tuple(
    replace(row, pattern=re.compile(row.pattern.pattern.replace(r"(?:['’]m|", r"(?:|['’]m|", 1), re.IGNORECASE))
    for row in _ROWS
    if row.pattern.pattern.startswith("(?:['’]m|")
)


def _agrees(subject: Subject, words: str) -> bool:
    """«Sounds like fun» is nobody's taste: one person likes, only several like."""
    return (
        subject.relation.endswith(("s", "children")) or bool(_AUXILIARY.search(words)) or not _PLURAL_VERB.search(words)
    )


_PLURAL_VERB = re.compile(
    r"\s(?:like|love|enjoy|adore|prefer|hate|dislike|live|work|eat|drink|own|drive|study|speak|want|plan|intend|come)\s",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"\b(?:does|do|did|doesn|don|can|cannot|will|never|used|to)\b", re.IGNORECASE)


def _first_match(said: str, span: tuple[int, int], subject: Subject, rows: tuple[Row, ...]) -> list[Finding]:
    """What the first row that fits says, and what the rows that may stand beside it add."""
    findings: list[Finding] = []
    for row in rows:
        if findings and row.predicate not in _GO_ON:
            continue
        found = row.pattern.match(said, *span)
        if found and (subject.is_speaker or _agrees(subject, found[0])):
            findings += _findings(said, found, (row, subject), span)
    return findings


def _findings(said: str, found: re.Match[str], what: tuple[Row, Subject], span: tuple[int, int]) -> Iterator[Finding]:
    row, subject = what
    groups = found.groupdict()
    negated = bool(groups.get("not"))
    if (negated and not row.denies) or (row.only_denied and not negated):
        return
    place, other = exception(said, found.span("object"))
    place, old = contrast(said, place)
    if not old and not other:
        old = contrast(said, (found.start("object"), span[1]))[1] or _group(found, "old")
    if not row.keeps_time and "prefer" in found[0][: found.start("object") - found.start()]:
        place = favoured(said, place)
    if not row.exact:
        place = english_object(said, place, keeps_time=row.keeps_time)
    finding = Finding(
        row=row,
        subject=subject,
        place=place,
        clause=span,
        negated=negated != row.inverted,
        ended=bool(_ENDED.search(said, *span)) and negated != row.inverted,
        verb=(groups.get("verb") or "").lower(),
        about=(groups.get("about") or "").strip().lower(),
        denied=old and trimmed(said, old, keeps_time=True),
    )
    for part in items(said, place, chinese=False) if row.lists else [place]:
        if row.fits(shown(said, part)):
            yield replace(finding, place=part)
    if other and row.lists and row.fits(shown(said, other)):
        yield replace(finding, place=other, negated=not finding.negated)


def _introduction(said: str, span: tuple[int, int], speaker: Subject) -> Iterator[Finding]:
    """«Hi, I'm Anna»: only a greeting tells a name from an adjective."""
    me = _SPEAKER.match(said, *span)
    found = english_more_rows.INTRODUCED.pattern.match(said, me.end(), span[1]) if me else None
    if found:
        yield from _findings(said, found, (english_more_rows.INTRODUCED, speaker), span)


def _group(found: re.Match[str], name: str) -> tuple[int, int] | None:
    return found.span(name) if found.groupdict().get(name) else None


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
