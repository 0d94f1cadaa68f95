"""The Chinese extraction table, continued: habits, skills, fears and other everyday things."""

from functools import partial

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import limit, plan, row, taste, wish

_SKILLS = (
    r"游泳|开车|骑车|骑自行车|骑马|滑雪|滑冰|做饭|唱歌|跳舞|编程|画画|书法|弹(?:钢琴|吉他|古筝|琵琶)|拉(?:小提琴|大提琴|二胡)|吹笛子"
    r"|打(?:篮球|网球|羽毛球|乒乓球|高尔夫|太极|麻将)|踢足球|下(?:围棋|象棋|国际象棋)"
)
_TRAITS = r"独生子女?|独生女|双胞胎|夜猫子|早起的人|社恐|路痴|吃货|[IEie][NSns][TFtf][JPjp]|素颜党|内向的人|外向的人"
_EVENT = r"航班|飞机|火车|高铁|考试|面试|婚礼|手术|体检|预约|答辩|年会|驾照考试"
_LANGUAGES = r"中文|英文|英语|日语|日文|法语|德语|西班牙语|韩语|粤语|繁体中文|简体中文"

IS_CALLED = row(
    "name",
    rf"@still(?:就)?是(?P<object>(?![\u4e00-\u9fff]{{1,2}}人){words.GIVEN})@end",
    "是{object}",
    item_type="relation",
    category="family",
    fits=words.name,
)
"""«我的领导是王强», which only holds after somebody's relation to the speaker."""

_trait = partial(row, category="character")
_skill = partial(row, category="skill")

ROWS = (
    row(
        "wears",
        r"@adverbs(?P<not>不)?(?:戴|佩戴)(?:着)?(?P<object>(?:近视|隐形|老花)?眼镜|助听器|牙套|假牙)",
        "戴{object}",
        "不戴{object}",
        category="health",
    ),
    limit(
        "consumes",
        r"@still(?P<not>不再|再也不|从来?不|不)@still(?P<verb>抽|吸)(?P<object>烟|电子烟|雪茄)",
        "{verb}{object}",
        "不{verb}{object}",
        category="diet",
        only_denied=True,
    ),
    _trait(
        "fears",
        r"@adverbs(?P<not>不)?(?:害怕|恐惧|怕)(?P<object>[^，。！？\s]{1,8})@end",
        "怕{object}",
        "不怕{object}",
        fits=words.feared,
    ),
    _skill("can", rf"@adverbs(?P<not>不)?会(?P<object>{_SKILLS})@end", "会{object}", "不会{object}"),
    row("surname", r"@adverbs姓(?P<object>[\u4e00-\u9fff])@end", "姓{object}"),
    row("zodiac", r"@still是(?P<object>[\u4e00-\u9fff]{2}座)@end", "是{object}"),
    row("zodiac", r"@still属(?P<object>[鼠牛虎兔龙蛇马羊猴鸡狗猪])@end", "属{object}"),
    _trait("trait", rf"@still(?P<not>不)?是(?:一?个)?(?P<object>{_TRAITS})@end", "是{object}", "不是{object}"),
    row(
        "habit",
        r"@still习惯(?:于|了)?(?P<object>[用喝吃在去早晚开坐睡走跑][^，。不]{1,15})",
        "习惯{object}",
        category="habits",
        fits=words.action,
        keeps_time=True,
    ),
    row(
        "habit",
        r"@still(?:一般|通常|平时|总是|习惯)?(?P<object>(?:@time|@number点半?)(?:左右|才|就)?(?:起床|睡觉|睡|上班|下班|吃早饭|吃晚饭|吃午饭))@end",
        "{object}",
        category="habits",
        keeps_time=True,
        fits=words.short,
    ),
    row(
        "studies",
        r"@adverbs在(?P<object>[\u4e00-\u9fffA-Za-z]{2,12}?(?:大学|学院|中学|高中|小学))(?:读|上|念|学习|就读)",
        "在{object}读书",
        category="work",
    ),
    row(
        "prepares_for",
        r"@adverbs(?:正?在)?(?:准备|备考|备战)(?P<object>考研|考公|高考|中考|雅思|托福|马拉松|[^，。]{1,8}?(?:考试|比赛))@end",
        "在准备{object}",
        item_type="plan",
        category="plans",
    ),
    taste(
        "prefers",
        r"@adverbs(?:换成|改成)了?(?P<verb>[吃喝穿用看听玩])@object",
        "改{verb}{object}",
        changes=True,
    ),
    row(
        "has_family",
        r"@still(?P<not>没有?)(?P<object>孩子|小孩|女儿|儿子|兄弟姐妹|男朋友|女朋友|对象)@end",
        "",
        "没有{object}",
        category="family",
        only_denied=True,
    ),
    row(
        "owns",
        r"@still(?P<not>没有)(?P<object>车|房|房子|驾照|电脑|宠物)@end",
        "",
        "没有{object}",
        category="possessions",
        only_denied=True,
    ),
    plan(
        "plans",
        rf"的?(?P<verb>{_EVENT})(?:就|定)?(?:是|在|改到了?)(?P<object>@time[^，。]{{0,15}})",
        "的{verb}是{object}",
        needs_future=True,
    ),
)
BARE_ROWS = (
    wish(
        "reply_language",
        rf"(?=以后|今后|都|一直|请一直|永远)(?:以后|今后|请|麻烦|你|都|一直|永远)*用(?P<object>{_LANGUAGES})(?:来)?(?:回答|回复|跟我|和我|与我|交流|沟通)",
        "希望用{object}交流",
    ),
)
"""Wishes about how Brain speaks."""
