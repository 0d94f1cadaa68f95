"""Chinese clauses without a subject: in a message of one's own they are about oneself, until somebody else is named."""

import re

from memory.rules.chinese_words import GIVEN, KIN, OWN_KIN

_PREDICATES = """
    lives_in works_at works_in job does_work side_job has_pet
    allergic_to consumes diet diet_rule condition medication plans
    prefers commutes_by schedule learns prepares_for graduated_from car phone_model bought habit owns fears
"""
ELIDED = frozenset(_PREDICATES.split())
"""What may be said of oneself without 我: a name or an age may be anybody's."""
_SELF = re.compile(rf"(?:我|本人|俺)(?!们?(?:家(?:里)?)?的?(?:大|小|二|亲|前)?{KIN})")
_SOMEBODY = re.compile(
    rf"[他她它你您]|大家|人家|别人|有人|对方|{OWN_KIN}|我(?:们)?(?:家(?:里)?)?的?(?:大|小|二|亲|前)?{KIN}"
    rf"|(?:^|(?<=[，,。！!？?\s]))(?:小|阿|老)?{GIVEN}(?=[\u4e00-\u9fff])"
)
_SENTENCE = re.compile(r"[。！!？?；;\n…]")
_SHORT = 3
"""Characters of what says nothing of anybody: 对, 好的, 生啦."""
_AMBIGUOUS = re.compile(
    r"会|得|将|是|(?:就|快)?要(?!去|参加|搬|回|跟|和|带|考|交|飞|出差|见|做|上班|陪|办|结婚|领|接|到)"
)
"""The first character of 会计 and 会议 as well; 要下雨了 is nobody's plan."""
_SUBJECTLESS = re.compile(
    r"(?:已经|刚|终于|最近|现在|又|也|还|今天|昨天|明天|打算|准备|去|在|把|想|要|不|没|从|每|天天|搬|换|改|吃|喝|戒|买|回|到|做|开始|好|[\ue001-\ue002\s])"
)


def elided_by_speaker(said: str, span: tuple[int, int]) -> bool:
    """Whether the missing subject of the clause at ``span`` can only be the speaker."""
    if _AMBIGUOUS.match(said, *span):
        return False
    before = said[: span[0]]
    others = [each.end() for each in _SOMEBODY.finditer(before)]
    if others and not any(own.start() >= others[-1] for own in _SELF.finditer(before)):
        return False
    sentence = _SENTENCE.split(before)[-1]
    if _SELF.search(sentence):
        return True
    clauses = [each.strip() for each in re.split(r"[，,：:]", sentence)]
    return all(len(each) <= _SHORT or _SUBJECTLESS.match(each) for each in clauses)
