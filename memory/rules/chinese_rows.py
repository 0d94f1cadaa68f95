"""The Chinese extraction table. Each row is read right after its subject: 我, 我妹妹, 李明, or the one before it."""

from functools import partial

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import limit, place, row, taste, work

_taste = partial(taste, standing="declared", lists=True)
_LIKE = (
    r"(?:喜欢|喜爱|热爱|偏好|偏爱|钟爱|钟情于?|中意|痴迷于?|迷上了?|爱上了?|倾向于?"
    r"|爱(?=[吃喝看听玩穿读用逛跑打爬唱跳画写做睡养运旅]))(?:的是|上了?)?"
)
_LIKES = ("喜欢{object}", "不喜欢{object}")

FAVOURITE = taste(
    "favourite",
    r"@adverbs最(?:喜欢|爱|喜爱|钟爱)[吃喝看听玩穿用去读]?的(?P<about>[^，。是叫]{1,8}?)(?P<not>不)?(?:就|一直"
    r"|仍然|现在)?(?:是|叫)@object",
    "最喜欢的{about}是{object}",
    "最喜欢的{about}不是{object}",
)

TASTES = (
    FAVOURITE,
    _taste(
        "prefers",
        rf"@adverbs(?:以前|过去|曾经?|原来|小时候|之前)(?!就|一直)@adverbs{_LIKE}@object",
        *_LIKES,
        inverted=True,
    ),
    _taste("prefers", rf"@adverbs@not@adverbs{_LIKE}@object", *_LIKES),
    taste(
        "prefers",
        r"@adverbs改(?P<verb>[吃喝穿用看听玩])@object",
        "改{verb}{object}",
        changes=True,
    ),
    taste(
        "prefers",
        r"@adverbs把(?P<old>[^，。我你他]{1,12}?)换成了?@object",
        "换成了{object}",
        changes=True,
    ),
    _taste("prefers", r"的?(?:爱好|兴趣|兴趣爱好)(?:主要|就)?(?:是|有|：)@object", *_LIKES),
    _taste("prefers", r"@adverbs对(?P<object>[^，。]{1,12}?)(?:很|非常|特别|比较)?感兴趣", *_LIKES),
    _taste(
        "prefers",
        r"@adverbs(?:讨厌|厌恶|反感|受不了|不能忍受|最烦|嫌弃|吃不惯|喝不惯|接受不了)@object",
        *_LIKES,
        inverted=True,
    ),
)

LIMITS = (
    limit(
        "allergic_to",
        r"@adverbs(?P<not>不)?(?:是)?对(?P<object>[^，。]{1,16}?)(?:严重|轻微|有点|都|会)?过敏(?!原)",
        "对{object}过敏",
        "对{object}不过敏",
        category="health",
        fits=words.food,
        lists=True,
    ),
    limit(
        "allergic_to",
        r"@adverbs(?P<object>(?:花生|坚果|海鲜|虾|螃蟹|牛奶|鸡蛋|花粉|尘螨|青霉素|猫毛|狗毛|酒精|芒果|大豆|小麦"
        r"|麸质))过敏(?!原)",
        "对{object}过敏",
        category="health",
    ),
    limit(
        "diet",
        r"@still(?P<not>不再|不)?吃(?P<object>全素|纯素|斋|素)(?![菜包面食材])",
        "吃{object}",
        "不吃{object}",
        category="diet",
    ),
    limit(
        "diet",
        r"@still(?P<not>不再是|不是)?(?:是)?(?:一?[个名位])?(?P<object>素食主义者|素食者|纯素食?主义者|肉食主义者)",
        "是{object}",
        "不是{object}",
        category="diet",
    ),
    limit("diet_rule", r"@still(?:只)?吃(?P<object>清真(?:食品|餐)?)", "吃{object}", category="diet"),
    limit("diet_rule", r"@still(?:有)?(?P<object>乳糖不耐受?|麸质不耐受?)", "{object}", category="health"),
    limit(
        "consumes",
        r"@still(?P<not>不再|再也不|从来?不|不能|不可以|不太能|没法|绝不|不)@still(?P<verb>吃|喝|碰|沾)@object",
        "{verb}{object}",
        "不{verb}{object}",
        category="diet",
        fits=words.food,
        only_denied=True,
        lists=True,
    ),
    limit(
        "consumes",
        r"@adverbs(?P<not>戒掉?)了?(?P<object>酒|烟|糖|咖啡|奶茶|甜食|肉|辣|碳水)@end",
        "",
        "戒了{object}",
        category="diet",
        only_denied=True,
        changes=True,
    ),
    row("condition", r"@adverbs(?:有|得了|患有|患了|患)(?P<object>@condition)", "有{object}", category="health"),
    row("condition", r"@adverbs(?P<object>怀孕|近视)@end", "{object}", category="health"),
    row(
        "condition",
        r"@adverbs(?P<not>不)?是(?P<object>色盲|色弱|左撇子)@end",
        "是{object}",
        "不是{object}",
        category="health",
    ),
)

