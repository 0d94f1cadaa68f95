"""Chinese answers to a numbered list."""

import re

from language.patterns import ChoiceWords

_NUMERALS = "一二三四五"

_ALSO = ("|前者", "|后者", "", "", "")


def _ordinal(place: int, numeral: str) -> re.Pattern[str]:
    number = f"(?:{numeral}|{place})"
    return re.compile(f"第?{number}(?:个|条|项|句|号)|第{number}|^\\W*{number}\\W*$" + _ALSO[place - 1])


WORDS = ChoiceWords(
    ordinals=tuple(_ordinal(place, numeral) for place, numeral in enumerate(_NUMERALS, start=1)),
    last=re.compile(r"最后(?:一|那)?(?:个|条|项)"),
    all=re.compile(r"(?:两|三|四|五|几)?(?:个|条)?(?:都|全部?|所有|一起|统统)(?:可以|不要)?|两(?:个|条)"),
    none=re.compile(r"^\W*(?:都不|不(?:用|是|要|删|了|对)|算了|别|取消|没有|留着|一个都不)"),
    filling=re.compile(
        r"请|把|就|那|这|只|了|吧|要|是|和|跟|、|删掉|删除|删|忘掉|忘了|忘|改|清|去掉|麻烦|谢谢|好的?|嗯|我说的|啊|哈|的"
    ),
    names=re.compile(r"关于|那个|那条|说.{1,12}的|有.{1,12}的"),
    declines=re.compile(r"没有|没能|不能|无法|不会|并未|没忘|没删|找不到|不记得"),
    notes=re.compile(r"\W*(?:好|嗯|行|哦)"),
    yes=re.compile(r"^\W*(?:是|对|好|嗯|行|可以|没错|删|就是|确定)"),
)
