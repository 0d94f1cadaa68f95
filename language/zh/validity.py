"""Chinese words that tell since when and until when something holds."""

import re
from datetime import datetime
from re import Match

from language.times import periods
from language.times.periods import Period, TimeRule, ValidityWords


def _search(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words))


def _before(*words: str) -> re.Pattern[str]:
    """Words that end where the time begins."""
    return re.compile(rf"(?:{'|'.join(words)})\s?$")


def _end_of(found: Match[str], now: datetime) -> Period:
    """到月底 as the whole month: it ends when the month ends."""
    return periods.shift_period(now, 1 if found["side"] else 0, {"月": "month", "年": "year"}[found["unit"]])


_CLAUSE_END = r"(?=\s*(?:$|[，。！,.!；;、\)）]))"
_STAYS = (
    r"[住租干做读上吃用休放呆待留忙签]|工作|请假|出差|实习|延长|持续|延续|有效|有效期|合同|租约"
    r"|签证|保修|休假|放假|开放|借调|外派|代班|值班|停课|封闭"
)
"""What lasts up to a time, where other verbs before 到 only arrive."""
_DIGIT = "[一二两三四五六七八九]"
_EXACT = rf"(?:\d{{1,3}}|{_DIGIT}?[十百](?:[零一二三四五六七八九]十?)*|{_DIGIT})"
"""A number that means just that many, as 七八 does not."""
_UP_TO = r"(?:到|至)"

VALIDITY = ValidityWords(
    lead=re.compile(r"(?!)"),
    since=_before(r"(?:自从|自打|打从)"),
    starting=re.compile(r"(?!)"),
    since_behind=re.compile(r"(?:开始|以来|起(?![床来飞码])|至今|到现在|到今天)"),
    opening=_before(r"[从自打](?!己)"),
    until=_before(rf"(?:直到|截至|截止到?|一直{_UP_TO}|持续{_UP_TO}|(?:{_STAYS}){_UP_TO})"),
    until_behind=re.compile(r"[底末]?(?:为止|止)"),
    elsewhere=_before(
        r"(?:除了|比|像|跟|和|或|或者|大概|大约|差不多|不到|等到?|(?<![改迟期前挪调约定排换])(?:到|至)|拖到|早于|晚于|过了|关于|还是|不是|离|距离?|赶在|最晚|最迟)"
    ),
    elsewhere_behind=re.compile(
        r"[底末]?(?:之前|以前|前|之后|以后|后|左右|前后|还是|或|和|到|至|之间|为止|出生|生日|代|级|款|版|届|的?(?:时候|样子|生日))|[、/]"
    ),
    joint=_search(r"到|至|—|–|~|～|[年月日号]\s?-|\d{4}\s?-\s?\d{4}"),
    between=_search(r"\s?(?:到|至|—+|–|-|~|～)\s?"),
    lasting=_search(
        rf"(?<![第快近约几])(?<!差不多)(?<!大概)(?<!将近)(?<![一二三四五六七八九十百])(?P<count>{_EXACT})\s?(?P<unit>年|个月|个?星期|个?礼拜|周|天)了"
        rf"{_CLAUSE_END}"
    ),
    perfect=re.compile(""),
    past_is_sure=False,
    past=_search(r"[了过]|曾|当时|那时|刚刚?(?!好)|已经"),
    future=_search(r"要|(?<![开聚约机社晚])会(?![议了儿员计的])|得(?!了)|将|打算|准备|计划|即将|面试|考试|手术|婚礼|出发|截稿|复查|复诊|预约|开学|入职"),
    recurring=_search(
        r"每|逢|隔[一两三]?[天周月年]|天天|年年|月月|总是?|经常|通常|一般|平时|常常|有时|偶尔|都(?:会|要|得|是)|定期|固定|轮流"
    ),
    habitual=_search(
        r"生日|纪念日|忌日|到期|过期|截止|结束|瑜伽课|上课|值班|休息|限号|课$|培训课"
    ),
    yearly=_search(r"每|年年"),
    yearless=re.compile(
        r"^(?!.*(?:\d{4}|年|[昨明前后][天日晚早]|[上下这本]个?(?:月|周|星|礼|季)))"
        r"(?=.*(?:今[天晚早日]|月|[日号]|周|星期|礼拜|节|国庆|元旦|圣诞|五一|双十一))"
    ),
    weekday=_search(r"周|星期|礼拜"),
    clock_alone=re.compile(
        r"^(?:刚才|方才|.*(?:小时|分钟|钟头).*|(?:凌晨|清晨|早上|早晨|上午|早|中午|下午|傍晚|晚上|夜里)[^天日号周]*)$"
    ),
    doubtful=_search(
        r"[?？吗]|如果|要是|假如|假设|万一|可能|也许|或许|说不定|估计|希望|想(?![起来念])|不一定|打算不|争取|最好|应该|考虑|提醒|本来|原本|原定|差点|梦|直到.*才|今年\s?[\d一二三四五六七八九十]{1,4}\s?(?:岁|了|周岁|属)|(?:没有?|不是)从"
    ),
    subordinate=_search(r"因为|由于|听说|的时候"),
    subordinate_behind=re.compile(r"[^，。！？,.!?；;了]{0,10}的(?![，。！,.!；;]|$)|(?:那个?|这个?)(?:时候|会儿)"),
    negated=_search(r"[没未别](?!关系)|不(?!错|久|过|止|仅|但|光|少)"),
    units={
        "天": "day", "周": "week", "星期": "week", "个星期": "week", "礼拜": "week", "个礼拜": "week", "个月": "month",
        "年": "year",
    },
    rules=(TimeRule(re.compile(rf"(?:{_UP_TO})(?P<side>下个)?(?P<unit>[月年])[底末]"), _end_of),),
)  # fmt: skip
