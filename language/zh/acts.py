"""What a Chinese message does: patterns over one sentence, and over a whole message where it says nothing else."""

import re


def _compile_any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


def _compile_whole(*alternatives: str) -> re.Pattern[str]:
    """The whole message, whatever particles and punctuation stand around it."""
    said = "|".join(alternatives)
    return re.compile(
        rf"\W*(?:(?:哦|嗯|啊|好的?|那|行|哈哈|哎|诶)\W*)*(?:{said})(?:\W*(?:啦|了|啊|呀|哈|哦|吧|呢|喽|哟|你|您"
        rf"|大家))*\W*",
        re.IGNORECASE,
    )


ASKS = _compile_any(
    r"什么(?!都|的)|啥(?!都)|多少|多大|多久|多远|多高|多重|哪(?!怕)|谁(?!都)|咋|怎么(?!都|也)|怎样|为何|为啥"
    r"|何时|几(?:点|号|岁|楼|月|时|口人|年级|路|斤|度|折)",
    r"[吗么嘛]\W*$|(?<=[\u4e00-\u9fff]{2})呢\W*$|是不是|有没有|能不能|可不可以|对不对|会不会|要不要|还记[得不]"
    r"|记不记得",
    r"(?:提醒|告诉|跟|和)我(?:一下|说说|讲讲)?.{0,8}(?:是|叫|在|有)?(?:什么|哪|谁|几|多少|啥)",
)
NOT_ASKS = _compile_any(
    r"没(?:有)?什么|没啥|不知道(?:为什么|怎么|什么)|随便(?:什么|怎么|哪)|(?:无论|不管)(?:什么|怎么|谁|哪)|怎么说呢"
)
ABOUT_USER = _compile_any(
    r"(?:知道|了解|记得|记住|记着|记了|清楚|掌握)[^。？！?!]{0,6}(?:关于|有关)?我(?:的)?(?:什么|哪些|多少|吗"
    r"|一切|啥|些什么|情况|信息|事)",
    r"(?:关于|有关)我[^。？！?!]{0,12}(?:知道|了解|记)|我是(?:谁|(?:个)?(?:什么|啥|怎)样的人)|(?:介绍|说说"
    r"|描述)(?:一下)?我(?:自己|这个人)?\W*$",
    r"你(?:都|还|现在)*(?:记得|知道|记住|记)(?:了)?(?:些)?(?:什么|啥)\W*$|对我(?:有)?(?:多少|什么|哪些"
    r"|啥)?(?:的)?(?:了解|印象|认识)",
)
SUMMARY = _compile_any(
    r"(?:总结|概括|归纳|小结|回顾|梳理)(?:一下|下)?(?:我们|咱们|咱|刚才|刚刚|今天|这次|上面|以上|这个|本次|聊天"
    r"|的|都)*"
    r"(?:对话|聊天|谈话|会话|内容|聊的|说的|聊了|说了|讨论)",
    r"(?:我们|咱们|咱)(?:刚才|刚刚|今天|这次|都|到现在|一共)*(?:聊|说|谈|讨论)(?:了|过)?(?:些|点|哪些)?(?:什么"
    r"|啥|哪些|内容)",
    r"^\W*(?:总结|回顾|概括)(?:一下|下)?\W*$",
)
_HELP = _compile_whole(
    r"帮助", r"帮帮我", r"你(?:都)?(?:能|会|可以)(?:帮我|为我)?(?:做|干|帮)(?:些|点|到我)?(?:什么|啥"
    r"|哪些(?:事)?)", r"你有(?:什么|哪些|啥)功能",
    r"(?:你|这个)?怎么(?:用|使用)(?:你|呢)?", r"你是(?:谁|什么|干什么的|做什么的|啥|干嘛的)",
    r"你叫什么(?:名字)?", r"使用说明"
)  # fmt: skip
_THANKS = _compile_whole(
    r"(?:太|真|非常|十分)?(?:谢谢|多谢|感谢|谢了|谢啦|谢)", r"辛苦(?:你|了)*", r"3q", r"thx", r"thanks"
)
_GREETING = _compile_whole(r"你好", r"您好", r"嗨", r"哈喽", r"哈啰", r"早上好", r"上午好", r"中午好", r"下午好",
r"晚上好", r"早安?", r"在吗", r"在不在", r"hi", r"hello")  # fmt: skip
_FAREWELL = _compile_whole(
    r"再见", r"拜拜?", r"晚安", r"回头见", r"回见", r"明天见", r"下次(?:再)?(?:聊|见)", r"先这样", r"88+",
    r"bye", r"我(?:先)?(?:睡|走|撤|下)"
)  # fmt: skip
_WELLBEING = _compile_whole(
    r"你好吗", r"最近(?:怎么样|好吗|咋样|如何)", r"你(?:今天)?(?:怎么样|咋样|还好吗)", r"吃了吗", r"忙(?:什么|啥)"
)
_REACTION = _compile_whole(
    r"好", r"嗯+", r"行", r"可以", r"哈+", r"呵+", r"嘿+", r"不错", r"真行", r"厉害", r"真?棒", r"知道", r"明白",
    r"收到", r"了解", r"对",
    r"是的?", r"没错", r"不用", r"不是", r"没事", r"算", r"哇+", r"哦+", r"太好", r"ok(?:ay)?", r"有意思", r"666+"
)  # fmt: skip
ABOUT_REPLIES = _compile_any(
    r"你(?!知道|记得|还记得)[^，。？！?!]{0,10}?(?:推荐|建议|说|提|告诉|回答|回复|写|给|列|讲|教|答应|承诺|介绍"
    r"|解释|安排|规划|算|总结|提醒|发|选|举)"
    r"(?:我|过|的|了|给|一下|到)",
    r"你的(?:[\u4e00-\u9fff]{0,4}的?)?(?:建议|推荐|回答|答案|回复|方案|计划|清单|食谱|解释|意见|说法|提醒)",
    r"(?:我|我们|咱们?)(?:上次|刚才|之前|以前|昨天|曾经|先|都)*(?:问|讨论|聊|谈)(?:过|的|了|你|到)|我的(?:问题|提问)",
)
FIRST_PERSON = _compile_any(r"[我咱]")
COURTESIES = {
    "help": _HELP,
    "thanks": _THANKS,
    "wellbeing": _WELLBEING,
    "greeting": _GREETING,
    "farewell": _FAREWELL,
    "reaction": _REACTION,
}
"""Messages that say nothing else, by what they do."""
