"""Reading Chinese clauses: whom they are about, and which rows of the table they match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from memory.rules import chinese_bare, chinese_body, chinese_changes, chinese_everyday, chinese_more_rows, chinese_rows
from memory.rules.chinese_elided import ELIDED, elided_by_speaker
from memory.rules.chinese_words import GIVEN, KIN, OWN_KIN
from memory.rules.clauses import Clause
from memory.rules.objects import chinese_object, items, shown
from memory.rules.rows import SKIPPED, TIME_MARK, Finding, Row, Subject

_MARKER = re.compile(
    rf"[\s{TIME_MARK}{SKIPPED}，,：:、~！!]+|(?:嗯+|哦|啊|呃|哎|唉|对了|其实|老实说|说实话|说真的|坦白说|另外"
    rf"|还有|而且|但是|不过|可是|但|因为|由于|所以|对(?=[，,！!\s])|是的|好的"
    r"|你好|您好|嗨|哈喽|谢谢你?|顺便说一?下|顺便|话说|总之|目前|现在|如今|最近|平时|一般|通常|(?:周末|平日|工作日|下班后|晚上|白天|早上|上午|下午|(?:每)?(?:周|星期)[一二三四五六日天])(?=我)|不好意思|抱歉"
    r"|虽然|然后|首先|其次|最后|同时|并且|不对|不是|不(?=[，,])|错了|我说过"
    r"|我?(?:刚才)?(?:说|记|写|搞|弄)错了|我(?:觉得|想|发现|承认)(?=我|[，,])|应该说|事实上|实际上|更正(?:一下)?"
    r"|纠正(?:一下)?|我改主意了|我改变主意了)(?![\u4e00-\u9fff]{0}的)"
)
_INSISTS = re.compile(
    r"(?:请|麻烦)?(?:你)?(?:帮我)?(?:记住|记得|记一下|记下来?|别忘了|告诉你(?:一下|个事)?"
    r"|跟你说(?:一下|个事)?)[，,：:\s]*"
)
_HEDGE = re.compile(r"可能|也许|大概|好像|似乎|应该|或许|不一定")
_CHANGE = re.compile(r"^\s*不[，,]|错了|更正|纠正|改(?:变)?主意|不对|^其实")
_NOW_LIKES = re.compile(r"(?:现在|如今)(?:更|只|反而|开始|就|最)?(?:喜欢|爱|偏好)")
_ENDED = re.compile(r"不再|再也不|已经不|戒|离职|辞职|以前|过去|曾经?|原来|小时候|之前|不[^，。]{1,12}了\s*$|不了\s*$")
_SPEAKER = re.compile(r"(?:我|本人|俺|咱)(?![们国校方司军厂])")
_RELATIVE = re.compile(
    rf"(?:我(?:们)?(?:家(?:里)?)?的?(?:大|小|二|亲|前)?|(?={OWN_KIN})(?!(?:妈|爸|姐|妹|哥|弟)[^妈爸姐妹哥弟]))(?P<kin>{KIN})"
)
_OURS = re.compile(r"(?:我们|咱们|咱)家?(?=[\s在又还已最刚搬开养住就都从去也])")
_ACTED_ON = re.compile(r"[^，。我他她]{1,6}(?:不?让|叫|要求?|建议|嘱咐|劝)我(?=[少别不多戒])")
_OTHER = re.compile(r"(?:他|她|它)(?!们)|其(?![他实中余次它])")
_WHOLE_NAME = re.compile(rf"(?P<name>(?:小|阿|老)[\u4e00-\u9fff]|{GIVEN})")
_INTRODUCED = re.compile(rf"(?P<name>{GIVEN})是我的?(?:大|小|二|前)?(?P<kin>{KIN})(?=$|[，。的])")
_PERSON_ROWS = frozenset(
    {
        "prefers",
        "condition",
        "consumes",
        "responsible_for",
        "fears",
        "lives_in",
        "works_at",
        "works_in",
        "job",
        "allergic_to",
        "diet",
        "age",
        "origin",
        "birthday",
        "phone",
        "favourite",
    }
)
_ROWS: tuple[Row, ...] = (
    *chinese_rows.ROWS,
    *chinese_everyday.ROWS,
    *chinese_more_rows.ROWS,
    *chinese_changes.ROWS,
    *chinese_body.ROWS,
)
_BARE = (*chinese_rows.BARE_ROWS, *chinese_everyday.BARE_ROWS, *chinese_bare.ROWS)
_FAVOURITE_OF = re.compile(
    r"(?P<object>[^，。是]{1,15}?)(?P<not>不)?(?:就|一直|才)?是我最(?:喜欢"
    r"|爱)的(?P<about>[^，。]{1,8})$"
)
_OF_CHILD = tuple(row for row in _ROWS if row.predicate in ("age", "name", "studies"))
"""What a clause without a subject says of the relative just mentioned, not of the one who has them."""
_UNNAMED = tuple(row for row in _ROWS if row.predicate != "name")
"""«我开了家店，叫半日闲»: what is called so is the thing just told of, not whoever has it."""
_TELLS_OF_SELF = frozenset({"surname", "age", "job", "origin", "lives_in", "works_at", "works_in", "studies"})
_OUR_ROWS = tuple(row for row in _ROWS if row.predicate in ("lives_in", "owns", "has_pet", "has_family", "car"))
_ELIDED = tuple(row for row in _ROWS if row.predicate in ELIDED)
_GO_ON = frozenset({"works_at", "works_in", "job", "origin"})


@dataclass
class ChineseReader:
    """Reads the clauses of one turn in order; a clause without a subject continues the one before it."""

    speaker: Subject
    spoken_of: dict[str, Subject] = field(default_factory=dict[str, Subject])
    last: Subject | None = None
    introduced: Subject | None = None
    last_end: int = -2
    tells_of_self: bool = True

    def read(self, said: str, clause: Clause) -> Iterator[Finding]:
        """Everything that a clause states. ``said`` has times, other people's words and old values masked."""
        if clause.reported:
            self.last, self.last_end = None, -2
            return
        start, opening = _opening(said, clause)
        whole = said[clause.start : clause.end]
        carried = self.last if clause.start - self.last_end <= 2 else None
        for finding in self._statements(said, (start, clause.end), carried):
            yield replace(
                finding,
                clause=(start, clause.end),
                insisted=bool(_INSISTS.search(opening)),
                hedged=bool(_HEDGE.search(whole)),
                corrects=bool(_CHANGE.search(opening) or _NOW_LIKES.search(whole)),
                ended=finding.negated and bool(_ENDED.search(whole)),
            )
        self.last_end = clause.end

    def _statements(self, said: str, span: tuple[int, int], carried: Subject | None) -> Iterator[Finding]:
        for subject, at in self._subjects(said, span):
            ours = subject.is_speaker and bool(_OURS.match(said, *span))
            findings = list(_matches(said, (at, span[1]), subject, _OUR_ROWS if ours else _rows_of(subject)))
            if findings:
                self._remember(subject, findings, said)
                yield from findings
                return
        if _SPEAKER.match(said, *span) or _RELATIVE.match(said, *span):
            found = _RELATIVE.match(said, *span)
            self.last = Subject(key=found["kin"], relation=found["kin"]) if found else self.speaker
            return
        yield from (
            self._introduced(said, span)
            or (list(_matches(said, span, self.introduced, _OF_CHILD)) if carried and self.introduced else [])
            or list(_favourite_of(said, span, self.speaker))
            or list(_matches(said, span, carried or self.speaker, self._continued() if carried else _BARE))
            or self._elided(said, span, carried)
        )

    def _continued(self) -> tuple[Row, ...]:
        return _ROWS if self.tells_of_self else _UNNAMED

    def _elided(self, said: str, span: tuple[int, int], carried: Subject | None) -> list[Finding]:
        """A clause without a subject is about the speaker, unless somebody else is being spoken of."""
        if carried or not elided_by_speaker(said, span):
            return []
        return list(_matches(said, span, self.speaker, _ELIDED))

    def _introduced(self, said: str, span: tuple[int, int]) -> list[Finding]:
        """«王芳是我的同事»: who she is to the speaker, and whom the next clause is about."""
        found = _INTRODUCED.match(said, *span)
        if not found:
            return []
        self.last = Subject(key=found["name"], relation=found["kin"], name=found["name"])
        self.spoken_of[found["name"]] = self.last
        relation = Subject(key=self.speaker.key, relation=found["kin"])
        return [Finding(row=chinese_more_rows.NAMED, subject=relation, place=found.span("name"), clause=span)]

    def _subjects(self, said: str, span: tuple[int, int]) -> Iterator[tuple[Subject, int]]:
        """Whom the clause may be about, the likeliest first: where a name ends, only what follows can tell."""
        if found := _RELATIVE.match(said, *span):
            yield Subject(key=found["kin"], relation=found["kin"]), found.end()
            for named, end in _names(said, found.end(), span[1]):
                yield Subject(key=named, relation=found["kin"], name=named), end
        if found := _OURS.match(said, *span):
            yield self.speaker, found.end()
        if found := _SPEAKER.match(said, *span) or _ACTED_ON.match(said, *span):
            yield self.speaker, found.end()
        elif (found := _OTHER.match(said, *span)) and len(self.spoken_of) == 1:
            yield next(iter(self.spoken_of.values())), found.end()
        elif not _RELATIVE.match(said, *span):
            for named, end in _names(said, *span):
                yield self.spoken_of.get(named, Subject(key=named, name=named)), end

    def _remember(self, subject: Subject, findings: list[Finding], said: str) -> None:
        """What follows «我女儿叫小雨» is about 小雨."""
        named = next((each for each in findings if each.row.predicate == "name" and subject.relation), None)
        if named:
            subject = replace(subject, key=said[slice(*named.place)], name=said[slice(*named.place)])
        self.last = subject
        self.tells_of_self = not subject.is_speaker or all(each.row.predicate in _TELLS_OF_SELF for each in findings)
        self.introduced = _child_of(findings, said)
        if not subject.is_speaker:
            self.spoken_of.pop(subject.relation, None)
            self.spoken_of[subject.key] = subject


