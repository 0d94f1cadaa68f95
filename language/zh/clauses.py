"""Where a Chinese clause may begin, and what its subject is."""

import re

from language.patterns import ClauseWords
from language.zh.people import KIN

_ADVERB = (
    r"(?:也|还|又|现在|目前|今年|平时|一直|已经|刚|最近|跟|和|每天|每周|常|特别|很|最|比较|有点|不太|主要|以前|小时候)"
)
_VERB = (
    r"(?:在|有|住|做|干|当|开|教|学|读|念|喜欢|爱|讨厌|怕|养|叫|姓|属|会|想|打算|准备|要|不|没|对|租|买|用|吃|喝|戴"
    r"|穿|睡|上班|工作|结|离|搬|来|去|过敏)"
)
_SELF = rf"(?:我们|咱们?|俺们?|本人|我哋|阿拉|我)(?={_ADVERB}*(?:{_VERB}|是|\d))"
"""The speaker, of whom something is said right away: 我二舅 is somebody else."""
_NAMED = r"(?:[A-Z]\w*|[\u3400-\u9fff]{1,3}(?=[，,是在今叫做有]))"
_OTHER = rf"(?:(?:我|咱|俺)?(?:家|们)?(?:的|那个?)?{KIN}{_NAMED}?)"
_HAN = r"[\u3400-\u9fff]"
_JOINING = r"(?:而且|并且|但是?|不过|可是?|因为|所以|另外|还有|然后|同时|其实|顺便|对了|且|同埋|仲有|而家)"

WORDS = ClauseWords(
    joints=re.compile(rf"\s*[，,、；;：:()（）—…。！!？?][，,、；;：:()（）—…。.！!？?\s]*|(?<={_HAN})\s+(?={_HAN})"),
    verb=re.compile(rf"{_VERB}|能|卖|换|生|跑|打|玩|了|过"),
    subject=re.compile(rf"[\s\W]*{_JOINING}?(?:{_OTHER}|{_SELF})"),
    own_subject=re.compile(rf"(?!.*的[\u3400-\u9fff]{{1,4}}$)[\s\W]*(?:{_JOINING})*(?P<subject>{_OTHER}|{_SELF})"),
    goes_on=re.compile(rf"(?:我们|咱们?|俺们?|本人|我哋|阿拉|我)\n(?!不是我)(?=\S{{3,}}){_ADVERB}*{_VERB}"),
    leading=re.compile(rf"[\s\W]*(?:(?:{_JOINING}|嗯|那个)[，,\s]*)*"),
    trailing=re.compile(r"[\s，,、；;：:(（—…]+$"),
    omission="……",
)
