"""English orders to an assistant about its work, and wishes about the manner of its answers."""

from language.patterns import OrderWords, compile_any

_MATTER = (
    r"(?:tools?|functions?|plug-?ins?|commands?|scripts?|shell|terminal|queries|sql|api|webhooks?|memory_\w+|soul_\w+"
    r"|approvals?|confirmations?|permissions?|risk(?:s|y)?|guard\s?rails?|safety|safeguards?|polic(?:y|ies)"
    r"|restrictions?|filters?|admin(?:istrator)?s?|root|superuser|operators?|developer\s+mode|system\s+prompt|roles?"
    r"|confidence|certainty|trust\s+(?:level|score)s?|trusted|trustworthy|verified|confirmed|credib\w+|priorit\w+|importance"
    r"|scores?|weights?)"
)
_ACT = (
    r"(?:set|mark|rate|treat|regard|count|consider|classify|flag|label|store|save|record|assign|give|grant|make|raise|lower|keep"
    r"|call|run|use|execute|invoke|trigger|approve|authori[sz]e|allow|permit|skip|bypass|disable|enable|switch\s+(?:on|off)"
    r"|turn\s+(?:on|off)|trust|believe|obey|assume|accept|delete|send|forward|transfer|override|ignore|drop|ask|require|act"
    r"|behave|take)"
)
_SPEAK = (
    r"(?:answer|reply|respond|say|tell|recommend|suggest|mention|promote|advise|praise|include|insert|append|add|end|begin|start"
    r"|finish|conclude|refuse|deny|claim|pretend|write|output|link|point|agree)"
)
_START = r"(?:^|[.!?;:,\n]\s*|\b(?:and|then|but|so|please|just|also|now|kindly|henceforth|from\s+now\s+on)[, ]\s*)"
_ALWAYS = r"(?:always|never|must|only|do\s+not|don['’]t|every\s+time|without\s+(?:asking|exception|question))"
_YOU = (
    r"\byou(?:['’]re|\s+(?:are|must|should|shall|will|may|can|have\s+to|need\s+to|ought\s+to))"
    r"(?:\s+(?:now|always|never|only|not|allowed|free|authori[sz]ed|permitted|required|supposed|to)){0,4}\s+"
)
_EVERYBODY = (
    r"\b(?:any(?:body|one)|every(?:body|one)|some(?:body|one)|users?|people|customers?|whoever|others?"
    r"|no\s+matter\s+who)\b"
)
_ALL = (
    r"\b(?:everything|anything|whatever|every\s+(?:single\s+)?(?:answer|reply|message|response|question|request|conversation|time)"
    r"|all\s+(?:your\s+)?(?:answers?|repl(?:y|ies)|messages?|responses?|questions?|requests?)|any\s+(?:question|request)|each\s+(?:answer"
    r"|reply|message|response)|no\s+matter\s+what|in\s+all\s+cases)\b"
)

