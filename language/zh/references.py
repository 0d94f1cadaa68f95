"""Chinese words that mean something only where and when they are said."""

import re

FIXED = re.compile(
    r"其[他它]|[吉排利无]他|他[人国乡山]|维他命?|马耳他|自我|忘我|大我|小我|我行我素|你好|迷你|爱你一万年"
    r"|刹那|那不勒斯|那英|[\u4e00-\u9fff]{1,4}那(?=[州市])|巴塞罗那|加那利|那曲|那达慕|亚利桑那|这么|那么|[这那]不勒斯"
    r"|今日(?:头条|说法|关注|新闻)|昨日(?:重现|青空|之歌)|明日(?:方舟|之后|之子|香)|明天会更好|昨天今天明天"
    r"|后天(?:性|努力|培养|形成|免疫|习得)|本地(?:化|部署|模型|存储|仓库|缓存|变量)"
    r"|[离距][^，。]{0,8}最近|最近的?(?:地铁站|医院|超市|餐厅|酒店|车站|距离)|隔壁老王"
    r"|(?:周|星期|礼拜)[一二三四五六日天](?:[到至和、及](?:周|星期|礼拜)?[一二三四五六日天])+|每?逢?(?:周|星期|礼拜)[一二三四五六日天]都"
)
"""Names and turns of phrase in which such a word points at nothing."""

PERSON = re.compile(r"我们|咱们?|俺们?|你们|他们|她们|它们|[我你您他她它]|[这那](?:位|家伙|人)|对方|人家|本人")
THING = re.compile(r"[这那](?:[个些种样件本只款部张条台辆座所首门份场类间套双把块道]|家(?=[店公餐酒])|东西|事|里面)")
PLACE = re.compile(r"[这那](?:里|儿|边|块儿|地方)|此[处地]|本地|当地")
TIME = re.compile(
    r"刚才|刚刚|方才|最近|近[来日期]|前阵子|前段时间|前些[天日]|前几[天年个]|[这那]几[天年个]|[这那](?:阵子|段时间|段日子)"
    r"|不久[前后]|过[几两]天|过阵子|改[天日]|稍后|[待等]会儿?|一会儿|马上|日前|当时|那时候?|[这那][天次回年]|[上下][次回]"
    r"|今[日晚早夜]|[昨明次翌][日晚早夜]|前阵"
)
BESIDE = re.compile(r"附近|隔壁|楼[下上]|对面|旁边|周边")
"""Places beside something: clear once it is said beside what."""

_BESIDE_WHAT = re.compile(
    r"(?:[家校司位区院园站湖山路街店馆楼场河江桥厅城市县镇村国寺塔学海港部局行门室房点处]|[A-Za-z0-9]|大[厦学])\s?的?$"
)


def has_anchor(content: str, at: int) -> bool:
    """Whether a word such as 附近 at that place says beside what: 西湖附近, but not 住在附近."""
    return bool(_BESIDE_WHAT.search(content[max(0, at - 6) : at]))
