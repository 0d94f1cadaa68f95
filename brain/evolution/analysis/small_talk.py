"""Is there anything in these turns that a person states? Cheap enough to save a model's time on small talk."""

import re
from collections.abc import Sequence

from brain.evolution.state import Said
from memory.rules.rows import HIDDEN
from memory.rules.speech import own_words

_SENTENCE = re.compile(r"[^.!?。！？\n；;~～…]+[?？]?")
_POLITE = re.compile(
    r"(?:\W|_|\d|\b(?:hi|hello|hey|hiya|yo|morning|good\s+(?:morning|afternoon|evening|night)|bye|goodbye|see\s+(?:you|ya)"
    r"|later|soon|tomorrow|take\s+care|thanks?|thank\s+you|thx|ty|cheers|so\s+much|very\s+much|a\s+lot|for\s+(?:your|the|all)"
    r"|help|ok|okay|k|kk|sure|fine|great|good|nice|cool|awesome|perfect|lovely|wonderful|amazing|excellent|brilliant"
    r"|yes|yeah|yep|yup|no|nope|nah|right|exactly|indeed|of\s+course|alright|got\s+it|i\s+see|i\s+understand|makes\s+sense"
    r"|sounds\s+(?:good|great|nice)|that['’]?s|that\s+is|it['’]?s|really|very|so|well|oh|ah|wow|haha+|hehe+|lol|hmm+|um+|uh+"
    r"|how\s+are\s+you|how['’]?s\s+it\s+going|what['’]?s\s+up|you\s+too|please|again|there|everyone|all|guys|then|and|now"
    r"|funny|true|interesting|no\s+problem|you['’]?re\s+welcome|welcome|sorry|never\s+mind|bot|brain|assistant|friend)\b"
    r"|你好|您好|大家好|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早啊|早|哈喽|嗨|嘿|在吗|在不在|再见|拜拜|回头见|回见|明天见"
    r"|谢谢|多谢|感谢|谢啦|谢了|辛苦了?|麻烦了?|好的|好吧|好呀|好啊|好|行|可以|没问题|收到|明白|知道|了解|懂|嗯|哦|噢|喔"
    r"|对|是的|是|没错|不是|不用|不客气|没事|没关系|哈|呵|嘻|嘿|真的|太|棒|厉害|不错|有意思|有趣|赞|牛|你|您|大家|了|啊"
    r"|呀|吧|呢|哇|吗|的|啦|嘛|哟|帮忙|帮助)+",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\W*(?:(?:so|and|but|ok|okay|well|hey|hi|please)\W+)*(?:what|which|who|whose|when|where|why|how|do|does|did|is|are|was|were"
    r"|can|could|should|would|will|have|has|may|any|tell\s+me)\b",
    re.IGNORECASE,
)
_CHINESE_QUESTION = re.compile(
    r"[吗么呢]\s*$|什么|哪|谁|怎么|怎样|为什么|多少|几|是不是|有没有|能不能|会不会|可不可以|如何"
)
_OF_MYSELF = re.compile(
    r"\b(?:my|mine|our|ours|us|I['’](?:m|ve|ll|d)|we)\b|(?<!should )(?<!can )(?<!could )(?<!do )(?<!did )(?<!may )\bI\b"
    r"|(?<![给帮教诉])[我咱俺](?!(?:今天|现在|明天)?(?:应该|该|能|可以|要?怎么))",
    re.IGNORECASE,
)


def states_something(said: Sequence[Said]) -> bool:
    """Whether any person's turn holds more than greetings, thanks and questions that tell nothing of the asker.

    When in doubt it says yes: a model then finds nothing, at some cost, whereas a missed statement is lost.
    """
    return any(turn["role"] == "user" and _states(turn["text"]) for turn in said)


def _states(text: str) -> bool:
    own = own_words(text)
    if set(own) <= {HIDDEN}:
        own = text
    sentences = (found[0].strip() for found in _SENTENCE.finditer(own.replace(HIDDEN, " ")))
    return any(not _empty(sentence) for sentence in sentences if sentence)


def _empty(sentence: str) -> bool:
    return bool(_POLITE.fullmatch(sentence)) or (_asks(sentence) and not _OF_MYSELF.search(sentence))


def _asks(sentence: str) -> bool:
    asked = sentence.endswith(("?", "？"))
    return bool(asked or _QUESTION.match(sentence) or _CHINESE_QUESTION.search(sentence))