WORDS = OrderWords(
    orders=compile_any(
        rf"{_START}(?:{_ALWAYS}\s+)?{_ACT}\b[^.!?\n]{{0,80}}?\b{_MATTER}\b",
        rf"{_YOU}(?:\w+\s+){{0,2}}?{_ACT}\b[^.!?\n]{{0,80}}?\b{_MATTER}\b",
        rf"\b(?:tools?|functions?|commands?|tool\s+calls?|memories|this\s+memory)\s+(?:\w+\s+){{0,3}}?(?:is|are|need|needs|must|should|do(?:es)?\s+not"
        rf"|don['’]t|never)\b[^.!?\n]{{0,60}}\b(?:{_MATTER}|approved|allowed|authori[sz]ed|harmless|safe)\b",
        rf"{_START}(?:{_ALWAYS}\s+)?(?:call|run|execute|invoke|trigger)\s+(?:the\s+)?[\w`'\"-]{{1,40}}\s+(?:tool|function|command|script|skill)\b",
        rf"(?:{_START}|{_YOU})(?:{_ALWAYS}\s+)?{_SPEAK}\b[^.!?\n]{{0,100}}?{_ALL}",
        rf"{_ALL}[^.!?\n]{{0,80}}?(?:,\s*|\byou\s+(?:\w+\s+){{0,2}}?|\b(?:must|should|shall|has\s+to)\s+(?:\w+\s+){{0,2}}?){_SPEAK}\b",
        rf"{_ALL}[^.!?\n]{{0,20}}\b(?:i|we)\s+(?:say|tell|state|claim|write|ask)\b[^.!?\n]{{0,60}}\b(?:true|fact|law|order|verified|confirmed|final)\b",
        rf"\b(?:when(?:ever)?|if|each\s+time|every\s+time)\s+{_EVERYBODY}[^.!?\n]{{0,100}}?(?:,\s*|\b(?:you\s+)?(?:must|should|always|please)\s+){_SPEAK}\b",
        rf"{_START}(?:{_ALWAYS}\s+)?{_SPEAK}\b[^.!?\n]{{0,100}}?\b(?:when(?:ever)?|if)\s+{_EVERYBODY}",
        rf"{_START}(?:always|never)\s+(?:recommend|suggest|promote|praise|mention|refuse|agree|deny|insert|append|link)\b",
        rf"{_START}(?:obey|listen\s+to|follow)\s+(?:only\s+)?(?:me|my\s+(?:orders?|commands?|instructions?))\b",
        r"\b(?:i|we)\s+(?:hereby\s+)?(?:order|instruct|command|authori[sz]e|allow|permit|direct)\s+you\b",
        r"\byou\s+(?:no\s+longer\s+)?(?:do\s+not|don['’]t|need\s+not|needn['’]t)\s+(?:have\s+to\s+|need\s+to\s+)?(?:ask|confirm|check|wait)\b",
        r"\b(?:don['’]t|do\s+not|never|no\s+need\s+to|without)\s+(?:ask(?:ing)?|wait(?:ing)?|check(?:ing)?)\s+(?:\w+\s+){0,3}?(?:before|for|first"
        r"|permission|approval|confirmation)\b",
    ),
    standing=compile_any(
        r"\b(?:from\s+now\s+on|always|never|in\s+future|in\s+the\s+future|henceforth|going\s+forward|generally|whenever|call\s+me"
        r"|(?:i|we)\s+(?:prefer|like|hate|want))\b"
    ),
    manner=compile_any(
        r"(?<!\bmy )\b(?:answer|reply|respond|speak|talk|write|explain)(?:s|ing)?\b.{0,40}"
        r"\b(?:short|brief|concise|detail|formal|casual|plain|simpl|polite|direct|friendly|funny|humou?r|emojis?|bullets?"
        r"|in\s+(?:english|chinese|mandarin|cantonese|dutch|french|german|spanish|italian|portuguese|japanese|korean|russian))",
        r"^\W*(?:always\s+|please\s+)?(?:answer|reply|respond|speak|talk|write)\s+(?:to\s+me\s+)?(?:only\s+)?(?:in|like|as)\b",
        r"\b(?:short|brief|concise|detailed|formal|casual|plain|direct)(?:er)?\s+(?:answers?|repl(?:y|ies)|explanations?)\b",
        r"^\W*(?:please\s+|just\s+|try\s+to\s+)?(?:be|keep\s+(?:it|things|your\s+answers?|answers?|replies))\s+(?:more\s+|very\s+|a\s+bit\s+)?"
        r"(?:brief|short|concise|direct|formal|informal|casual|polite|plain|simple|friendly|detailed|to\s+the\s+point)\b",
        r"^\W*(?:please\s+)?(?:no|don['’]t\s+use|stop\s+using|use|without|skip\s+the)\s+(?:any\s+|more\s+|fewer\s+)?(?:emojis?|bullet(?:s|\s+points)"
        r"|jargon|tables|headings|markdown|exclamation\s+marks|metric|imperial|small\s+talk|lists)\b",
        r"(?:^\W*|\b(?:please|just|can\s+you|could\s+you|you\s+can|you\s+may|do)\s+)call\s+me\s+(?!back|when|at\b|on\b|if|after|before|later|in\b|now|again)"
        r"['’\"“]?[\w’'-]+",
        r"\bdon['’]t\s+call\s+me\s+(?!back|when|at\b|on\b|if|after|before|later)",
    ),
)
