"""Whether a person states anything in these turns: a cheap test that saves a model's time on small talk."""

import re
from collections.abc import Sequence

from evolution.courtesies import compile_courtesies
from evolution.state import TurnRecord
from language.own_words import HIDDEN, own_words

_SENTENCE = re.compile(r"[^.!?。！？\n；;~～…]+[?？]?")
_POLITE = compile_courtesies(
    r"hiya|yo|morning|see\s+ya|soon|take\s+care|thx|ty|cheers|very\s+much|a\s+lot|for\s+(?:your|the|all)|help|k|kk|fine"
    r"|awesome|lovely|wonderful|amazing|excellent|brilliant|yep|yup|nope|nah|right|exactly|indeed|alright|i\s+understand"
    r"|makes\s+sense|sounds\s+(?:great|nice)|that\s+is|it['’]?s|really|very|so|oh|ah|wow|hehe+|hmm+|um+|uh+"
    r"|how['’]?s\s+it\s+going|what['’]?s\s+up|you\s+too|please|everyone|all|guys|and|now|funny|true|interesting"
    r"|welcome|sorry|never\s+mind|bot|brain|assistant|friend",
    r"_|\d|大家好|上午好|中午好|下午好|早安|早啊|早|哈喽|嗨|嘿|在吗|在不在|回头见|回见|明天见|感谢|谢啦|谢了|辛苦了?|麻烦了?|好呀|好"
    r"|知道|了解|懂|噢|喔|是|没错|不是|不用|没事|没关系|呵|嘻|真的|太|棒|厉害|不错|有意思|有趣|赞|牛|大家|哇|的|啦|嘛|哟|帮忙|帮助",
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


def states_something(said: Sequence[TurnRecord]) -> bool:
    """Whether any person's turn holds more than greetings, thanks and questions that tell nothing of the asker.

    When in doubt it says yes: a model then finds nothing, at some cost, whereas a missed statement is lost.
    """
    return any(turn["role"] == "user" and _states(turn["text"]) for turn in said)


def _states(text: str) -> bool:
    own = own_words(text)
    if set(own) <= {HIDDEN}:
        own = text
    sentences = (found[0].strip() for found in _SENTENCE.finditer(own.replace(HIDDEN, " ")))
    return any(not _is_empty(sentence) for sentence in sentences if sentence)


def _is_empty(sentence: str) -> bool:
    return bool(_POLITE.fullmatch(sentence)) or (_asks(sentence) and not _OF_MYSELF.search(sentence))


def _asks(sentence: str) -> bool:
    asked = sentence.endswith(("?", "？"))
    return bool(asked or _QUESTION.match(sentence) or _CHINESE_QUESTION.search(sentence))
