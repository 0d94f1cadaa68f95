"""Where Chinese sentences are joined, and what between the joints asserts nothing."""

import re

JOINTS = re.compile(
    r"[，,；;：:。！!？?（）()…—]+|(?:而且|并且|但是|不过|因为|所以|另外|还有)|和(?=我的?[老妻丈女男爸妈儿])"
)
FILLING = re.compile(
    r"(?:哦|嗯|啊|呢|吧|哈|唉|对了|说真的|其实|现在|目前|最近|平时|一直|已经|还是|每天|每周|每月|每年|今年|去年|刚|"
    r"你知道|我觉得|不瞒你说|真的|好几年了|[一二两三四五六七八九十\d]+(?:年|个月|周|天)(?:了|多|前)?)"
)
"""Words that say when, how or that one speaks, and assert nothing of their own."""
SHORTEST = 3
"""Characters from which a part says something."""
