"""What a person asks of memory in a turn: to forget, correct, remember, not to note, or to take such a change back.

The sentence classifier tells that something is asked; what is left of the sentence without the words of asking tells
about what.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from language.additions import added_allergen
from language.attributes import NewValue, find_new_value
from language.corrections import find_contrast, is_bare_correction, split_correction
from language.detection import language_of
from language.forgetting import (
    Asking,
    asking_part,
    asks_to_forget,
    says_which,
    tells_of_remembering,
    wants_untouched,
)
from language.off_record import bans_matter, leaves_record
from language.remembering import find_asked_clause
from language.secrets import has_secret
from language.self_corrections import is_self_corrected
from language.sentences import split_sentences
from language.statements import Statement, is_bare_denial, is_denial, read_sentence, read_statements
from language.tables import Patterns, patterns_of
from language.terms import terms_of
from language.times import time_words

Switch = Literal["on_record", "undo"]
Act = Literal["forget", "correct", "remember", "dont_note", "off_record", Switch]
SWITCHES: tuple[Switch, ...] = get_args(Switch)
"""What settles a turn by itself."""

WITHHOLDS = 0.9
"""How probable it has to be that a sentence asks not to be noted, without a word that says so."""
_CLAUSES = re.compile(r"[,，;；.。!！]\s*")
BARE = 24
"""Characters of an English sentence that can only point; a third of them in Chinese."""
MAX_CHARACTERS = 600
"""Characters of a turn that is read as a request; of a longer one beginning and end may ask not to note it."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One thing asked of memory.

    ``about`` is the asking sentence without the words of asking; empty when it only points ("forget that"). ``points``
    tells that it means what was just said, ``everything`` that all matches are meant, or that a matter is never to be
    noted, ``when`` are the words of a time when all that was said then is meant. A correction states ``stated``
    in the place of ``denied``, either of which may be empty. One that is not ``is_addressed`` to Brain may be talk.
    ``just_named`` is the sentence before the one that asks, where ``about`` stands in that; ``new`` is what is to be
    set of what its speaker has one of.
    """

    act: Act
    sentence: Statement | None = None
    about: str = ""
    everything: bool = False
    when: str = ""
    points: bool = False
    stated: str = ""
    denied: str = ""
    is_addressed: bool = True
    just_named: Statement | None = None
    new: NewValue | None = None


def find_request(text: str, before: str = "") -> Request | None:
    """The first thing that a turn asks of memory; None when it asks nothing. ``before`` is what Brain said last."""
    words = _words(text)
    if len(text) > MAX_CHARACTERS:
        ends = [*read_statements(text[:MAX_CHARACTERS], before), *read_statements(text[-MAX_CHARACTERS:])]
        return _ban_request(ends) or _withhold_request(ends, words)
    statements = read_statements(text, before)
    banned, withheld = _ban_request(statements), _withhold_request(statements, words)
    for act in SWITCHES:
        if getattr(words, act).search(text) and not (act == "on_record" and (banned or withheld)):
            asking = (each for each in statements if getattr(words, act).search(each.text))
            return Request(act=act, sentence=next(asking, None))
    if (named := words.brings_back.match(text)) is not None:
        about = next((said for said in named.groupdict().values() if said), "")
        about = _about(about, words) or about
        if terms_of(about):
            return Request(act="undo", about=about)
    if banned is not None:
        return banned
    asked = _forget_or_remember(statements, words, untouched=wants_untouched(text))
    return withheld or asked or _correct_request(text, statements, words) or _deny_request(statements, words)


def _forget_or_remember(statements: Sequence[Statement], words: Patterns, *, untouched: bool) -> Request | None:
    for place, each in enumerate(statements):
        after = statements[place + 1].text if place + 1 < len(statements) else ""
        found = _read_restated(each, after, words, untouched=untouched)
        if found is None and (found := _read_request(each, words, untouched=untouched)) is None:
            continue
        if found.act != "forget":
            return found
        more = " ".join(after.text for after in statements[place + 1 :] if says_which(after.text))
        found = replace(found, about=f"{found.about} {_about(more, words)}".strip())
        return _name_by(found, statements[place - 1], words) if place else found
    return None


def _read_restated(statement: Statement, after: str, words: Patterns, *, untouched: bool) -> Request | None:
    """ "Scratch that, it's blue" says what is right, "delete that, it's private" why, and the rest may say either."""
    behind = words.takes_back.match(statement.text)
    follows = after if behind and not behind["behind"] and words.restates.match(after) else ""
    said = follows or (behind["behind"] if behind else "")
    asking = _asking(statement.text, words, untouched=untouched) if said else "no"
    if asking == "no":
        return None
    right = [each for each in _CLAUSES.split(said) if words.restates.match(each) and not words.says_why.search(each)]
    if right:
        return Request(act="correct", sentence=statement, about=right[0], stated=right[0], points=True)
    if follows or asking != "plainly":
        return None
    why = words.says_why.search(said)
    return Request(act="forget", sentence=statement, points=True, stated=said, is_addressed=bool(why))


def _asking(text: str, words: Patterns, *, untouched: bool) -> Asking:
    """Whether a sentence asks to forget; not where it only puts another value in the place of one."""
    if untouched or words.not_asked.search(text) or is_bare_correction(text) or len(split_sentences(text)) > 1:
        return "no"
    return asks_to_forget(text)


def _name_by(request: Request, before: Statement, words: Patterns) -> Request:
    """ "I have gout. Forget it." means what the sentence before it names, where that names anything."""
    about = _about(before.text, words)
    if (
        not request.points
        or words.just_said.search(request.sentence.text if request.sentence else "")
        or not terms_of(about)
    ):
        return request
    return replace(request, about=about, points=False, just_named=before)


def correcting_words(text: str) -> re.Pattern[str]:
    """The words in the language of a text by which people ask that something be put right."""
    return _words(text).correcting


def _words(text: str) -> Patterns:
    return patterns_of("requests", language_of(text))


def _ban_request(statements: Sequence[Statement]) -> Request | None:
    """Nothing of the talk, or all of a matter, is not to be noted from now on."""
    for each in statements:
        if leaves_record(each.text):
            return Request(act="off_record", sentence=each)
        if bans_matter(each.text):
            return Request(act="dont_note", sentence=each, everything=True)
    return None


def _withhold_request(statements: Sequence[Statement], words: Patterns) -> Request | None:
    found = next((each for each in statements if _is_withholding(each, words)), None)
    if found is None:
        return None
    return Request(act="dont_note", sentence=found, about=_about(found.text, words))


def _is_withholding(statement: Statement, words: Patterns) -> bool:
    if words.not_withheld.search(statement.text):
        return False
    if words.keeps_no_note.search(statement.text):
        return True
    if statement.kind != "dont_note" or words.not_asked.search(statement.text):
        return False
    return statement.kinds["dont_note"] >= WITHHOLDS or bool(words.withholds.search(statement.text))


def _read_request(statement: Statement, words: Patterns, *, untouched: bool) -> Request | None:
    text = statement.text
    asking = _asking(text, words, untouched=untouched)
    if (clause := find_asked_clause(statement)) is not None and not has_secret(text):
        return Request(act="remember", sentence=statement, stated=clause.text)
    remembers = words.remembers.match(text)
    if remembers is not None and asking in ("plainly", "perhaps"):
        return _forget_request(statement, words, is_addressed=False)
    if remembers is not None or (
        statement.kind == "remember" and asking in ("no", "unsaid") and not words.corrects.search(text)
    ):
        return _remember_request(statement, words)
    if asking == "no" or (asking == "unsaid" and statement.kind != "forget") or words.corrects.match(text):
        return None
    if asking == "barely" and not words.idioms.search(text):
        return Request(act="forget", sentence=statement, points=True, is_addressed=False)
    return _forget_request(statement, words, is_addressed=asking == "plainly")


def _forget_request(statement: Statement, words: Patterns, *, is_addressed: bool) -> Request | None:
    if words.idioms.search(statement.text):
        return None
    whole = words.whole_memory.search(statement.text) is not None
    everything = bool(words.everything.search(statement.text))
    about, when = _about(asking_part(statement.text), words), ", ".join(time_words(statement.text))
    just_said = words.just_said.search(statement.text) is not None and not terms_of(about)
    if when and not just_said and not terms_of(_about(_without_times(statement.text), words)):
        return Request(act="forget", sentence=statement, when=when)
    if words.keeps_nothing.search(statement.text) and not (everything or whole or terms_of(about)):
        return Request(act="dont_note", sentence=statement)
    points = just_said or (_is_bare(statement.text) and not whole and not terms_of(about))
    if points and not is_addressed and statement.kind != "forget":
        return None
    return Request(
        act="forget",
        sentence=statement,
        about=about if terms_of(about) else "",
        everything=everything or (whole and not terms_of(about)),
        is_addressed=is_addressed,
        points=points,
    )


def _is_bare(text: str) -> bool:
    """Whether so little is said that it can only point: "delete that", 删了吧."""
    return len(text) <= (BARE if text.isascii() else BARE // 3)


def _without_times(text: str) -> str:
    for each in time_words(text):
        text = text.replace(each, " ")
    return text


def _about(text: str, words: Patterns) -> str:
    return words.asking.sub(" ", text).strip(" ,.!?;:，。！？；：")


def _remember_request(statement: Statement, words: Patterns) -> Request | None:
    stated = words.remembers.sub("", statement.text, count=1).strip(" ,:，：")
    if statement.kind in ("question", "task") or has_secret(stated) or not terms_of(stated):
        return None
    if statement.kind != "remember" and not words.first_person.search(stated):
        return None
    return Request(act="remember", sentence=statement, stated=stated)


def _deny_request(statements: Sequence[Statement], words: Patterns) -> Request | None:
    """ "Did I tell you I live in Nice? I don't." is asked about where a memory says so."""
    for each, after in pairwise(statements):
        told = words.told_you.match(each.text)
        if told is not None and is_bare_denial(after.text) and not is_denial(told["told"]):
            return Request(act="forget", sentence=each, about=_about(told["told"], words), is_addressed=False)
    return None


def _correct_request(text: str, statements: Sequence[Statement], words: Patterns) -> Request | None:
    """What puts something right needs words for it, or the wrong value beside the right one."""
    if (new := find_new_value(text)) is not None and not has_secret(text):
        return Request(act="correct", sentence=read_sentence(text), about=new.sentence, stated=new.sentence, new=new)
    told = bool(words.corrects.search(text))
    for each in reversed(statements):
        stated, denied = split_correction(each.text)
        says_what = bool(terms_of(words.correcting.sub(" ", f"{stated} {denied}")))
        if not says_what or not (told or denied) or _corrects_nothing(each, words, told=told):
            continue
        about = f"{stated} {denied}"
        return Request(act="correct", sentence=each, about=about, stated=stated, denied=denied, is_addressed=told)
    return None


def _corrects_nothing(statement: Statement, words: Patterns, *, told: bool) -> bool:
    text = statement.text
    if (is_self_corrected(text) and find_contrast(text) is None) or added_allergen(text) is not None:
        return True
    if words.alone.fullmatch(text.strip()) or words.idioms.search(text) or tells_of_remembering(text):
        return True
    if any(each.search(text) for each in (words.not_asked, words.changes, words.restyles)):
        return True
    return statement.kind == "question" or (statement.kind == "forget" and not told)
