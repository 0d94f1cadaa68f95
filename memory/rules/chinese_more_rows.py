"""The Chinese extraction table, continued: people, belongings, plans, and what follows 我的."""

from functools import partial

from memory.rules import chinese_words as words
from memory.rules.chinese_syntax import plan, row

_family = partial(row, category="family")
_COUNT = r"(?:[一两二三四五六七八九十几俩仨\d]+|好几)"

NAMED = _family("name", r"\s*@object", "叫{object}", "不叫{object}", item_type="relation", fits=words.name)

PEOPLE = (
    row("name", r"@adverbs(?P<not>不)?叫做?(?P<object>@name)@end", "叫{object}", "不叫{object}", fits=words.name),
    row(
        "name",
        r"的?(?:名字|全名|大名|姓名|真名|中文名|英文名)@is(?P<object>@name)@end",
        "的名字是{object}",
        "的名字不是{object}",
        fits=words.name,
    ),
    row(
        "age",
        r"@adverbs(?P<not>不)?(?:是)?(?:满)?(?P<object>(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})(?:周)?岁半?)",
        "{object}",
        "不是{object}",
    ),
    row("graduated_from", r"@adverbs毕业于@object", "毕业于{object}", fits=words.short),
    row("age", r"的?年龄@is(?P<object>\d{1,3}岁?)", "的年龄是{object}", "的年龄不是{object}"),
    row(
        "birthday",
        r"的?生日(?:就)?(?:@is在?|在)@object",
        "的生日是{object}",
        "的生日不是{object}",
        keeps_time=True,
        fits=words.short,
    ),
    row("birthday", r"@still(?:出?生于|是)(?P<object>@time)(?:出生|生)?(?:的)?$", "出生于{object}", keeps_time=True),
    row("birthday", r"@still(?P<object>@time)出生", "出生于{object}", keeps_time=True),
    _family(
        "marital_status", r"@adverbs(?:是)?(?P<object>已婚|未婚|单身|离异|(?:离婚|结婚|订婚)(?=了))@end", "{object}"
    ),
    _family(
        "marital_status",
        r"@adverbs(?:是)?(?P<not>没有?|不是)@still(?P<object>已婚|单身|离婚|结婚|订婚)@end",
        "{object}",
        "没有{object}",
        only_denied=True,
    ),
    _family(
        "has_family",
        rf"@adverbs有(?P<object>{_COUNT}个?[\u4e00-\u9fff]{{0,3}}?(?:女儿|儿子|孩子|姐姐|妹妹|哥哥|弟弟|双胞胎"
        rf"|兄弟|姐妹|孙子|孙女))",
        "有{object}",
    ),
    row(
        "has_pet",
        rf"@adverbs(?:家里?)?(?:养|有|领养|收养)(?:了|着)?(?P<object>(?:{_COUNT}[只条匹个]|只"
        rf"|条)[\u4e00-\u9fff]{{0,4}}?@pet(?:叫@name)?)",
        "养了{object}",
        category="pets",
    ),
)

_belonging = partial(row, category="possessions", fits=words.short)

BELONGINGS = (
    _belonging("owns", r"@adverbs有(?P<object>[一两三\d](?:辆|台|架|套|部|栋|把|间|艘)[^，。]{1,12})", "有{object}"),
    _belonging(
        "bought",
        r"@adverbs(?:新)?(?:买了|入手了|购入了?)(?P<object>[一两三\d](?:件|双|条|台|辆|部|套|本|把|张|顶|块|只"
        r"|款|栋|个)[^，。]{1,14})",
        "买了{object}",
        keeps_time=True,
    ),
    row(
        "height",
        r"@adverbs的?身高(?:是|有|：)?@adverbs(?P<object>\d[\d.]{0,4}\s?(?:cm|厘米|公分|米\d{0,2}|m)?)",
        "身高{object}",
    ),
    row(
        "height",
        r"@adverbs(?:有)?(?P<object>(?:\d{3}(?:cm|厘米|公分)|[一1]米[\d一二三四五六七八九零]{1,2}))(?:高)?@end",
        "身高{object}",
    ),
    row("weight", r"@adverbs的?体重(?:是|有|：)?@adverbs(?P<object>\d[\d.]{0,4}\s?(?:kg|公斤|斤)?)", "体重{object}"),
    row("size", r"@adverbs(?:平时)?穿(?P<object>(?:[SMLX]{1,4}|\d{2,3})\s?[码号])", "穿{object}"),
)

