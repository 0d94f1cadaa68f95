"""English rows behind «my» that change with the years, what others give the speaker, and wishes on style."""

from functools import partial

from memory.rules import english_words as words
from memory.rules.english_syntax import row, wish

_MARKS = (
    r"exclamation (?:marks|points)|emojis?|bullet points|jargon|slang|abbreviations|acronyms"
    r"|tables|headings|bold|preambles?|small talk|disclaimers|footnotes"
)
_FORMS = (
    r"short sentences|bullet points|plain (?:english|words|language)|simple (?:words|terms|english)|full sentences"
    r"|metric(?: units)?|celsius|fahrenheit|kilometres|numbered lists?|miles|tables?|lowercase"
    r"|one paragraph|a few words|british english"
)
_belonging = partial(row, category="possessions", fits=words.thing, changes=True)
_IS_NOW = r"(?:['’]s| is) (?:now |actually )*(?=an? |(?-i:[A-Z]))@object"

ROWS = (
    _belonging("car", rf" (?:new |current )?car{_IS_NOW}", "'s car is {object}"),
    _belonging(
        "phone_model",
        r" (?:new |current )?phone (?:is|['’]s) (?:now )?(?P<object>an? (?-i:[A-Z\w])[\w ]{2,30})",
        "'s phone is {object}",
    ),
    _belonging("laptop", rf" (?:new |current )?(?:laptop|computer){_IS_NOW}", "'s computer is {object}"),
    _belonging("bike", rf" (?:new |current )?(?:bike|bicycle){_IS_NOW}", "'s bike is {object}"),
    row(
        "rent",
        r" (?P<about>rent|mortgage|salary|pension)(?:['’]s| is)(?: now| currently)?"
        r" (?P<object>(?:about |around )?[$€£¥]?\d[\d,.]*k?)",
        "'s {about} is {object}",
        category="budget",
        changes=True,
        exact=True,
    ),
)

BARE_ROWS = (
    row(
        "schedule",
        rf"(?:they|(?:my|the) (?:boss|manager|company|firm|work))(?:['’]ve| have| has)? (?:gave|give|given|gives) me"
        rf" (?P<object>{words.WEEKDAYS} off)\b",
        "has {object}",
        category="work",
    ),
    wish(
        "wants_style",
        rf"(?:please,? )?(?P<not>no|never use|don['’]?t use|avoid|skip the|without)(?: any)?(?: more)?"
        rf" (?P<object>{_MARKS})@end",
        "wants {object}",
        "wants no {object}",
        exact=True,
    ),
    wish(
        "wants_style",
        rf"(?:please )?(?:always )?(?:answer|reply|respond|write|explain|talk|use|give me|i prefer|keep it)"
        rf"(?: (?:things|answers|replies|it|me|to me|everything))?"
        rf"(?: (?:in|with|using|to))? (?P<object>{_FORMS})(?: please)?@end",
        "wants {object}",
        exact=True,
    ),
    wish("wants_style", rf"(?P<object>{_FORMS}) (?:everywhere|only|always|please)@end", "wants {object}", exact=True),
)
"""Wishes about how Brain writes, and what happens to the speaker."""
