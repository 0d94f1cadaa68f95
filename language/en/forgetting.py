"""English words by which people ask that something be forgotten."""

import re

from language.patterns import ForgetWords

_I = re.IGNORECASE
_LEAD = (
    r"^\W*(?:(?:please|pls|plz|kindly|hey|hi|hello|yo|ok(?:ay)?|oh|um+|uh+|well|actually|so|and|also|now|just|right|sorry"
    r"|wait|no|yeah|yes|brain|then|but|maybe|go\s+ahead(?:\s+and)?|better|best|thanks?|honestly|alright|would\s+you|do)\W+)*"
)
_ASKS = (
    r"(?:(?:(?:can|could|would|will|wd|cd|won['’]?t|can['’]?t|couldn['’]?t)\s+(?:you|u|ya|we|y['’]all)"
    r"|(?:you|u|ya|y['’]?all|we)(?:\s+(?:can|could|may|might|should|must|need\s+to|have\s+to|ought\s+to|better)|['’]d\s+better)"
    r"|(?:I|we)(?:['’]d|\s+would)?\s+(?:\w+\s+)?(?:want|need|like|love|prefer|wish|ask|beg)\s+(?:for\s+)?(?:you|u)\s+to"
    r"|(?:I|we)(?:['’]d|\s+would|\s+shall)\s+be\s+(?:\w+\s+){0,2}(?:grateful|obliged|glad|happy|thankful)\s+if\s+you(?:\s+(?:would|could))?"
    r"|I['’]d\s+appreciate\s+it\s+if\s+you|I\s+must\s+ask\s+you\s+to"
    r"|is\s+it\s+possible\s+(?:for\s+you\s+)?to|any\s+chance\s+(?:that\s+)?you\s+(?:can|could)|feel\s+free\s+to|let['’]?s"
    r"|(?:do|would)\s+you\s+mind|mind|any\s+chance\s+of)\s+"
    r"(?:(?:please|kindly|just|also|maybe|possibly|now|safely|go\s+ahead\s+and|all|totally|completely)\s+)*)?"
)
_PLAIN = (
    r"(?:forget(?:ting)?|4get|delet(?:e|ed|ing)|del|eras(?:e|ed|ing)|wip(?:e|ed|ing)|scrub(?:bing)?|purg(?:e|ing)|unlearn|unremember"
    r"|unhear|expunge|nix|blot\s+out|rub\s+out|strike\s+out|cross\s+out"
    r"|(?:get|getting)\s+(?:rid|shot)\s+of|let\s+go\s+of|disregard(?:\s+and\s+\w+)?\s+(?:what|my|the|everything)"
    r"|(?:scratch|strike|scrap|bin|drop|undo)\s+(?:that|what)\b)"
)
_OWN = (
    r"(?:(?:my|our)\s+\w|(?:it|that|them|those)\W*$|that\s+(?:I|my|we|our)\b"
    r"|(?:(?:the|that|this|all|any|every|your|his|her|their)\s+)?(?:\w+\s+){0,2}?(?:thing|bit|part|piece|note|notes|fact|info|information|record|records|entry|line"
    r"|stuff|details?|particulars|matter|mention|memory|memories|reminder|one|preference)\b)"
)
_LOOSE = (
    r"(?:remov(?:e|ed|ing)|drop(?:ped|ping)?|los(?:e|ing)|bin|dump|clear(?:\s+out)?|ditch|junk|kill|trash|toss|chuck|cut|pull(?=.*\\bout\\b)|scrap|scratch|strike"
    r"|take(?:\s+(?:out|off|away|back))?|throw\s+(?:out|away)|discard|leave\s+out)"
)
_KEEPING = (
    r"(?:keep(?:ing)?|kept|hold(?:ing)?|hang(?:ing)?\s+on|stor(?:e|ing)|remember(?:ing)?|retain(?:ing)?|know(?:ing)?|sav(?:e|ing)"
    r"|hav(?:e|ing))"
)
_MEMORY = (
    r"(?:memor(?:y|ies)|notes?|records?|brain|storage|database|files?|profile|what\s+you\s+(?:remember|know|hold|have))"
)

