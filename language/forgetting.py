"""Does a sentence ask, in so many words, that something be forgotten? The one gate before anything is taken away.

Words of forgetting are needed, and they have to be said to Brain: as a command, a polite question or a wish. What only
talks about forgetting (quoted, somebody else's, hypothetical, a question about what was deleted) does not ask.
"""

import re
from itertools import pairwise
from typing import Literal

from language.detection import language_of
from language.tables import Patterns, pattern_list, patterns_of

Asking = Literal["plainly", "perhaps", "barely", "unsaid", "no"]
_QUOTED = re.compile(
    r"[\"“「『«《`][^\"“”「」『』«»《》`\n]{1,300}[\"”」』»》`]|(?<!\w)['‘][^'‘’\n]{2,200}['’](?!\w)|(?://|<!--|#\s).*$",
    re.MULTILINE,
)
"""What is quoted, a title, or a comment in code."""


def asks_to_forget(sentence: str) -> Asking:
    """Whether a sentence asks to forget: ``perhaps`` where its words may as well be about onions or a sofa, ``barely``
    where all of it may be said of anything ("clear it"), ``unsaid`` where it has no words for it, and none against it.
    """
    words = _words(sentence)
    said = outside_quotes(sentence)
    clauses = [each for each in words.clauses.split(said) if each.strip()]
    commands = any(words.plain.match(each) for each in clauses[1:])
    if words.talks_about.search(said) or _reads(said, words, commands=commands):
        return "no"
    if words.bare.fullmatch(said.strip()):
        return "barely"
    if commands or any(words.plain.match(each) for each in clauses[:1]):
        return "plainly"
    if _wishes(said, words):
        return "plainly"
    return "perhaps" if any(words.loose.match(each) for each in clauses) else "unsaid"


def tells_of_remembering(sentence: str) -> bool:
    """Whether a sentence speaks of remembering and asks for none: denied, somebody's own, passed on."""
    return _words(sentence).tells_of_remembering.search(sentence) is not None


def asking_part(sentence: str) -> str:
    """The sentence without what is said behind its words of asking to explain them ("…, we broke up").

    What stands before them may name what is meant ("our summer plans, forget them").
    """
    words = _words(sentence)
    bounds = [0, *(found.end() for found in words.clauses.finditer(sentence)), len(sentence)]
    spans = list(pairwise(bounds))
    asks = next((place for place, (start, end) in enumerate(spans) if _asks_here(sentence[start:end], words)), None)
    if asks is None:
        return sentence
    behind = (sentence[start:end] for start, end in spans[asks + 1 :])
    return sentence[: spans[asks][1]] + "".join(each for each in behind if not words.explains.match(each))


def _asks_here(clause: str, words: Patterns) -> bool:
    return bool(words.plain.match(clause)) or _wishes(clause, words)


def _wishes(said: str, words: Patterns) -> bool:
    return any(each.search(said) for each in pattern_list("forgetting.wishes", words.language))


def says_which(sentence: str) -> bool:
    """Whether a sentence behind the one that asks tells which thing is meant ("Marmalade, I mean")."""
    return _words(sentence).specifies.search(sentence) is not None


def wants_untouched(text: str) -> bool:
    """Whether a turn says that nothing is to be deleted or changed, whatever else it says, or plays at it."""
    said = outside_quotes(text)
    return bool(_words(text).untouched.search(said)) or is_played(said)


def is_played(said: str) -> bool:
    """Whether something is said in a role, a translation or a text, and not in earnest."""
    return _words(said).plays.search(said) is not None


def outside_quotes(text: str) -> str:
    """A text without what it quotes, its titles and comments in code."""
    return _QUOTED.sub(" ", text)


def _reads(said: str, words: Patterns, *, commands: bool) -> bool:
    """Whether it asks to be shown or told something.

    A polite question to forget asks for that, and a command may end what begins like a question ("what I earn, delete
    it").
    """
    if words.politely.search(said):
        return False
    return bool(words.asks.search(said) or (words.reads.search(said) and not commands))


def _words(text: str) -> Patterns:
    return patterns_of("forgetting", language_of(text))
