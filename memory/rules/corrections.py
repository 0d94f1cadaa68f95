"""Does a message take something back? Cheap enough to ask on every turn: it decides what is urgent."""

import re

READ = 2_000
"""Characters looked at; a correction is short, and a long paste is none."""

PAUSE = r"(?:wait(?:\s+a\s+(?:minute|moment|second|sec))?|hold\s+on|hang\s+on|hmm+)"
"""Who says this may go on to put something right, or to say anything else."""
SLIP = rf"(?:(?:no|oh),?\s+{PAUSE}|oops|my\s+bad|scratch\s+that)"
"""Who says this puts something right."""

_SOFT = r"(?:now|yet|really|at\s+all|that|sure|too|so|only|just|because|to|if|even|again|today|necessarily|always)"
_CORRECTION = re.compile(
    r"(?<![是可要还莫并])不是[^，,。！？?!\n]{1,20}[，,]\s*(?:我[^，,。！？\n]{0,4})?(?:而?是|现在|喜欢|更喜欢"
    r"|叫|住|应该)"
    r"|(?<!不)是[^，,。！？?!\n]{1,20}[，,]\s*不是"
    r"|(?:现在|如今)(?:只|更|改|开始|其实|已经|反而|就)?(?:喜欢|爱|偏好|讨厌|不喜欢|不爱|不想|住在?)"
    r"|不再(?!见|说)|再也不|(?:换|改)(?:成|为|到|吃|喝|用|穿|住)(?!什么|哪)|改主意|(?:说|记|写|搞|弄)错了|更正"
    r"|纠正|已经不(?!错|少|早|多|是)"
    r"|\bnot\s+[^.?!,\n]{1,40}?,?\s+but\s+(?!also\b)"
    r"|\bnot\s+[^.?!,\n]{1,30},\s+(?:it|that|he|she)['’]s\s|\bno\s+more\s+\w|\b(?:gave|given)\s+up\b|\bdone\s+with\b"
    r"|\b(?:forget|scratch|ignore)\s+(?:what\s+i\s+said|everything)\b|\bcancel+ed\b"
    r"|(?:不干|不做|不练|不学|不养|不租|取消|停|卖|退|吹|黄|还清|戒|辞)(?:掉)?了|把[^，。]{1,6}戒"
    rf"|,\s*(?:and\s+)?not\s+(?!{_SOFT}\b)[\w'’-]+(?:\s[\w'’-]+){{0,3}}\s*[.!]*\s*$"
    r"|\bno\s+longer\b|(?:n['’]?t|\bnot|\bnever)\b[^.?!\n]{1,60}\b(?:any\s?more|any\s+longer)\b"
    rf"|(?:^|[.!]\s+){SLIP}[\s,!.]+(?:i|my|we|it)\b"
    r"|\bchanged\s+my\s+mind\b|\bi\s+(?:meant|misspoke)\b|\bcorrection\s*:|\bi\s+(?:was\s+wrong|made\s+a\s+mistake)\b"
    r"|\bactually,?\s+(?:i|i['’]m|my|it['’]s|we)\b|\bi\s+now\s+(?:like|love|prefer|live|work|hate)\b"
    r"|\bi\s+(?:have\s+)?switched\s+(?:from\b|to\b)|\bused\s+to\b[^.?!\n]{1,60}\b(?:but|now)\b"
    r"|\bthat['’]?s\s+(?:wrong|not\s+(?:right|true|correct|my|what))\b|\byou(?:['’]re|\s+are|\s+got\s+(?:it"
    r"|that|me))\s+wrong\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"[?？]\s*$|[吗么]\s*$|是不是|^\s*(?:do|does|did|is|are|was|what|which|who|when|where|why|how|can|could"
    r"|should|would)\b",
    re.I,
)


def is_correction(text: str) -> bool:
    """Whether a message corrects or replaces something said before (zh, en): it jumps the queue, nothing more.

    Questions never do; what is really corrected is for ``extract`` to say.
    """
    said = text[:READ].strip()
    return not _ASKED.search(said) and bool(_CORRECTION.search(said))
