"""Which statements compete for the same place, and whether that place holds one value or many."""

import re
import unicodedata

_ONE_VALUE = """
    address age anniversary birthday birthplace blood_type budget character diet education email grew_up_in height job
    lives_in marital_status name nickname origin phone shoe_size size time_zone wechat weight works_at works_in zodiac
    wife husband spouse mother father car phone_model commutes_by
    laptop bike
"""
SINGLE_VALUED = frozenset(_ONE_VALUE.split())
"""Predicates with one true value at a time; ``favourite:…`` is one too. All others hold many values side by side."""

_SYNONYMS = {
    "prefers": "likes like loves love enjoys adores dislikes hates prefer preference 喜欢 偏好 爱 热爱 喜爱 讨厌",
    "lives_in": "lives resides residence moved_to location 住 住在 居住 居住地 搬到 定居",
    "works_at": "employer company works_for employed_by 公司 单位 任职 就职 工作单位",
    "job": "occupation profession role works_as title 职业 工作 职位",
    "name": "called full_name 名字 姓名 叫",
    "age": "years_old 年龄 岁",
    "birthday": "born_on date_of_birth birth_date 生日 出生日期",
    "origin": "from hometown home_town nationality 来自 老家 籍贯 家乡",
    "allergic_to": "allergy allergies allergic 过敏",
    "consumes": "eats drinks avoids_eating 吃 喝",
    "diet": "dietary_preference diet_type 饮食",
    "budget": "budget_max price_limit 预算",
    "plans": "plan intends intention 计划 打算",
    "has_pet": "pet pets 宠物",
    "has_family": "family children kids 家人 孩子",
    "owns": "has possesses 拥有",
    "marital_status": "married_to relationship_status 婚姻",
}
_FOLDED = {word: predicate for predicate, words in _SYNONYMS.items() for word in words.split()}
_RELATIVES = {
    "mother": "mom mum 妈妈 妈 母亲",
    "father": "dad 爸爸 爸 父亲",
    "wife": "老婆 妻子 太太 媳妇",
    "husband": "老公 丈夫",
    "daughter": "女儿 闺女",
    "son": "儿子",
    "younger sister": "妹妹 妹",
    "older sister": "姐姐 姐",
    "younger brother": "弟弟 弟",
    "older brother": "哥哥 哥",
    "cat": "kitten 猫 小猫 猫咪",
    "dog": "puppy 狗 小狗 狗狗",
}
_RELATIONS = {word: relative for relative, words in _RELATIVES.items() for word in words.split()}
_VERBS = re.compile(
    r"^(?:to\s+)?(?:drink(?:ing)?|eat(?:ing)?|listen(?:ing)?\s+to|watch(?:ing)?|read(?:ing)?"
    r"|play(?:ing)?|wear(?:ing)?)\s+|^[吃喝看听玩穿读用](?=.)"
)
_ARTICLE = re.compile(r"^(?:(?:on|in|at)\s+(?:the\s+)?|(?:an?|the|some|my)\s+)")
_STYLE = re.compile(r"(?<=..)(?:的?(?:风格|穿搭|衣服|款式?|类型|东西)|风|的)$")


def fold_predicate(predicate: str) -> str:
    """One name for all the ways of saying a predicate, in either language; an unknown one is kept, in lower case."""
    plain = re.sub(r"[\s-]+", "_", unicodedata.normalize("NFKC", predicate).strip().lower())
    if plain.startswith("favorite") or plain.startswith("favourite"):
        return "favourite" + plain.partition("ite")[2]
    return _FOLDED.get(plain, plain)


def fold_relation(word: str) -> str:
    """A family word in one language for both: 女儿 is daughter, mom is mother."""
    return _RELATIONS.get(word, word)


def relations_in(text: str) -> frozenset[str]:
    """The family that a text in lower case speaks of, in either language, word by word: 我姐 is an older sister."""
    words = frozenset(re.findall(r"[a-z]+", text))
    named = (kin for word, kin in _RELATIONS.items() if word in words or (not word.isascii() and word in text))
    return frozenset(word for kin in named for word in kin.split())


def is_known_predicate(predicate: str) -> bool:
    """Whether a predicate is one of those that have a name here; any other may be a synonym of anything."""
    folded = fold_predicate(predicate)
    return folded in _SYNONYMS or is_single_valued(folded)


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
    bare = _ARTICLE.sub("", _VERBS.sub("", plain))
    return _STYLE.sub("", bare) or plain


def has_whole_words(key: str, words: str) -> bool:
    """Whether an object's key holds these words whole, two characters at least; Chinese is written without gaps."""
    edge = r"(?<![^\W_])%s(?![^\W_])" if words.isascii() else "%s"
    return len(words) > 1 and bool(re.search(edge % re.escape(words), key))
