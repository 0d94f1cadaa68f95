"""Made-up turns of conversation and questions about them, in English and Chinese, the same for the same seed.

They are no test of quality: they give texts of realistic length, with words as unevenly spread as in real talk, so that
statements have as much to read, to match and to sort as they have in life.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

RARE_WORDS = 4_000
CHINESE_SHARE = 0.2
LONGER_SHARE = 0.4
"""Of the turns, how many say two things."""

_ENGLISH_WORDS = {
    "name": "Ann Ben Carla Dev Elif Femi Gita Hugo Ines Jonas Kira Liam Mona Nils Olga Priya Rosa Sami Tara Uma",
    "place": "library market harbour clinic school office garden museum station bakery gym theatre farm beach",
    "thing": "book bicycle camera piano sweater laptop recipe ticket painting letter tent violin passport lamp",
    "deed": "bought lost repaired borrowed found sold painted forgot cleaned ordered wrapped photographed",
    "mood": "happy tired worried proud curious nervous relieved annoyed grateful bored excited calm",
}
_CHINESE_WORDS = {
    "name": "小王 李雷 陈晨 王芳 张伟 刘洋 赵敏 周杰",
    "place": "图书馆 菜市场 医院 学校 办公室 博物馆 火车站 面包店",
    "thing": "自行车 照相机 钢琴 毛衣 电脑 花生 雨伞 手表",
    "mood": "开心 疲惫 担心 骄傲 好奇 紧张 放松 无聊",
}
_SYLLABLES = "ba ka to mi ren sol ve dar lin po sha gu tes ni mor al zu fen ro ki"

_ENGLISH = (
    (
        "I {deed} a {thing} near the {place} yesterday, and {name} helped me with the {rare}.",
        "Who helped me with the {rare}?",
    ),
    (
        "{name} and I were at the {place} last weekend; we talked about {rare} and the old {thing}.",
        "What did {name} talk about at the {place}?",
    ),
    (
        "My {thing} is from {rare}, my sister {deed} it for my birthday, and I was so {mood}!",
        "Where is my {thing} from?",
    ),
    (
        "That sounds great! How was the {place}? Did {name} bring the {thing} and the {rare} after all?",
        "Did {name} bring the {thing}?",
    ),
    (
        "Next month I start working at the {place} in {rare}; I feel {mood} but {name} says it will be fine.",
        "Where do I start working next month?",
    ),
    (
        "I'm {mood} today. The {rare} did not arrive, so {name} {deed} another {thing} for the {place}.",
        "What did {name} get instead of the {rare}?",
    ),
)
_CHINESE = (
    ("我昨天在{place}买了一个{thing}，{name}陪我一起去的，感觉很{mood}。", "谁陪我去{place}买{thing}？"),
    ("{name}下个月要去{place}工作，她说想带上那个旧{thing}。", "{name}下个月去哪里工作？"),
    ("我对{thing}过敏，所以上次在{place}吃饭的时候特别小心。", "我对什么过敏？"),
)


@dataclass(frozen=True)
class Saying:
    """A turn, and a question that it answers."""

    text: str
    question: str


def sayings(count: int, seed: int) -> list[Saying]:
    """So many turns; some words are in a tenth of them, most in a handful."""
    return list(_make_sayings(count, Random(seed)))


def _make_sayings(count: int, chance: Random) -> Iterator[Saying]:
    rare = _rare_words(chance)
    for _ in range(count):
        chinese = chance.random() < CHINESE_SHARE
        sentences = [_sentence(chinese, chance, rare) for _ in range(1 + (chance.random() < LONGER_SHARE))]
        yield Saying(" ".join(text for text, _ in sentences), sentences[0][1])


def _sentence(chinese: bool, chance: Random, rare: list[str]) -> tuple[str, str]:
    text, question = chance.choice(_CHINESE if chinese else _ENGLISH)
    words = _chinese(chance) if chinese else _english(chance, rare)
    return text.format(**words), question.format(**words)


def _chinese(chance: Random) -> dict[str, str]:
    return {kind: chance.choice(words.split()) for kind, words in _CHINESE_WORDS.items()}


def _english(chance: Random, rare: list[str]) -> dict[str, str]:
    common = {kind: chance.choice(words.split()) for kind, words in _ENGLISH_WORDS.items()}
    return {**common, "rare": rare[int(len(rare) * chance.random() ** 3)]}


def _rare_words(chance: Random) -> list[str]:
    syllables = _SYLLABLES.split()
    return ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(RARE_WORDS)]
