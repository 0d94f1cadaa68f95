"""Chinese relatives and companions, and which of them a sentence is about."""

import re

_RELATIVES = """
    老婆 妻子 太太 媳妇 爱人 老公 丈夫 先生 女朋友 男朋友 女友 男友 未婚妻 未婚夫 对象 前女友 前男友 前妻
    前夫 女儿 儿子 闺女 孩子 宝宝 大女儿 小女儿 大儿子 小儿子 老大 老二 老三 娃 姐姐 妹妹 哥哥 弟弟 姐 妹
    哥 弟 妈妈 爸爸 爸妈 父母 母亲 父亲 老妈 老爸 妈 爸 爷爷 奶奶 外公 外婆 姥姥 姥爷 公公 婆婆 岳父 岳母
    丈母娘 公婆 叔叔 阿姨 舅舅 舅妈 姑姑 姑妈 姨妈 婶婶 伯父 大伯 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹
    侄子 侄女 外甥 外甥女 孙子 孙女 嫂子 姐夫 妹夫 弟媳
"""
_COMPANIONS = """
    闺蜜 好友 朋友 发小 同事 老板 上司 领导 经理 下属 邻居 室友 舍友 老师 同学 导师 学生 教练 房东 班主任
    主治医生 徒弟 师傅 合伙人 猫 狗 小猫 小狗 猫咪 狗狗 兔子 鹦鹉 仓鼠 乌龟
"""


def _any_word(words: str) -> str:
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


KIN = _any_word(_RELATIVES + _COMPANIONS)
CITIES = _any_word(
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
"""Places that people name without a word before them."""
_MINE = re.compile(
    rf"(?:我们?|咱们?|俺)(?:家)?(?:里)?的?(?:那个)?(?P<kin>{KIN})(?:叫(?P<name>[\u4e00-\u9fffA-Za-z]{{1,4}}?)(?=[，。,]|$))?"
)
_BARE = re.compile(
    rf"(?:^|[，。！,；])(?:(?:今天|昨天|最近|现在|上周|去年|今年|对了|还有)[，,]?)?(?P<kin>{_any_word(_RELATIVES)})(?!们)"
)
_NAMED = re.compile(
    r"^(?P<name>[小老阿大][\u4e00-\u9fff](?=[是在说也想喜有没不要去来的住换辞结生搬病爱上今昨明下跟和]))"
)
_SPEAKER = re.compile(r"[我俺咱]")
_PRONOUN = re.compile(r"\W{0,3}(?:(?:对了|然后|不过|但是?|而且|因为|所以)\W{0,3}){0,3}[他她它]")


def subject_of(sentence: str) -> str | None:
    """The person named first; None for the speaker, empty for a pronoun that points back."""
    found = [each for each in (_MINE.search(sentence), _BARE.search(sentence), _NAMED.match(sentence)) if each]
    speaker = _SPEAKER.search(sentence)
    first = min(found, key=lambda each: each.start(), default=None)
    if first is None:
        return "" if _PRONOUN.match(sentence) else None
    if speaker and speaker.start() < first.start():
        return None
    named = first.groupdict()
    return (named.get("kin") or "") + (f" {named['name']}" if named.get("name") else "")
