"""The shelf on which a preference stands, told by its words."""

import re

_SHELVES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "food_preference",
        re.compile(
            r"\b(?:food|eat|cook|pizza|pasta|sushi|rice|noodles?|soup|salad|steak|chicken|beef|pork|fish|cheese"
            r"|bread|chocolate|cake|fruit"
            r"|vegetables?|spicy|sweets?|dessert|cuisine|curry|tacos?|coriander|cilantro|olives?)\b|吃|菜|饭"
            r"|面条|火锅|烧烤|甜品|水果|辣|肉|海鲜|香菜|榴莲|蛋糕|饺子|零食",
            re.I,
        ),
    ),
    (
        "drink_preference",
        re.compile(
            r"\b(?:tea|coffee|wine|beer|juice|latte|espresso|water|milk|cocktails?|drink\w*)\b|喝|茶|咖啡|酒|奶|果汁|可乐",
            re.I,
        ),
    ),
    (
        "style_preference",
        re.compile(
            r"\b(?:style|clothes|fashion|dress\w*|minimalis\w+|vintage|sneakers|shoes|outfits?)\b|风格|简约|运动风|穿|衣|裙|鞋|款式|宽松|复古|商务|风$",
            re.I,
        ),
    ),
    (
        "music_preference",
        re.compile(
            r"\b(?:music|jazz|rock|pop|songs?|band|classical|hip[\s-]hop|piano|guitar|opera)\b|音乐|歌|爵士|摇滚|乐队|钢琴|吉他",
            re.I,
        ),
    ),
    (
        "sport_preference",
        re.compile(
            r"\b(?:sports?|football|soccer|tennis|basketball|running|hik\w+|swim\w*|yoga|gym|climb\w*|cycling|ski\w*)\b|运动|跑步|篮球|足球|网球|游泳|瑜伽|爬山|徒步|健身|滑雪|骑行",
            re.I,
        ),
    ),
    (
        "colour_preference",
        re.compile(r"\b(?:colou?rs?|blue|red|green|black|white|yellow|pink|purple|gr[ae]y)\b|色", re.I),
    ),
    (
        "media_preference",
        re.compile(
            r"\b(?:movies?|films?|books?|novels?|reading|series|anime|comics|games?|gaming)\b|电影|书|小说|动漫|漫画|游戏|电视剧|看|《",
            re.I,
        ),
    ),
    (
        "travel_preference",
        re.compile(
            r"\b(?:travel\w*|beach\w*|mountains?|sea|trips?|cit(?:y|ies)|hotels?|window\s+seats?)\b|旅行|旅游|海边|酒店|靠窗|山",
            re.I,
        ),
    ),
)


def category_of(default: str, text: str) -> str:
    """A finer shelf for a preference, or the row's own."""
    if default != "preference":
        return default
    return next((shelf for shelf, words in _SHELVES if words.search(text)), default)
