"""Chinese rows that need no subject: dates of events, what others do with the speaker, wishes on style."""

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import limit, place, plan, wish, work

_EVENT = (
    r"(?:预产期|验收|考试|面试|婚礼|年会|例会|聚会|聚餐|体检|手术|答辩|发布会|演出|比赛|家长会|春游|秋游|报到|培训|团建|高考|航班"
    r"|入职时间|搬家|截止日期|交稿|婚期|复查|开业)"
)

ROWS = (
    place(
        "lives_in",
        rf"(?P<object>{words.CITIES})(?:这边)?(?:住下来?了|安顿(?:下来|好)了?)",
        "住在{object}",
        changes=True,
    ),
    plan(
        "date",
        rf"(?:我的?)?(?P<about>{_EVENT})(?:的时间)?(?:就|已经)?(?:定|改|安排|推迟|提前|延期|挪|是)?(?:在|到|为|成)了?(?P<object>@time[^，。]{{0,6}})",
        "：{about}在{object}",
        needs_future=True,
        changes=True,
    ),
    plan(
        "date",
        rf"(?:是|就)?(?P<object>@time)(?P<about>{_EVENT})@end",
        "：{about}在{object}",
        needs_future=True,
        changes=True,
    ),
    limit(
        "budget",
        r"(?:价格|价位)?(?P<object>@money(?:以内|以下|之内|左右))(?:都|也|就)?(?:行|可以|能接受|没问题|OK|ok)@end",
        "的预算是{object}",
        category="budget",
        changes=True,
    ),
    limit(
        "consumes",
        r"(?P<object>[^，。我你他她这那\s]{1,8}?)(?:，)?我?(?:从来|一直|真的|实在|现在|都|也|还是)*(?P<not>吃不了|吃不惯|喝不惯|喝不了|不能吃|不能喝|不敢吃|吃不得)@end",
        "吃{object}",
        "不能吃{object}",
        category="diet",
        fits=words.food,
        only_denied=True,
    ),
    work(
        "job",
        r"(?:公司|单位|领导|学校|老板|总部|局里|部门|医院)(?:把我)?(?:升|提拔|提|任命)我?(?:做|当|为|成)了?(?P<object>[^，。了]{0,6}@job)@end",
        "是{object}",
        changes=True,
    ),
    work(
        "works_in",
        r"(?:公司|单位|领导|学校|老板|总部|局里|部门|医院)(?:要|准备|打算|决定)?(?:把我|派我)(?:调|派|外派|安排)?(?:到|去)了?(?P<object>[^，。了]{2,8})(?:了|@end)",
        "被派去{object}工作",
        fits=words.region,
        changes=True,
    ),
    wish(
        "wants_style",
        r"(?:以后|今后|请|麻烦|你|都|尽量|回答|回复|的时候|我|时)*用(?P<object>简体中文|繁体中文|表格|列表|大白话|口语|短句|条列|中文|英文)(?:来)?(?:回答|回复|说|写|给我|就好|就行|最好)?@end",
        "希望用{object}",
    ),
    wish(
        "wants_style",
        r"(?:请|麻烦|你|写|回答|时|的时候|以后)*(?P<not>别|不要)(?:再)?(?:用|写|加|带|发)(?P<object>表格|表情(?:符号)?|感叹号|列表|英文|术语|文言文?|emoji|客套话)",
        "希望用{object}",
        "不要{object}",
    ),
    wish(
        "wants_style",
        r"(?P<object>语气[软温客正随][^，。]{0,4}(?:一?点|一?些))",
        "希望{object}",
    ),
)
