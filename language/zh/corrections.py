"""Chinese ways of putting one value in the place of another."""

import re

_VALUE = r"[^，,。！？?!\n；;我你他她它这那哪谁]{1,15}?"
CONTRASTS = (
    re.compile(rf"不是(?P<old>{_VALUE})[，,]?\s*(?:而|应该)?是(?P<new>{_VALUE})[。！!了啦哈]*$"),
    re.compile(rf"是(?P<new>{_VALUE})[，,]\s*不是(?P<old>{_VALUE})[。！!了啦哈]*$"),
)
NUMBER = re.compile(r"\d[\d:.]*\d|\d|(?:周|星期|礼拜)[一二三四五六日天]|[零一二两三四五六七八九十]+")
"""Numbers and weekdays: what is most often misspoken."""
COUNTED = re.compile(
    r"(?P<number>\d[\d:.]*\d|\d|[零一二两三四五六七八九十百千万半]+|[红白黑灰蓝绿黄紫粉金银棕橙](?=色))(?P<unit>色|年级|公斤|块钱?|元|斤|岁|楼|号|点|片|粒|次|天|个月|年|米|厘米|分|(?![\w\u4e00-\u9fff]))"
)
"""A number with what it counts."""