_TALKS_ABOUT = re.compile(
    r"\bforget(?:ting)?\s+(?:to|how\s+to|where|whether)\s+(?!I\s+(?:live|work|said)|we\b|I\b)|\bforget-?me-?nots?\b|^\W*(?:(?:oh|ah|well|nah|ok(?:ay)?)\W+)*forget\s+(?:about\s+)?it\b"
    r"|\b(?:delet|eras|remov|clear|wip|drop)\w*\s+(?:a|an)\s+\w+\s+(?:in|from|on)\s+(?:git|linux|excel|word|windows|python|sql)\b"
    r"|\b(?:this|that|the\s+(?:first|last|second|next|following))\s+(?:paragraph|sentence|text|file|folder|code|column|row|table|function|commit|branch|app)\b"
    r"|\b(?:he|she|they|who|mum|mom|dad|boss|doctor|teacher|therapist|\w+er|nora)\s+(?:says?|said|goes|went|told|tells|asked|wants?|whispers?|was\s+like)\b"
    r".{0,30}\b(?:forget|delete|erase|remove|drop|wipe)",
    _I,
)
_READS = re.compile(
    r"^\W*(?:(?:please|kindly|hey|so|and|ok(?:ay)?)\W+)*(?:show|list|tell|remind|repeat|recite|read|recall|look|find|search|check|summari[sz]e|give|gimme"
    r"|bring\s+up|pull\s+up|dig|play\s+back|run\s+through|take\s+me\s+through|say\s+back|let\s+me\s+(?:see|hear)|let['’]?s\s+review"
    r"|get\s+me|what|which|who|whose|where|when|why|how|did|does|has|have|had|was|were|is|are|am|may\s+I|could\s+I|can\s+I)\b|\bpull\b.{0,60}\bfrom\s+memory\b",
    _I,
)
_ASKED = re.compile(r"\?\W*$")
_POLITELY = re.compile(
    r"^\W*(?:(?:please|pls|hey|hi|ok(?:ay)?|so|and|um+|sorry|brain|also)\W+)*(?:"
    + _ASKS[:-1]
    + _PLAIN
    + r"|"
    + _ASKS[:-1]
    + _LOOSE
    + r"|"
    + _PLAIN
    + r"|"
    + _LOOSE
    + r"\s+(?:what|my|our|the|that))|[,.;—-]\s*(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+)?(?:"
    + _PLAIN
    + "|"
    + _LOOSE
    + r")|\b(?:ok(?:ay)?|please|would\s+you|will\s+you|could\s+you|can\s+you)\W*\?\W*$",
    _I,
)
_CLAUSES = re.compile(
    r"[,;.!?…–—\n]+|:\s+(?=please|pls|kindly|forget|delete|erase)|\s-+\s|\b(?:so|and|then|but|because|cos|just)\b", _I
)
_WISHES = (
    re.compile(
        r"\b(?:I|we)(?:['’]d|\s+would)?\s+(?:\w+\s+)?(?:want|need|like|love|prefer|wish)\b.{0,80}?"
        r"\b(?:removed|deleted|erased|wiped|forgotten|scrubbed|gone|out\s+of\s+your|taken\s+(?:out|off))\b",
        _I,
    ),
    re.compile(
        rf"^{_LEAD[1:]}(?:you\s+)?(?:don['’]?t|do\s+not|dnt|needn['’]?t|need\s+not|stop|quit|no\s+need(?:\s+for\s+you)?(?:\s+to)?)"
        rf"\s+(?:you\s+)?(?:(?:be|ever|even|need\s+to|have\s+to)\s+)*{_KEEPING}\b",
        _I,
    ),
    re.compile(
        rf"\bso\s+no\s+need\s+(?:for\s+you\s+)?to\s+{_KEEPING}|\byou\s+(?:can\s+stop|don['’]?t\s+(?:need|have)\s+to|needn['’]?t|no\s+longer\s+need\s+to)\s+{_KEEPING}\b",
        _I,
    ),
    re.compile(
        rf"\bI\s+(?:don['’]?t|do\s+not|no\s+longer|never)\s+want(?:ed)?\s+you\s+(?:to\s+)?(?:\w+\s+)?{_KEEPING}"
        rf"|\bI(?:['’]d|\s+would)\s+(?:rather|prefer\s+(?:it\s+if|that)|feel\s+(?:better|safer)\s+if|like\s+it\s+if)\b.{{0,60}}?"
        rf"(?:(?:didn['’]?t|did\s+not|no\s+longer|don['’]?t|not)\s+(?:\w+\s+)?(?:{_KEEPING}|had)|(?:weren['’]?t|wasn['’]?t|isn['’]?t|not)\s+(?:\w+\s+)?in\s+your)",
        _I,
    ),
    re.compile(
        rf"^{_LEAD[1:]}{_ASKS}(?:get|{_LOOSE})\b.{{1,100}}?\b(?:out\s+of|from|off|in)\s+(?:your|the|my)\s*(?:\w+\s+)?{_MEMORY}\b",
        _I,
    ),
    re.compile(
        r"[,—–-]\s*(?:so\s+)?(?:you\s+can\s+)?(?:let|can)\s+(?:that|it|this)\s+go\b|\byou\s+can\s+let\s+(?:that|it)\s+go\b",
        _I,
    ),
)