BUDGET = (
    limit(
        "budget",
        r"@adverbs的?预算@adverbs(?:是|为|在|大概|大约|控制在|不超过|最多|上限|：|:)*(?P<object>@money(?:以内"
        r"|以下|左右|上下|之内)?)",
        "的预算是{object}",
        category="budget",
    ),
    limit(
        "budget",
        r"@adverbs(?P<object>超过\s?@money)的?(?:东西|价格)?(?:就|都|一律|统统)?(?:不要|不考虑|别|不行|免谈|不买)",
        "不要{object}的",
        category="budget",
    ),
    limit(
        "budget",
        r"@adverbs(?:不要|别|不能|不想)(?P<object>(?:超过|高于)\s?@money)",
        "不要{object}的",
        category="budget",
    ),
    limit(
        "budget",
        r"@adverbs(?:控制在|最好在|最多|不超过)(?P<object>\d[\d,.]*\s?(?:万|千)?(?:元|块钱?)(?:以内|以下|之内)?)",
        "的预算是{object}",
        category="budget",
    ),
)
AVOIDS = (
    limit(
        "avoids",
        r"(?=.{0,12}(?:以后|今后|再|给我|永远))(?:以后|今后|请|麻烦|你|都|永远)*(?:不要|别"
        r"|不用)(?:再)?(?:给我)?(?:推荐|介绍|安排)(?:给我)?@object",
        "不希望被推荐{object}",
        category="preference",
        fits=words.likeable,
        lists=True,
    ),
)
"""Rows that need no subject: what is wanted or not wanted is wanted by the speaker."""

WHEREABOUTS = (
    place("lived_in", r"@adverbs(?:以前|过去|曾经?|原来|之前|小时候)@adverbs住(?:在|过)?@object", "以前住在{object}"),
    place(
        "lives_in",
        r"@adverbs@not@adverbs(?:住在|定居在?|居住在|生活在|常住在?|家住|住)@object",
        "住在{object}",
        "不住在{object}",
    ),
    place("lives_in", r"的?家(?:就|现在)?(?P<not>不)?在@object", "住在{object}", "不住在{object}"),
    place(
        "lives_in",
        r"@adverbs(?:从(?P<old>[\u4e00-\u9fff]{2,8}?))?(?:搬家?|迁|移居|移民)(?:到|去|来|至|回)了?@object",
        "搬到了{object}，住在{object}",
        changes=True,
    ),
    row(
        "works_in",
        r"@adverbs(?:换|调|搬)到(?P<object>[^，。]{2,10}?)(?:工作|上班)",
        "在{object}工作",
        category="work",
        fits=words.region,
        changes=True,
    ),
    place("origin", r"@adverbs(?:来自|的?老家(?:是|在)|的?家乡(?:是|在)|的?籍贯是?)@object", "来自{object}"),
    row(
        "origin",
        r"@adverbs(?P<not>不)?是(?P<object>[\u4e00-\u9fff]{2,6}?)人@end",
        "是{object}人",
        "不是{object}人",
        fits=words.home_of,
    ),
    place("birthplace", r"@adverbs(?:出生在|出生于|生在|生于)@object", "出生在{object}"),
    place("birthplace", r"@adverbs在(?P<object>[\u4e00-\u9fff]{2,8}?)出生", "出生在{object}"),
    place("grew_up_in", r"@adverbs在(?P<object>[\u4e00-\u9fff]{2,8}?)长大", "在{object}长大"),
)

WORK = (
    work(
        "works_in",
        r"@adverbs@not在(?P<object>[^，。]{2,12}?)(?:上班|工作|实习)",
        "在{object}工作",
        "不在{object}工作",
        fits=words.region,
    ),
    work(
        "works_at",
        r"@adverbs@not在(?P<object>[^，。]{2,20}?)(?:上班|工作|任职|就职|实习|当(?!地)|做(?=@job))",
        "在{object}工作",
        "不在{object}工作",
        fits=words.employer,
    ),
    work(
        "works_at",
        r"@adverbs(?P<not>从)(?P<object>[^，。]{2,16}?)(?:离职|辞职)",
        "",
        "不在{object}工作",
        fits=words.employer,
        only_denied=True,
        changes=True,
    ),
    work(
        "works_at",
        r"@adverbs(?:入职了?|跳槽(?:到|去)了?|加入了)@object",
        "在{object}工作",
        fits=words.employer,
        changes=True,
    ),
    work(
        "job",
        r"@adverbs(?P<not>不再|不)?是(?:一?[名个位])?[做当搞]?(?P<object>@job)@end",
        "是{object}",
        "不是{object}",
    ),
    work(
        "job", r"@adverbs(?:在[^，。]{2,16}?)?(?:当|做|担任)(?:了)?(?:一?[名个位])?(?P<object>@job)@end", "是{object}"
    ),
    work(
        "job",
        r"@adverbs(?:从事|做)(?:着|的是)?(?P<object>[\u4e00-\u9fffA-Z]{2,8}?(?:工作|行业|生意|开发|销售|运营))@end",
        "从事{object}",
    ),
    work(
        "studies",
        r"@adverbs(?:在)?(?:就读于?|攻读|主修|读|学)(?:的是)?(?P<object>[\u4e00-\u9fff]{2,12}?(?:专业|大学|学院"
        r"|系|博士|硕士|研究生|本科|中学|高中))",
        "就读{object}",
    ),
    row(
        "learns",
        r"@adverbs(?:正?在|开始)学(?:习)?(?P<object>[^，。校会到着]{1,10})",
        "在学{object}",
        category="skill",
        fits=words.likeable,
        lists=True,
    ),
    row(
        "speaks",
        r"@adverbs(?P<not>不)?会(?:说|讲)(?:一点|一些|流利的)?(?P<object>[\u4e00-\u9fff、和]{1,12}?[语话文])@end",
        "会说{object}",
        "不会说{object}",
        category="skill",
        lists=True,
    ),
)

ROWS = (*TASTES, *LIMITS, *BUDGET, *WHEREABOUTS, *WORK)
BARE_ROWS = (*BUDGET, *AVOIDS)
