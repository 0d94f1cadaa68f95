"""Chinese sentences whose value can be read off: name, age, home, work, diet, allergy, family and pets by name."""

import re

from language.patterns import Reader, reader
from language.zh.people import KIN

SUPPOSED = re.compile(
    r"如果|要是|假如|假设|万一|幻想|梦见|小说|角色|台词|开玩笑|逗你|听说|什么|啥|哪|谁|怎么|多少|几(?=[点号岁楼月口个])"
    r"|[“”「」\"？?]|[吗么]\s*$"
)
"""What makes a value uncertain: it is supposed, quoted, heard or asked."""

_I = r"(?:^|[，。！,；\s])(?:对了[，,]?)?我(?:现在|目前|今年|其实|们?家|们)*"
_END = r"(?=[，。！,；、\s!]|了|的|呢|啊|哈|$)"
_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?)"

READERS: tuple[Reader, ...] = (
    reader(
        "name",
        "name",
        rf"{_I}(?:的名字)?(?:叫|名叫|名字叫|大名叫?)(?P<value>[\u4e00-\u9fff]{{2,4}}|[A-Za-z]{{2,15}}){_END}",
    ),
    reader(
        "nickname",
        "name",
        rf"(?:叫我|都?喊我)(?P<value>[\u4e00-\u9fff]{{1,3}}|[A-Za-z]{{2,15}})(?:就行|就好|吧|即可)?{_END}",
    ),
    reader(
        "birthday",
        "birth",
        r"我?的?生日(?:是|在)?(?P<value>(?:农历|阴历)?(?:\d{4}年)?[\d一二三四五六七八九十冬腊正]{1,3}月[\d一二三四五六七八九十初廿]{1,3}[号日]?)",
    ),
    reader("age", "birth", rf"{_I}(?:刚|已经|都)?(?:满)?(?P<value>{_NUMBER})岁"),
    reader(
        "lives_in",
        "home",
        rf"{_I}(?:就)?(?:住在?|搬(?:到|去|来)了?|定居在?)(?:了)?(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,14}}?){_END}",
    ),
    reader(
        "origin",
        "origin",
        rf"{_I}(?:是|老家是?在?)(?P<value>[\u4e00-\u9fff]{{2,6}}?)人{_END}",
        r"我?老家(?:是|在)(?P<value>[\u4e00-\u9fff]{2,8})",
    ),
    reader("works_at", "work", rf"{_I}在(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,14}}?)(?:上班|工作|任职|当|做)"),
    reader(
        "job",
        "work",
        rf"{_I}(?:是|当|做)(?:一?[名个位])?(?P<value>[\u4e00-\u9fff]{{0,6}}(?:工程师|设计师|律师|会计|医生|护士|老师|教师|程序员|司机|厨师|警察|记者|编辑|翻译|公务员|销售|客服|药剂师|电工|木工|教练|导游|产品经理)){_END}",
    ),
    reader(
        "allergic_to",
        "diet",
        r"对(?P<value>[\u4e00-\u9fffA-Za-z]{1,10}?)(?:严重|特别|有点|都|也)?过敏",
        rf"(?:^|[，。！,；\s我])(?P<value>[\u4e00-\u9fff]{{1,4}})过敏{_END}",
    ),
    reader(
        "diet",
        "diet",
        rf"{_I}(?:是|吃)(?P<value>素食者|纯素|全素|素|蛋奶素|清真){_END}",
        rf"{_I}(?:从来?|一直|一向)?(?:不吃|不能吃|吃不了)(?P<value>[\u4e00-\u9fff]{{1,6}}?){_END}",
    ),
    reader(
        "has_family",
        "family",
        rf"(?:我|我家|家里)的?(?P<kin>{KIN})(?:的?名字)?(?:叫|名叫)(?P<value>[\u4e00-\u9fffA-Za-z]{{1,8}}?){_END}",
    ),
    reader(
        "note", "other", r"^(?:请|麻烦)?(?:你)?(?:帮我)?(?:记住|记一下|记下来?)[：:，,\s]*(?P<value>(?:我|咱).{3,100})"
    ),
)