WORDS = ForgetWords(
    plain=re.compile(
        rf"{_LEAD}{_ASKS}(?:{_PLAIN}\b(?!\W*$)|{_LOOSE}\s+(?-i:[A-Z])[\w-]+['’]s\b|{_LOOSE}\s+(?:{_OWN}|(?:what|where|everything|anything|all)\s+(?:I|you|we|that)\b))",
        _I,
    ),
    loose=re.compile(rf"{_LEAD}{_ASKS}{_LOOSE}\b(?:\s+\w+)", _I),
    wishes=_WISHES,
    clauses=_CLAUSES,
    asks=_ASKED,
    reads=_READS,
    politely=_POLITELY,
    talks_about=_TALKS_ABOUT,
    untouched=re.compile(
        r"\b(?:don['’]?t|do\s+not|never|without)\s+(?:actually\s+|really\s+|you\s+(?:dare\s+)?)?(?:delet\w+|eras\w+|remov\w+|wip\w+|do\s+(?:it|that|so)"
        r"|chang(?:e|ing)\s+(?:it|anything)|touch\w*)|\bleave\s+(?:it|them|that|everything)\s+(?:be|alone|as\s+(?:it|they))\b"
        r"|\b(?:not|n['’]t)\s+(?:wish|want)\s+(?:it|them|anything)\s+(?:altered|changed|deleted|removed|gone)\b|\bjust\s+(?:checking|asking|curious|wondering)\b",
        _I,
    ),
    specifies=re.compile(r"\bI\s+mean\b|^\W*(?:the|that|namely|i\.e\.)\b.{0,40}\bone\b", _I),
    explains=re.compile(
        r"\W*(?:(?:because|since|cos|as|and|but)\s+)?(?:(?:I|we|it|he|she|they|you|there|this)(?:['’]\w+)?|that['’]s|that\s+(?:is|was))\s+\w"
        r"|\W*(?:thanks?|please|lol|haha|yeah|ok(?:ay)?|cheers|ta)\b",
        _I,
    ),
    plays=re.compile(
        r"\b(?:pretend|imagine|suppose|hypothetical\w*|role-?play|let['’]?s\s+play|game\s+where|as\s+a\s+joke|if\s+I\s+(?:said|say|told|asked|were)"
        r"|in\s+my\s+(?:novel|story|dream|book|script|play|song|poem)|translat\w+|(?:rephrase|reword|proofread)\b|how\s+(?:do|would|can|should)\s+(?:you|I|we|one)"
        r"|in\s+(?:french|spanish|german|italian|chinese|mandarin|japanese|latin|dutch|portuguese|russian|arabic|korean)\b|lyrics?|code\s+comment"
        r"|what\s+does\b.{1,80}\bmean)\b",
        _I,
    ),
)
