"""Chinese word lists of the rules, and what may be the object of what."""

import re

from memory.rules.rows import HIDDEN


def _one_of(words: str) -> str:
    """A pattern for any of these words, the longest first."""
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


KIN = _one_of(
    """
    老婆 妻子 太太 媳妇 爱人 老公 丈夫 先生 女朋友 男朋友 女友 男友 未婚妻 未婚夫 对象 女儿 儿子 闺女 孩子 宝宝
    大女儿 小女儿 大儿子 小儿子
    姐姐 妹妹 哥哥 弟弟 姐 妹 哥 弟 妈妈 爸爸 爸妈 父母 母亲 父亲 妈 爸
    爷爷 奶奶 外公 外婆 姥姥 姥爷 公公 婆婆 岳父 岳母
    叔叔 阿姨 舅舅 姑姑 姨妈
    表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 侄子 侄女 外甥 外甥女 孙子 孙女 下属 领导 婶婶 舅妈 姑妈 伯父 室友
    闺蜜 好友 朋友 同事 老板 上司 经理 邻居 老师 同学 导师 学生
    猫 狗 小猫 小狗 猫咪 狗狗 兔子
    老大 老二 老三 教练 导师 主治医生 房东 班主任
    """
)
OWN_KIN = _one_of(
    "老婆 太太 媳妇 老公 女儿 儿子 闺女 大女儿 小女儿 大儿子 小儿子 姐姐 妹妹 哥哥 弟弟 妈妈 爸爸 我妈 我爸 爷爷 奶奶"
    " 外公 外婆 姥姥 姥爷 婆婆 岳父 岳母"
)
"""Relatives who are the speaker's own without 我."""
ADVERBS = _one_of(
    """
    现在 目前 如今 其实 真的 一直 一向 也 还 还是 都 就 很 非常 特别 最 比较 超 超级 蛮 挺 更 更加 平时 平常
    通常 从小 已经 刚 刚刚 最近 确实
    尤其 格外 只 本来 当然 自己 个人 一般 经常 常常 总是 老是 又 再 终于 反而 倒是 稍微 有点 有些 有时 今后
    以后 肯定 绝对 严重 轻微 暂时 可能
    只是 就是 一天 平日 工作日 周六 周日
    大概 应该 也许 好像 似乎 天生 向来 基本上 主要 周末 下班后 有空 全家 一个人 的确 真 开始 逐渐 慢慢 越来越
    """
)
CITIES = _one_of(
    """
    北京 上海 广州 深圳 杭州 南京 成都 重庆 武汉 西安 苏州 天津 长沙 青岛 厦门 大连 宁波 昆明 郑州 沈阳 济南
    合肥 福州 哈尔滨 无锡 三亚 海口 珠海 佛山
    东莞 温州 贵阳 南宁 石家庄 太原 长春 兰州 西宁 银川 拉萨 乌鲁木齐 呼和浩特 香港 澳门 台北 高雄 东京 大阪
    京都 首尔 曼谷 新加坡 巴黎 伦敦 纽约 洛杉矶
    旧金山 柏林 里昂 罗马 悉尼 墨尔本 多伦多 温哥华 莫斯科 迪拜 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建
    江西 山东 河南 湖北 湖南 广东 广西 海南
    四川 贵州 云南 西藏 陕西 甘肃 青海 宁夏 新疆 内蒙古 台湾 中国 日本 韩国 泰国 美国 英国 法国 德国 意大利
    西班牙 加拿大 澳大利亚 俄罗斯 印度 越南
    """
)
JOBS = (
    r"(?:[\u4e00-\u9fffA-Za-z]{0,8}?(?:工程师|设计师|律师|会计师?|医生|大夫|护士|教师|老师|教授|讲师|程序员"
    r"|经理|总监|主管|主任|秘书|助理|顾问|分析师|研究员"
    r"|科学家|作家|画家|音乐家|艺术家|企业家|摄影师|厨师|面包师|咖啡师|理发师|美容师|药剂师|建筑师|架构师"
    r"|飞行员|驾驶员|司机|演员|歌手|导演|记者|编辑|编剧"
    r"|翻译|公务员|警察|消防员|军人|士兵|店员|收银员|销售员?|客服|快递员|外卖员|保安|电工|木工|水管工|农民|工人"
    r"|渔民|学生|大学生|研究生|博士生?|硕士生?|实习生"
    r"|自由职业者?|个体户|老板|店长|创业者|投资人|银行柜员|柜员|教练|健身教练|导游|空姐|空乘|主播|博主|产品经理"
    r"|运营|策划|法官|检察官|兽医|牙医|心理咨询师))"
)
CONDITIONS = _one_of(
    "晕车 晕船 晕机 腰椎间盘突出 胃炎 肠胃炎 胃溃疡 甲减 甲亢 骨质疏松 脂肪肝 尿酸高 血糖高 血脂高 鼻窦炎 荨麻疹"
    " 糖尿病 高血压 低血糖 哮喘 鼻炎 胃病 关节炎 偏头痛 失眠 癫痫 抑郁症 焦虑症 湿疹 痛风 贫血 心脏病 颈椎病"
)
PETS = (
    r"(?:猫咪?|狗狗?|犬|兔子|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛|布偶|英短|柴犬|泰迪|哈士奇|边牧|拉布拉多|橘猫"
    r"|龙猫|荷兰猪)"
)
NAME = r"(?:[\u4e00-\u9fff]{2,4}|[A-Z][a-zA-Z]{1,15}(?:\s[A-Z][a-z]{1,15})?)"
SURNAMES = (
    "王李张刘陈杨赵吴徐孙朱胡郭林罗宋谢唐韩曹邓冯蔡彭潘袁董苏叶吕魏蒋杜"
    "丁沈姜范傅钟卢汪戴崔陆廖姚邱谭韦贾邹熊孟阎薛侯段郝孔邵"
)
GIVEN = rf"(?:[小阿][\u4e00-\u9fff]|[{SURNAMES}][\u4e00-\u9fff]{{1,2}}|[A-Z][a-z]{{1,15}})"
NUMBER = r"(?:\d[\d,.]*|[〇零一二两三四五六七八九十百千万]+)"
MONEY = rf"{NUMBER}\s?(?:万|千)?\s?(?:元|块钱?|美元|欧元|人民币|刀|[kKwW])?"