def _child_of(findings: list[Finding], said: str) -> Subject | None:
    """The one relative that somebody was just said to have: «我有一个女儿»."""
    for each in findings:
        words = said[slice(*each.place)]
        relative = re.search(rf"(?P<kin>{KIN})$", words)
        if each.row.predicate in ("has_family", "has_pet") and not each.negated and relative and words[0] in "一1":
            return Subject(key=relative["kin"], relation=relative["kin"])
    return None


def _rows_of(subject: Subject) -> tuple[Row, ...]:
    if subject.relation and not subject.name:
        return (*_ROWS, chinese_everyday.IS_CALLED)
    return (
        tuple(row for row in _ROWS if row.predicate in _PERSON_ROWS) if subject.name and not subject.relation else _ROWS
    )


def _names(said: str, at: int, end: int) -> Iterator[tuple[str, int]]:
    found = _WHOLE_NAME.match(said, at, end)
    if found:
        whole = found["name"]
        for length in range(2 if len(whole) > 1 and whole[0] >= "\u4e00" else len(whole), len(whole) + 1):
            yield whole[:length], at + length


def _opening(said: str, clause: Clause) -> tuple[int, str]:
    at = clause.start
    for _ in range(12):
        found = _INSISTS.match(said, at, clause.end) or _MARKER.match(said, at, clause.end)
        if not found or found.end() == at:
            break
        at = found.end()
    return at, said[clause.start : at]


