"""Which characters of a turn are the speaker's own statements. Everything else is hidden, offsets unchanged."""

import re

from language.tables import pattern_of_all

HIDDEN = "\ue000"
"""Stands for each character that is not the speaker's own statement, such as quoted speech."""
MAX_SPOKEN = 10_000
"""Characters read of one turn: beyond that it is a pasted document, not speech."""

_TAG = re.compile(
    r"<(?P<name>(?:said|belief|document|summary|knowledge|memories|tool_result)_[0-9a-f]{6}"
    r"|user_memory|memory_usage_guide|memory|memories|knowledge|context|documents?|system|assistant"
    r"|tool(?:_result)?"
    r"|retrieved|summary|entity_slots)\b[^<>]{0,400}>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_NAMED_LINE = re.compile(r"^[ \t]*[A-Z][a-z]{1,15}[ \t]*:.*$|^[ \t]*[\u4e00-\u9fff]{2,3}：.*$", re.MULTILINE)
_QUOTE = re.compile(r"[\"“「『]([^\"“”「」『』\n]{1,300})[\"”」』]|(?<!\w)['‘]([^'‘’\n]{2,200})['’](?!\w)")
_STOP = re.compile(r"[.!?。！？]+\s*|\n+")
LONG_TALK_SENTENCES = 6
"""Sentences from which a message tells of itself beside what it asks for."""


def starts_play(text: str) -> bool:
    """Whether a turn begins a role play, in which its speaker takes a part as well."""
    return _words("play_starts").search(text[:MAX_SPOKEN]) is not None


def ends_play(text: str) -> bool:
    """Whether a turn says in so many words that a play is over."""
    return _words("play_ends").search(text[:MAX_SPOKEN]) is not None


def own_words(text: str) -> str:
    """The turn with everything that is not its speaker's statement hidden; same length (of what is read).

    Hidden: injected memory and knowledge, code, quoted lines and quoted speech, what Brain is said to have said,
    pasted transcripts. A turn that carries instructions, make-believe or a text to work on states nothing: it is hidden
    whole; a long one tells of its speaker before the make-believe begins, and around a letter that it asks for.
    """
    said = _blank_tags(text[:MAX_SPOKEN])
    if _words("instruction").search(said) or _words("to_work_on").search(said):
        return HIDDEN * len(said)
    said = _hide_made_up(said)
    for pattern in (_FENCE, _QUOTED_LINE, _words("role_line"), _words("you_said")):
        said = pattern.sub(_blank, said)
    said = _words("direct_speech").sub(_hide, said)
    if len(_NAMED_LINE.findall(said)) > 1:
        said = _NAMED_LINE.sub(_blank, said)
    return _QUOTE.sub(_blank_speech, said)


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"own_words.{key}")


def _hide_made_up(said: str) -> str:
    """Without make-believe and texts that are to be written."""
    made_up, letter = _words("make_believe").search(said), _words("letter").search(said)
    if made_up is None and letter is None:
        return said
    stops = [each.end() for each in _STOP.finditer(said) if each.end() < len(said.rstrip())]
    if len(stops) + 1 < LONG_TALK_SENTENCES:
        return HIDDEN * len(said)
    if letter:
        begin = max((each for each in stops if each <= letter.start()), default=0)
        end = min((each for each in stops if each >= letter.end()), default=len(said))
        said = said[:begin] + HIDDEN * (end - begin) + said[end:]
    if made_up:
        begin = max((each for each in stops if each <= made_up.start()), default=0)
        said = said[:begin] + HIDDEN * (len(said) - begin)
    return said


def _hide(found: re.Match[str]) -> str:
    return HIDDEN * len(found[0])


def _blank(found: re.Match[str]) -> str:
    return "\n" * len(found[0])


def _blank_speech(found: re.Match[str]) -> str:
    """Titles and nicknames stay, speech goes."""
    inside = found[1] or found[2]
    before = found.string[max(0, found.start() - 20) : found.start()]
    speech = _words("speech").search(inside) or _words("said_before").search(before) or len(inside) > 60
    return HIDDEN * len(found[0]) if speech else found[0]


def _blank_tags(text: str) -> str:
    """Injected blocks become line breaks; one that is never closed runs to the end."""
    kept: list[str] = []
    at = 0
    while tag := _TAG.search(text, at):
        closing = re.compile(rf"</{tag['name']}\s*>", re.IGNORECASE).search(text, tag.end())
        end = closing.end() if closing else len(text)
        kept += (text[at : tag.start()], "\n" * (end - tag.start()))
        at = end
    return "".join((*kept, text[at:]))
