"""Chinese words that end things, and matters of which one value holds at a time."""

import re

from language.zh.assertions import JOINTS as JOINTS
from language.zh.people import KIN

ACTS: frozenset[str] = frozenset()
"""Verbs that two statements may share without being about one thing; of pairs of characters, none."""
RELATIVE = re.compile(rf"我?{KIN}的?")
NOT_SO = re.compile(
    r"如果|要是|假如|假设|万一|也许|可能|或许|说不定|想要?(?!到|起|念)|打算|计划|准备|考虑|希望|差点|梦见|要不要|以前|曾经|过去|小时候|当年|早年|恨不得|不如|开玩笑|[?？吗么]\s*[。]?$"
)
"""It is supposed, wished, asked or long ago, and tells nothing about now."""
ADDS = re.compile(
    r"也|还(?!款|清|给|完)|又(?!不)|另外|另一|再(?!也)|同时|兼|副业|偶尔|有时|暂时|临时|破例|除了|第二|这[次回]|一趟"
)
"""It adds up, or is an exception."""
ONE_TIME = re.compile(r"周末|今天|今晚|明天|昨天|昨晚|前天|刚才|本周|这周|上周|下周|这个月|上个月|[一两二三几]天|一次")
"""It may be so for once only."""
BEFORE = re.compile(r"以前|曾经|过去|小时候|当年|早年|那时|(?:19|20)\d\d年(?!起|开始)")
"""The statement speaks of the past."""
CHANGES = re.compile(
    r"现在|如今|目前|不再|再也不|已经不|改(?:到|成|为|在|用|吃|喝|学|名)|换(?:成|到|了)|换|搬|调到|调去|挪|推迟|提前|涨|降|变|以后|从今|从此|升|转(?:到|去|成|为)|新的?|开始|终于"
)
"""It says that something is otherwise than it was."""
SETTLES = re.compile(
    r"其实|原来|才发现|才知道|才对|翻(?:出来|了)|查了|核对|上写着|贴的是|记[串岔反错混]|说[漏岔错反]|搞混|弄混|手滑|吹牛|纠正|更正|看错|登[上录]|报告出来"
)
"""The speaker has found out better."""
ONCE = re.compile(
    r"昨[天晚]|前[天晚]|上(?:周|个?月|次|星期)|去年|前年|今早|刚(?:才|刚)|今天|今晚|那天|[买吃看去见读听付花请送收拿修做写聊逛参玩爬报订签面投](?:了|过|完)(?!$|[，。])|过一次"
)
"""It tells of something that happened."""
_WHAT = r"(?P<what>[^，,。！？!?；;了的过把被给]{1,10}?)"
_END = r"(?=$|[，,。！!；;啦呀哦啊])"
ENDINGS = (
    re.compile(rf"(?:不再|再也不|再也没|已经不|早就?不|现在不|早已不|不)(?P<what>[^，,。！？!?；;]{{1,10}}?)了{_END}"),
    re.compile(r"(?:不再|再也不)(?P<what>[^，,。！？!?；;了]{1,10})"),
    re.compile(r"^不是(?P<what>[^，,。！？!?；;]{1,10})[，,]我们?现在"),
    re.compile(rf"(?:戒|辞|退|卖|取消|停|放弃|退出|解散|注销|离开|扔|转让|关|销)(?:掉)?了{_WHAT}(?:了)?{_END}"),
    re.compile(
        r"(?:^|[，,。；;]|我|把|我们?家?的?)(?:把|那[个只条辆家]?|我?家?的?)?(?P<what>[^，,。！？!?；;我把那了]{1,8}?)(?:都|也|已经|全|早就?|给|让我|被|总算|终于|彻底)*"
        r"(?:戒|辞|退|卖|取消|停|放弃|注销|扔|转让|关|离职|去世|过世|死|没|走|黄|泡汤|吹|散|清仓|剪|拆|丢)(?:掉|出去|光)?了"
    ),
    re.compile(
        r"(?:^|[，,。；;我的])(?P<what>[^，,。！？!?；;我的]{1,8}?)(?:最后一笔)?(?:都|也|已经|终于|总算)*(?:还清|付清|结清|结束|完结|痊愈|毕业)(?:了|啦)"
    ),
    re.compile(r"(?:跟|和|与)(?P<what>[^，,。！？!?；;]{1,6}?)(?:已经)?(?:分手|分开|离婚|掰|闹掰|绝交|分)了"),
)
"""An end, with ``what`` has ended."""
_VERB = (
    r"(?:改到|改成|改为|改在|换成|换到|换了|挪到|挪去|推迟到|提前到|涨到|涨成|降到|变成|搬到|固定在|定在|约在|约的是"
    r"|用的是|开的是|升到|调到|是|叫|在|有|到)"
)
_TIMED = r"(?:现在|已经|今年|目前|如今|都|每天|每周|每月|一般|平时|固定|也|其实|就|得)*"
MATTERS = (
    re.compile(r"(?P<verb>)(?P<noun>体重|上秤|秤上|称了)(?P<rest>.*)"),
    re.compile(
        r"最(?:喜欢|爱|常)的?(?P<free>[^，,。是]{1,6}?)(?:现在)?(?:是|变成|改成|换成)了?(?P<rest>[^，,。！!]{1,12})"
    ),
    re.compile(
        rf"(?:^|[，,。；;])(?:我们?|咱们?|俺|本人)?(?:的|家的?)?(?P<noun>(?!{KIN}是)[^，,。！？!?；;是叫在改换挪推提涨降有到把给]{{1,9}}?){_TIMED}{_VERB}了?(?P<rest>[^，,。！？；;]+)"
    ),
    re.compile(
        rf"(?:^|[，,。；;])(?:我们?|咱们?)?(?:的|家的?)?(?P<noun>房租|月租|租金|工资|月薪|体重|身高|预算|学费|年薪|首付){_TIMED}(?P<rest>[^，,。！？；;]*[\d一二三四五六七八九十百千万][^，,。！？；;]*)"
    ),
    re.compile(
        rf"我(?:们)?{_TIMED}(?P<rest>[^，,。！？；;]*点[^，,。！？；;]*?)(?:就|才|要|得|再)?(?P<verb>起床|睡觉|睡|上班|下班|出门|吃晚饭|吃午饭)"
    ),
    re.compile(
        r"(?:^|[，,。；;])(?:我们?|咱们?|俺|上个?[月周]|去年|今年|最近|刚|终于|已经|现在|就|一家|全家|都|又)*(?:住在|搬到|搬去|搬来|定居在|租住在)了?(?P<rest>[^，,。！？；;]+)"
    ),
    re.compile(
        rf"(?P<noun>{KIN}){_TIMED}(?:被)?(?:调到|调去|搬到|搬去)?(?P<verb>在|住在?)?(?P<rest>[^，,。！？；;]*(?:上班|工作|读书|上学|定居|住)?[^，,。！？；;]*)"
    ),
)
"""``noun`` and ``verb`` name the matter, ``rest`` holds its value; under ``free`` any words are the value."""
STATES = (
    frozenset({"单身", "已婚|结婚了|领证", "离婚了|离异", "订婚"}),
    frozenset({"左撇子", "右撇子"}),
    frozenset({"独居|一个人住", "合租|跟.{1,5}一起住|和.{1,5}一起住"}),
    frozenset({"失业|待业", "退休了"}),
    frozenset({"租房|租的房", "买了?房|自己的房"}),
    frozenset({"吃素|素食", "吃肉了|肉照吃|开荤"}),
    frozenset({"开车上班", "坐地铁上班|骑车上班|坐公交上班"}),
    frozenset({"走读", "住校"}),
)
"""Sets of states of which a person is in one at a time."""
DENIES = re.compile(r"不再|再也不|从不|从来不|已经不|早就?不|不(?:会|能|太|怎么)?|没有?(?=[^了过])|戒|停")
LIKES = re.compile(r"喜欢|爱|很?喜爱|我|每天|现在|了|的|都|一直|特别|很|平时|已经|经常|常|最|对")
DISLIKES = re.compile(r"讨厌|烦透|受不了")
_CARRIES = re.compile(
    r"(?:我们?|咱们?|俺|本人|家里?|在|有|养|学|每天|每周|每月|每年|都|是|会|要|一直|喝|吃|抽|打|跑|做|练|用|开|骑|租|跟|和|与|对|去|上|玩|弹|一|两|三|四|五|六|七|八|九|十"
    r"|几|只|条|个|辆|台|的|叫|早上|晚上|周[一二三四五六日末]|平时|现在|目前|正在?|还|很|特别|喜欢|爱|最|参加|报|订|买|了|着|我家|狗|猫|还|热|当|老|小|女朋友|男朋友|对象|办|张|份|门"
    r"|坚持|习惯|必|得|杯|包|支|瓶|天|次|点|\d|，|,|名下|开了|间|住|给|拿|店|公司|[A-Za-z]+\s|\s)*"
)
_AFTER = re.compile(
    r"(?:$|[，,。！!；;了的呢啊吧、]|每|一|两|三|四|五|六|七|八|九|十|\d|上班|有|好|已|周|在|在一起|到|从|都|很|课|为|当|做|治|控|，)"
)


def holds_as_object(statement: str, what: str) -> str:
    """The words of a statement that is plainly about this thing; empty for any other statement."""
    bare = _CARRIES.match(what)
    thing = what[bare.end() :] if bare and bare.end() < len(what) else what
    thing = re.sub(r"(?:那边|那个|这个|的|课|那[家只条辆])$", "", thing)
    if len(thing) < 1 or (len(thing) == 1 and thing not in "烟酒茶糖肉素车狗猫"):
        return ""
    at = statement.find(thing)
    if at < 0:
        return ""
    carried = _CARRIES.match(statement)
    clause = max((statement.rfind(mark, 0, at) for mark in "，,。；;"), default=-1) + 1
    inner = _CARRIES.match(statement, clause)
    reaches = any(each is not None and each.end() >= at for each in (carried, inner))
    return thing if reaches and _AFTER.match(statement[at + len(thing) :]) else ""