def _matches(said: str, span: tuple[int, int], subject: Subject, rows: tuple[Row, ...]) -> Iterator[Finding]:
    matched = False
    for row in rows:
        if matched and row.predicate not in _GO_ON:
            continue
        found = row.pattern.match(said, *span)
        findings = list(_findings(said, found, (row, subject), span)) if found else []
        matched = matched or bool(findings)
        yield from findings


def _findings(said: str, found: re.Match[str], what: tuple[Row, Subject], span: tuple[int, int]) -> Iterator[Finding]:
    row, subject = what
    groups = found.groupdict()
    negated = bool(groups.get("not"))
    if not row.allows(negated=negated):
        return
    place = chinese_object(said, found.span("object"), keeps_time=row.keeps_time)
    if row.category == "residence" and said[place[0] : place[1]].endswith("的"):
        place = (place[0], place[1] - 1)
    finding = Finding(
        row=row,
        subject=subject,
        place=place,
        clause=span,
        negated=negated != row.inverted,
        verb=groups.get("verb") or "",
        about=groups.get("about") or "",
        old=(groups.get("old") or "").strip(),
    )
    for part in items(said, place, chinese=True) if row.lists else [place]:
        if row.fits(shown(said, part)):
            yield replace(finding, place=part)


def _favourite_of(said: str, span: tuple[int, int], speaker: Subject) -> Iterator[Finding]:
    """«蓝色是我最喜欢的颜色»."""
    found = _FAVOURITE_OF.match(said[: span[1]].rstrip(), span[0])
    row = chinese_rows.FAVOURITE
    if found and row.fits(found["object"]):
        yield Finding(
            row=row,
            subject=speaker,
            place=found.span("object"),
            clause=span,
            negated=bool(found["not"]),
            about=found["about"],
        )
