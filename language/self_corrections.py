"""What a speaker puts right in the same breath: "at eight, sorry, nine", "Her name is Susan. Sorry, Suzanne."."""

import re
from collections.abc import Sequence
from itertools import takewhile

from language import tables
from language.corrections import (
    exchange_value,
    find_contrast,
    is_bare_correction,
    is_of_one_kind,
    is_slip,
    same_frame,
    values_within,
)
from language.detection import language_of
from language.predicates import is_single_valued
from language.readers import read_value
from language.sentences import Sentence, split_sentences
from language.tables import Patterns, patterns_of
from language.values import StatedValue, find_values

_LETTERS = re.compile(r"[^\W_]+")
_PAUSES = " ,，:：…—-"
_Exchange = tuple[StatedValue, StatedValue]


def join_corrections(sentences: Sequence[Sentence], text: str) -> list[Sentence]:
    """The sentences of a text, each as one with what right behind it takes a value of it back."""
    joined: list[Sentence] = []
    for each in sentences:
        if joined and _puts_right(joined[-1].text, each.text):
            start = joined.pop().start
            joined.append(Sentence(start, each.end, text[start : each.end]))
        else:
            joined.append(each)
    return joined


def drop_restarted(sentences: Sequence[Sentence], text: str) -> list[Sentence]:
    """The sentences without those that are said anew right behind ("I hate it. Scratch that, I love it.")."""
    kept: list[Sentence] = []
    for each in sentences:
        cue = _words_of(each.text).restarts.match(each.text)
        if cue and kept and is_said_anew(kept[-1].text, said := each.text[cue.end() :]):
            kept[-1] = Sentence(each.start + cue.end(), each.end, said)
        else:
            kept.append(each)
    return kept


def is_said_anew(one: str, other: str) -> bool:
    """Whether a sentence says another with another value of what one has one of, or another attitude to the same.

    Anything else may be said beside it, and what keeps somebody safe never goes by it.
    """
    frames = _frame(one), _frame(other)
    return bool(frames[0]) and frames[0] == frames[1] and one.casefold().strip() != other.casefold().strip()


def _frame(sentence: str) -> tuple[str, ...]:
    """The words of a sentence around its one value or attitude; empty where it has none, or asks."""
    value, attitudes = read_value(sentence), list(_words_of(sentence).attitude.finditer(sentence))
    if sentence.rstrip().endswith(("?", "？")):
        return ()
    if value is not None and is_single_valued(value.predicate) and sentence.count(value.text) == 1:
        around = sentence.replace(value.text, f" {value.predicate} ")
    elif value is None and len(attitudes) == 1:
        around = f"{sentence[: attitudes[0].start()]} attitude {sentence[attitudes[0].end() :]}"
    else:
        return ()
    return tuple(_LETTERS.findall(around.casefold()))


def is_self_corrected(text: str) -> bool:
    """Whether its speaker put it right while saying it: it is understood as a whole."""
    return len(split_sentences(text)) > 1 or bool(settle_slip(text))


def words_meant(text: str) -> str:
    """What a sentence is judged by: what was meant or, where that is not plain, what was said first."""
    if settled := settle_slip(text):
        return settled
    sentences = split_sentences(text)
    if len(sentences) < 2:
        return text
    contrast = find_contrast(text)
    if contrast is None:
        return sentences[0].text
    return tables.text("corrections.contrast_form", language_of(text)).format(new=contrast.new, old=contrast.old)


def settle_slip(text: str) -> str:
    """A sentence whose speaker put it right while saying it, as it was meant; empty for any other."""
    if find_contrast(text):
        return ""
    for cue in _words_of(text).slip_within.finditer(text):
        if settled := _settle_at(text[: cue.start()], cue[0], text[cue.end() :]):
            return settled
    return ""


def _puts_right(one: str, other: str) -> bool:
    """Whether a sentence takes back a value of the one before it, or names what that one denies."""
    if find_contrast(one) or find_contrast(other):
        return False
    whole = f"{one} {other}"
    if find_contrast(whole):
        return is_bare_correction(whole)
    if one.endswith(("?", "？")) or is_bare_correction(one):
        return False
    return _words_of(other).alternative.search(other) is not None


def _settle_at(before: str, cue: str, after: str) -> str:
    """What was said before the cue with the values that come right after it; empty where one of them has no place."""
    pairs: list[_Exchange] = []
    end = 0
    for new in values_within(after):
        if _words_of(before).carrier.sub("", after[end : new.start]).strip(_PAUSES):
            break
        old = _find_meant(before, cue + after[: new.start], new)
        if old is None:
            break
        pairs.append((old, new))
        end = new.end
    named = any(new.kind == "name" for _, new in pairs)  # a name may begin something else
    if all(old.key == new.key for old, new in pairs) or (named and not _words_of(before).goes_on.match(after[end:])):
        return ""
    tail = before[max(old.end for old, _ in pairs) :].strip()
    for old, new in sorted(pairs, key=lambda pair: pair[0].start, reverse=True):
        before = exchange_value(before, old, new)
    return f"{before.rstrip()}{_drop_repeated(after[end:], tail)}".strip()


def _drop_repeated(rest: str, tail: str) -> str:
    """What follows the new values without the words, such as a unit, that followed the old ones as well."""
    said = rest.lstrip()
    again = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, tail, strict=False)))
    if again.isascii() and said[len(again) : len(again) + 1].isalnum():
        again = again.rpartition(" ")[0]
    return said[len(again) :] if again.strip() else rest


def _find_meant(before: str, lead: str, new: StatedValue) -> StatedValue | None:
    """The last value that a new one can mean; of names the only one."""
    olds = same_frame(find_values(before), new)
    if not olds or (new.kind == "name" and len(olds) > 1):
        return None
    old = olds[-1]
    return old if is_of_one_kind(before, old, lead, new) or _is_other_place(before[: old.start], lead, new) else None


def _is_other_place(before: str, lead: str, new: StatedValue) -> bool:
    """ "I live in Paris. Sorry, Lyon.": nobody is spoken to by the name that comes right behind a place."""
    words = _words_of(before)
    if new.kind != "name" or words.quality.search(new.text) or words.greets.search(new.text):
        return False
    return words.placed.search(before) is not None and is_slip(lead)


def _words_of(text: str) -> Patterns:
    return patterns_of("corrections", language_of(text))
