"""The Chinese extraction table, continued: the body, what it is given, and tastes that changed."""

from functools import partial

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import limit, row, taste

_DRUG = (
    r"(?:[\u4e00-\u9fff]{1,5}(?:沙坦|地平|他汀|洛尔|普利|西林|霉素|沙星|拉唑|双胍|布芬|列汀|格雷|匹林|他定|司特|西汀|替丁)(?:片|胶囊)?"
    r"|[\u4e00-\u9fff]{1,6}(?:片|胶囊|冲剂|颗粒)|胰岛素|降压药|降糖药|避孕药|安眠药|抗生素|褪黑素|叶酸|钙片|优甲乐)"
)
_BODY = r"(?:肠胃|胃|腰|膝盖|颈椎|肩膀|肩|眼睛|嗓子|心脏|肾|肝|血压|血糖|血脂|尿酸|睡眠|牙|关节)"
_diet = partial(limit, category="diet")

BODY = (
    row("condition", r"@adverbs(?P<object>@condition)@end", "{object}", category="health"),
    row(
        "condition",
        rf"@adverbs的?(?P<object>{_BODY}(?:一直|最近|老是|有点|总|都)*(?:不太好|不好|有毛病|有问题|不行|受过伤|偏高|偏低|疼))@end",
        "{object}",
        category="health",
    ),
    row(
        "condition",
        r"@adverbs(?P<object>(?:做|动)了?(?:个|一个|一次|过)?[^，。]{0,8}?(?:手术|支架|搭桥|移植))",
        "{object}",
        category="health",
    ),
    row(
        "medication",
        rf"@adverbs(?:改吃|换成了?|改成了?|开始吃|在吃|每天吃|吃着|服用|吃的是|吃)(?:那个|这个)?(?P<object>{_DRUG})",
        "在吃{object}",
        category="health",
        fits=words.medicine,
        changes=True,
    ),
    row(
        "medication",
        rf"@adverbs(?P<not>停|不吃|不用吃|停了|停掉)了?(?P<object>{_DRUG})(?:了|@end)",
        "在吃{object}",
        "不吃{object}",
        category="health",
        only_denied=True,
    ),
    _diet(
        "consumes",
        r"@adverbs(?P<not>戒)(?:了|掉了?)?(?P<object>酒|烟|糖|咖啡|奶茶|甜食|肉|辣|碳水|可乐|游戏)(?:了|已经|有|@number|快)",
        "",
        "戒了{object}",
        only_denied=True,
        changes=True,
    ),
    _diet(
        "consumes",
        r"@adverbs(?:已经)?把(?P<object>酒|烟|糖|咖啡|奶茶|甜食|肉|可乐|游戏)(?P<not>戒)(?:了|掉)",
        "",
        "戒了{object}",
        only_denied=True,
        changes=True,
    ),
    _diet(
        "consumes",
        r"@adverbs(?P<verb>吃|喝|碰)(?P<not>不得|不了)(?P<object>[^，。了的]{1,6})@end",
        "{verb}{object}",
        "不能{verb}{object}",
        fits=words.food,
        only_denied=True,
        lists=True,
    ),
    _diet(
        "diet_rule",
        r"@adverbs(?P<object>(?:少|别|不要|不能|多)(?:吃|喝|碰)[^，。]{1,8})@end",
        "被嘱咐{object}",
        fits=words.short,
    ),
)

TASTES = (
    taste("prefers", r"@adverbs改(?:喜欢|爱)上?了?(?:吃|喝)?@object", "喜欢{object}", changes=True),
    taste(
        "prefers",
        r"@adverbs(?P<not>不)爱(?P<object>[^，。我你他她]{1,8}?)(?:而已)?@end",
        "喜欢{object}",
        "不爱{object}",
        standing="declared",
    ),
    taste("prefers", r"@adverbs(?:迷上|爱上|喜欢上|入坑|上瘾)了?@object", "喜欢{object}", standing="declared"),
)

ROWS = (*BODY, *TASTES)