_WORD = re.compile(r"[^\W_]")
_POINTS = re.compile(r"[你您他她它这那某]|什么|怎么|哪|谁|如此|自己$")
_NO_TASTE = re.compile(
    r"[的了过着吗不没得]|上了|就|跟我|和我|一个人$|有人|我|很|去年|起来|现在|人家|听说|看到"
    r"|看见|知道|被"
)
_NO_FOOD = re.compile(r"[了亏惯到得起完下饱过着醋苦香力]|这套|东西|什么|饭(?!团)|早饭|午饭|晚饭|药")
_NO_PLACE = re.compile(
    r"[我他她你院校宿得了着不过一这那几哪]|酒店|宾馆|民宿|新家|家里|外面|附近|里面|楼上|楼下|隔壁|装修|同一"
)
_NO_NAME = re.compile(r"[了他她你它不做车板醒停好得着过起来人外]|什么|外卖|大家|救护车|妈妈|爸爸|老婆|老公|自己|我")
_NO_EMPLOYER = re.compile(r"[家这那里外忙]|努力|认真|一起|一家(?!.)|我|哪|线上|网上|周末|晚上|白天|公司$")
_PLACE_NAME = re.compile(rf"{CITIES}[\u4e00-\u9fff]{{0,8}}|[\u4e00-\u9fff]{{1,8}}(?:国|省|市|州|区|县|镇|村|岛|城)")
_PEOPLE_OF = re.compile(rf"{CITIES}|[\u4e00-\u9fff]{{1,5}}(?:国|省|市|州|县|镇|村)|南方|北方|东北|西北")


def short(text: str, most: int = 20) -> bool:
    """Some characters of the speaker's own that name something by themselves."""
    return (
        len(text) <= most
        and not text.startswith("的")
        and HIDDEN not in text
        and bool(_WORD.search(text))
        and not _POINTS.search(text)
    )


def likeable(text: str) -> bool:
    """A thing or activity that stands for itself: not «你», «这个», «的人»."""
    return short(text) and not _NO_TASTE.match(text)


_NO_FEAR = re.compile(r"[不没会要了是有得被来说]")


def feared(text: str) -> bool:
    """What somebody is afraid of: a thing or a state, no clause."""
    return short(text, 8) and not _NO_FEAR.search(text)


def food(text: str) -> bool:
    """What somebody does not eat or drink: not «亏», «饭», «了»."""
    return short(text, 12) and not _NO_FOOD.match(text)


def place(text: str) -> bool:
    """Where somebody may live: two characters at least, not «院» or «新家»."""
    return len(text) > 1 and short(text, 16) and not _NO_PLACE.match(text)


def region(text: str) -> bool:
    """A city, province or country."""
    return short(text, 12) and bool(_PLACE_NAME.fullmatch(text))


def trade(text: str) -> bool:
    """What 是…的 says of a living: 教书, 卖水果."""
    return short(text, 7) and not re.search(r"[了过不给我他她你完]|假|玩|饭$|自己|网上|时候", text)


def medicine(text: str) -> bool:
    """A drug by its name, which may hold any character: 阿托伐他汀."""
    return 1 < len(text) <= 14 and HIDDEN not in text


def home_of(text: str) -> bool:
    """What can stand before 人 to say where somebody is from."""
    return bool(_PEOPLE_OF.fullmatch(text))


def employer(text: str) -> bool:
    """An organisation: what is no place, no «家» and no manner of working."""
    return short(text, 20) and len(text) > 1 and not _NO_EMPLOYER.match(text) and not region(text)


def name(text: str) -> bool:
    """A name of two to four characters, or in Latin letters."""
    return bool(re.fullmatch(NAME, text)) and not _NO_NAME.match(text) and not _POINTS.search(text)


def action(text: str) -> bool:
    """What one plans to do."""
    return (
        len(text) > 1
        and short(text, 40)
        and not re.match(
            r"[了好得过着]|(?:参加|举办|举行|学|看|买|做|去)的|一下|说|问|吐槽|请问|知道|看看$|试试|确认|.*(?:回来|的时候|之后)$",
            text,
        )
    )
