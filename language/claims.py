"""Whether a reply says that something was forgotten, deleted or corrected, in English or Chinese."""

import re

_CLAIM = re.compile(
    r"\bI(?:['’]ve|\s+have)?\s+(?:(?:now|just|already|successfully)\s+)*"
    r"(?:forgot(?:ten)?|deleted|removed|erased|wiped|cleared|corrected|changed|updated)\b"
    r"|\b(?:has|have|is|are|was|were)\s+(?:(?:now|just|already|successfully)\s+|been\s+)*"
    r"(?:forgotten|deleted|removed|erased|wiped|cleared|corrected|updated)\b"
    r"|^\W*(?:done|deleted|forgotten|removed|gone|erased|consider\s+it\s+(?:done|gone))\b"
    r"|(?:已经?|刚刚?|都|就)(?:帮你|为你|替你|把.{1,20})?(?:忘[记掉了]|删[除掉了]|清[除空掉]|抹[去掉]|移除|改[好正过成了]|更新|更正)"
    r"|(?:忘[记掉]|删[除掉]|清[除空掉]|抹[去掉]|移除|改[好正过]|更新|更正)(?:好)?了|^\W*(?:搞定|办好了|好了|完成)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|nothing|cannot|no\s+longer)\b|n['’]t\b|没有?|并未|尚未|不能|无法|不会", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[?？]?")
_ASKED = re.compile(r"(?:[?？]|[吗呢])\s*$")


def claims_change(reply: str) -> bool:
    """Whether a sentence of it claims a change of memory, asks nothing and denies nothing."""
    sentences = (each[0] for each in _SENTENCE.finditer(reply))
    return any(_CLAIM.search(each) and not (_DENIED.search(each) or _ASKED.search(each)) for each in sentences)
