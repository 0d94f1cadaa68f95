"""Excerpts of long turns: the sentences around the words that were asked for, never all of the turn."""

from brain.prompting.tokens import clip, count_tokens
from language.sentences import Sentence, split_sentences
from language.similarity import content_terms

MAX_WHOLE_TOKENS = 240
"""Tokens up to which a remembered text stands whole."""
LEFT_OUT = " […] "


def excerpt(text: str, question: str, limit: int = MAX_WHOLE_TOKENS) -> str:
    """The text when it is short; else its sentences that share most words with the question, each beside the next one.

    Sentences keep their order and their words; ``LEFT_OUT`` stands where something was passed over.
    """
    if count_tokens(text) <= limit:
        return text
    sentences = split_sentences(text)
    chosen = _choose_sentences(sentences, content_terms(question), limit)
    return clip(_join_sentences(text, [sentences[place] for place in chosen]), limit) if chosen else clip(text, limit)


def _choose_sentences(sentences: list[Sentence], asked: frozenset[str], room: int) -> list[int]:
    """Places of the best sentences, and of what follows each, that fit."""
    shared = [len(asked & content_terms(each.text)) for each in sentences]
    best = sorted((place for place, count in enumerate(shared) if count), key=lambda place: -shared[place])
    chosen: set[int] = set()
    for place in (at for found in best for at in (found, found + 1) if at < len(sentences)):
        cost = count_tokens(sentences[place].text) + count_tokens(LEFT_OUT)
        if place not in chosen and cost <= room:
            chosen.add(place)
            room -= cost
    return sorted(chosen)


def _join_sentences(text: str, sentences: list[Sentence]) -> str:
    parts = ["" if sentences[0].start == 0 else LEFT_OUT.lstrip()]
    for each, following in zip(sentences, [*sentences[1:], None], strict=True):
        gap = text[each.end : following.start] if following else text[each.end :]
        parts += (each.text, gap if len(gap.strip()) <= 3 else LEFT_OUT)
    return "".join(parts).strip()