_plan = partial(plan, fits=words.action)

INTENTIONS = (
    _plan(
        "plans",
        r"@adverbs(?P<not>不再|不|没有?)?(?:打算|计划|准备|决定|预计|将要|即将)(?![好得书中表了])(?:要|在)?@object",
        "打算{object}",
        "不打算{object}",
    ),
    _plan("plans", r"@adverbs(?:要|会|想|将|得|约了)(?![求是不])@object", "打算{object}", needs_future=True),
    _plan("plans", r"@adverbs(?P<object>(?:去|飞|参加|出差|搬|回)[^，。]{1,30})", "打算{object}", needs_future=True),
    _plan(
        "plans",
        r"@adverbs(?:要|就|会)*(?P<object>结婚|订婚|毕业|入职|搬家|退休|生孩子)@end",
        "打算{object}",
        needs_future=True,
    ),
    _plan(
        "plans",
        r"@adverbs(?P<object>有[一个场次]{0,2}[^，。]{0,8}(?:面试|考试|会议|会|比赛|手术|婚礼|演出|体检|聚会"
        r"|约会|航班|课|讲座|答辩))",
        "{object}",
        needs_future=True,
    ),
    _plan(
        "wants",
        r"@adverbs(?P<not>不)?想要?(?P<object>(?:学|成为|当|考|减肥|辞职|创业|移民|留学|搬到|换工作)[^，。]{0,16})",
        "想{object}",
        "不想{object}",
        epistemic_type="preference",
    ),
    row(
        "habit",
        r"@still(?P<object>(?:每天|天天|每晚|每周[一二三四五六日末天]?|每个?(?:周末|月|星期[一二三四五六日天]?"
        r"|早上|晚上))[^，。]{2,20})",
        "{object}",
        category="habits",
        fits=words.action,
        keeps_time=True,
    ),
)

_LABELS = (
    ("phone", "手机号码?|电话号?码?|联系电话|联系方式", "电话", "identity"),
    ("email", "电子邮箱|邮箱(?:地址)?|邮件地址", "邮箱", "identity"),
    ("wechat", "微信号?", "微信", "identity"),
    ("address", "地址|住址|家庭住址", "地址", "residence"),
    ("nickname", "昵称|小名|外号|网名", "昵称", "identity"),
    ("zodiac", "星座|属相|生肖", "星座", "identity"),
    ("blood_type", "血型", "血型", "health"),
    ("education", "学历|最高学历|教育背景", "学历", "identity"),
    ("character", "性格", "性格", "identity"),
    ("works_in", "工作地点?|上班的?地方|工作的?地方", "工作地", "work"),
    ("job", "职业|工作|岗位|职务|职位", "职业", "work"),
    ("works_at", "公司|单位|工作单位", "单位", "work"),
    ("shoe_size", "鞋码|鞋号", "鞋码", "identity"),
    ("graduated_from", "母校", "母校", "identity"),
    ("anniversary", "结婚纪念日|纪念日", "纪念日", "family"),
)

ATTRIBUTES = tuple(
    row(
        predicate,
        rf"的?(?:{nouns})@is@object",
        f"的{label}是{{object}}",
        f"的{label}不是{{object}}",
        category=category,
        fits=words.short,
        keeps_time=True,
    )
    for predicate, nouns, label, category in _LABELS
)

ROWS = (*PEOPLE, *BELONGINGS, *INTENTIONS, *ATTRIBUTES)
