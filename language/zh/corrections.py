"""Chinese ways of putting one value in the place of another."""

import re

_VALUE = r"[^，,。！？?!\n；;我你他她它这那哪谁]{1,15}?"
_END = r"[。！!了啦哈呀的]*(?:$|[，,。])"
CONTRASTS = (
    re.compile(rf"不是(?P<old>{_VALUE})[，,]?\s*(?:而|应该|其实)?是(?P<new>{_VALUE}){_END}"),
    re.compile(rf"是(?P<new>{_VALUE})[，,]\s*不是(?P<old>{_VALUE}){_END}"),
    re.compile(rf"(?:说|写|打|记)成(?:了)?(?P<old>{_VALUE})了?[，,]\s*(?:其实|应该|实际)?是(?P<new>{_VALUE}){_END}"),
    re.compile(rf"把(?P<new>{_VALUE})(?:说|写|打|记)成了?(?P<old>{_VALUE}){_END}"),
)
SLIP = re.compile(
    r"(?:[说写打记看念听]|手滑|口)[错误岔反]了?|口误|笔误|手滑了?|(?:^|[，。…])\s*[哦噢啊哎诶]*[，,]?不对|不不+|哎不是|更正(?:一下)?|纠正一下|我?搞错了|弄错了"
)
"""The speaker takes back words of their own."""
SLIP_WITHIN = re.compile(
    r"[\s，,。…—.]*(?:啊|哎|哦|诶|噢)?[，,]?(?:[说写打记看]错了|口误|手滑了?|不对不?对?|哎?不是(?=[\d零一二两三四五六七八九十周星礼])|更正(?:一下)?)[\s，,。…—]*"
)
CARRIER = re.compile(r"我[是要想]?说的?|[是应该在的了呢吧哦噢啊哎诶嗯其实一下对它那这个不号日月点楼年岁]")
"""Words that carry a value and say nothing about it."""
CLAUSE = re.compile(r"[我你他她它是在]")
"""What makes more than a value of some words."""
