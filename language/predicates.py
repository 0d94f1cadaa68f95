"""Which statements compete for the same place, and whether that place holds one value or many."""

import re
import unicodedata

from language.tables import pattern_of_all, words_by_name

_ONE_VALUE = """
    address age anniversary birthday birthplace blood_type budget character diet education email grew_up_in height job
    lives_in marital_status name nickname origin phone shoe_size size time_zone wechat weight works_at works_in zodiac
    wife husband spouse mother father car phone_model commutes_by
    laptop bike
"""
SINGLE_VALUED = frozenset(_ONE_VALUE.split())
"""Predicates with one true value at a time; ``favourite:…`` is one too. All others hold many values side by side."""


def fold_predicate(predicate: str) -> str:
    """One name for all the ways of saying a predicate, in either language; an unknown one is kept, in lower case."""
    plain = re.sub(r"[\s-]+", "_", unicodedata.normalize("NFKC", predicate).strip().lower())
    if plain.startswith("favorite") or plain.startswith("favourite"):
        return "favourite" + plain.partition("ite")[2]
    return words_by_name("predicates.synonyms").get(plain, plain)


def fold_relation(word: str) -> str:
    """A family word in one language for both: 女儿 is daughter, mom is mother."""
    return words_by_name("predicates.relatives").get(word, word)


def relations_in(text: str) -> frozenset[str]:
    """The family that a text in lower case speaks of, in either language, word by word: 我姐 is an older sister."""
    words = frozenset(re.findall(r"[a-z]+", text))
    named = (
        kin
        for word, kin in words_by_name("predicates.relatives").items()
        if word in words or (not word.isascii() and word in text)
    )
    return frozenset(word for kin in named for word in kin.split())


def is_known_predicate(predicate: str) -> bool:
    """Whether a predicate is one of those that have a name here; any other may be a synonym of anything."""
    folded = fold_predicate(predicate)
    return folded in words_by_name("predicates.synonyms").values() or is_single_valued(folded)


def slot_of(subject: str, predicate: str) -> str:
    """Both folded: two statements with one key are about the same matter, any others never are."""
    return f"{_fold_subject(subject)}|{fold_predicate(predicate)}"


def is_same_subject(one: str, other: str) -> bool:
    """Whether two statements are about the same person or thing, in either language."""
    return _fold_subject(one) == _fold_subject(other)


def _fold_subject(subject: str) -> str:
    return fold_relation(" ".join(unicodedata.normalize("NFKC", subject).casefold().split()))


def is_single_valued(predicate: str) -> bool:
    """Whether a new value ends the old one: a residence does, a taste stands beside other tastes."""
    folded = fold_predicate(predicate)
    return folded in SINGLE_VALUED or folded.startswith(("favourite:", "date:"))


def object_key(text: str) -> str:
    """What two objects of one slot are compared by: «the tea» and «drinking tea» are one, 简约的 and 简约风 too."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .,!。，！\"'“”")
    bare = plain
    for key in ("verbs", "article", "style"):
        bare = pattern_of_all(f"predicates.{key}").sub("", bare)
    return bare or plain


def has_whole_words(key: str, words: str) -> bool:
    """Whether an object's key holds these words whole, two characters at least; Chinese is written without gaps."""
    edge = r"(?<![^\W_])%s(?![^\W_])" if words.isascii() else "%s"
    return len(words) > 1 and bool(re.search(edge % re.escape(words), key))
