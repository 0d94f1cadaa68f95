"""The English extraction table, continued: people, belongings, plans, and what follows "my"."""

from functools import partial

from memory.rules import english_words as words
from memory.rules.english_syntax import limit, plan, row

_family = partial(row, category="family")
_KIDS = r"kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|twins|grandchildren|grandsons?|granddaughters?"
_OLDER = r"older|younger|little|big|grown|adult|small|young|twin|lovely|beautiful|[\w]+-[\w-]+-old"
_LACKS = r"(?P<not>@space(?:do not|don['’]?t|doesn['’]?t|does not) have(?: any)?|@space(?:have|has) no)"
_CALLED = r"(?:,? (?:named|called) @name(?: and @name)?)?"
_MARRIED = r"(?P<object>married|single|divorced|engaged|widowed|separated)(?=\s*(?:$|to\b|with\b|and\b|now\b|,))"

NAMED = _family(
    "name", r"\s*@object", "is called {object}", "is not called {object}", fits=words.name, item_type="relation"
)

INTRODUCED = row("name", r"@is(?P<object>@name)@end", "is called {object}", fits=words.given_name)

PEOPLE = (
    row(
        "age", r"@is(?P<object>\d{1,3})(?:[ -]years?[ -]old)?@end", "is {object} years old", "is not {object} years old"
    ),
    row("age", r"@is(?P<object>[a-z]+(?:-[a-z]+)?)[ -]years?[ -]old", "is {object} years old"),
    row("age", r"@did(?:turned|turns) (?P<object>\d{1,3})@end", "is {object} years old", changes=True),
    _family("marital_status", rf"@is{_MARRIED}", "is {object}", "is not {object}"),
    _family("marital_status", rf"@did(?:got|gotten) {_MARRIED}", "is {object}", changes=True),
    _family(
        "has_family", rf"@got@adverbs (?P<object>@number (?:(?:{_OLDER}) )*(?:{_KIDS}){_CALLED})\b", "has {object}"
    ),
    _family(
        "has_family",
        rf"{_LACKS} (?P<object>(?:an? )?(?:{_KIDS}|pets?))@end",
        "",
        "does not have {object}",
        only_denied=True,
    ),
    row(
        "has_pet",
        rf"(?:@got|@adverbs owns?|@have@adverbs (?:adopted|got|rescued)) "
        rf"(?:[\w -]{{2,40}}? and )?(?P<object>@number (?:[\w-]+ ){{0,3}}?@pet{_CALLED})\b(?! (?:allergy|person|food))",
        "has {object}",
        category="pets",
    ),
    _family(
        "name",
        r"(?:@is(?:called|named)|,? (?:called|named)) (?P<object>@name)\b",
        "is called {object}",
        "is not called {object}",
        fits=words.name,
    ),
)

_belonging = partial(row, category="possessions")
_ANY = r"(?:an? |any )?"
_NOT_THE_THING = r"(?! (?:accident|trouble|crash|payment|key|loan|insurance|line|call|park))"

BELONGINGS = (
    _belonging(
        "owns",
        rf"(?:@adverbs (?:owns?|drives?)"
        rf"|@got@adverbs) (?P<object>@number (?:[\w-]+ ){{0,3}}?(?:@thing)s?)\b{_NOT_THE_THING}",
        "has {object}",
        fits=words.thing,
    ),
    _belonging("owns", rf"{_LACKS} (?P<object>{_ANY}(?:@thing)s?)@end", "", "does not have {object}", only_denied=True),
    _belonging(
        "owns",
        r"@adverbs (?:drives?|owns?) (?P<object>an? (?-i:[A-Z])[\w-]*(?: [\w-]+){0,3})",
        "has {object}",
        fits=words.thing,
    ),
    _belonging(
        "bought",
        r"@did(?:bought) (?:myself |himself |herself )?@object",
        "bought {object}",
        fits=words.purchase,
        keeps_time=True,
    ),
    row(
        "height",
        r"@is(?P<object>\d[\d.'’]{0,5} ?(?:cm|m|ft|feet|foot)?(?: \d{1,2}(?: ?in(?:ches)?)?)?) tall\b",
        "is {object} tall",
    ),
    row(
        "weight",
        r" weighs? (?:about |around )?(?P<object>\d[\d.]{0,5}\s?(?:kg|kilos?|lbs?|pounds|stone))\b",
        "weighs {object}",
    ),
    row(
        "size",
        r"@adverbs wears? (?:an? )?(?P<object>size (?:\d{1,3}(?:\.\d)?|x{0,3}[sml]|small|medium|large)(?: shoes?)?)\b",
        "wears {object}",
    ),
)

_plan = partial(plan, fits=words.action)
_dated_plan = partial(_plan, needs_future=True)
_SETS_OUT = (
    r"flying|travel+ing|moving|starting|leaving|heading|getting married|visiting|meeting|going|attending"
    r"|hosting|seeing|running"
    r"|driving|taking|presenting|speaking|throwing|competing|having"
)
_DATES = (
    r"appointment|meeting|exam|interview|flight|trip|wedding|concert|test|deadline|presentation|conference"
    r"|surgery|check-?up"
    r"|date|party|race|marathon|reservation"
)
_AIMS = r"learn|visit|become|move|quit|travel|lose|run|study|buy an?|start an?|open an?|retire|climb|save"
_DOING = (
    r"run|jog|swim|go|play|practi[cs]e|do|meditate|work out|walk|cycle|bike|read|cook|drink|take|visit|call"
    r"|attend|volunteer"
    r"|train|paint|write|hike"
)

INTENTIONS = (
    _plan(
        "plans",
        r"@is(?:planning|intending) (?P<object>(?:to"
        "|on) .{2,160})",
        "is planning {object}",
        "is not planning {object}",
    ),
    _plan("plans", r"@did(?:plans?|intends?|decided) (?P<object>to .{2,160})", "plans {object}"),
    _dated_plan("plans", r"(?:@is(?:going to|gonna)| (?:will|gonna)|['’]ll) @object", "is going to {object}"),
    _dated_plan("plans", rf"@is(?P<object>(?:{_SETS_OUT}) .{{2,160}})", "is {object}"),
    _dated_plan("plans", rf"@got (?P<object>an? (?:[\w'’-]+ ){{0,3}}?(?:{_DATES})\b.{{0,120}})", "has {object}"),
    _plan(
        "wants",
        rf"@does(?:wants?) (?P<object>to (?:{_AIMS})\b.{{2,120}})",
        "wants {object}",
        "does not want {object}",
        epistemic_type="preference",
    ),
    row(
        "habit",
        rf"@adverbs (?P<object>(?:{_DOING})(?:e?s)?\b.{{0,80}}?\b@every)",
        "'s habit: {object}",
        category="habits",
        fits=words.action,
    ),
)

ROWS = (*PEOPLE, *BELONGINGS, *INTENTIONS)
_IS = r"(?:['’]s| is| are|:)(?P<not>n['’]t| not| no longer)? (?:now |still )?"

_mine = partial(row, fits=words.thing, keeps_time=True)
_LABELS = (
    ("birthday", r"birthday", "birthday", "identity"),
    ("phone", r"(?:phone|mobile|cell)(?: number)?", "phone number", "identity"),
    ("email", r"e-?mail(?: address)?", "email", "identity"),
    ("job", r"(?:job|profession|occupation)", "job", "work"),
    ("origin", r"(?:home\s?town|home country)", "home town", "identity"),
    ("address", r"(?:home )?address", "address", "residence"),
    ("shoe_size", r"shoe size", "shoe size", "identity"),
    ("nickname", r"nickname", "nickname", "identity"),
    ("time_zone", r"time\s?zone", "time zone", "identity"),
    ("anniversary", r"(?:wedding )?anniversary", "anniversary", "family"),
    ("blood_type", r"blood type", "blood type", "health"),
)

FAVOURITE = _mine(
    "favourite",
    r" (?:all-time )?favou?rite (?!thing|part|one|moment|memory|time|bit|aspect|way|place to)"
    r"(?P<about>[\w' -]{2,40}?) (?:is|are|has always been)(?P<not>n['’]t| not"
    r"| no longer)?"
    r" (?:now |still )?@object",
    "'s favourite {about} is {object}",
    "'s favourite {about} is not {object}",
    item_type="preference",
    epistemic_type="preference",
    category="preference",
)

ATTRIBUTES = (
    FAVOURITE,
    _mine(
        "budget",
        rf" (?:\w+ )?budget{_IS}@object",
        "'s budget is {object}",
        "'s budget is not {object}",
        item_type="constraint",
        category="budget",
    ),
    row(
        "name",
        r" (?:full |first |real )?name(?:['’]s| is)(?P<not>n['’]t| not)? (?P<object>@name(?: @name){0,2})",
        "'s name is {object}",
        "'s name is not {object}",
        fits=words.name,
    ),
    *(
        _mine(
            predicate,
            rf" (?:new |current )?(?:{noun}){_IS}@object",
            f"'s {label} is {{object}}",
            f"'s {label} is not {{object}}",
            category=category,
        )
        for predicate, noun, label, category in _LABELS
    ),
)

_RECOMMEND = r"(?:recommend(?:ing)?|suggest(?:ing)?|show(?:ing)?|offer(?:ing)?)"

BARE_ROWS = (
    limit(
        "avoids",
        rf"(?:please )?(?:don['’]?t(?: ever)?|do not(?: ever)?|never|stop) "
        rf"(?=.*\b(?:me|ever|again|any ?more)\b|.*\bnever\b|recommending)"
        rf"{_RECOMMEND}(?: me)? (?P<object>[\w' -]{{2,40}}?)(?: to me)?(?: (?:again|any ?more|ever))?$",
        "does not want {object} recommended",
        category="preference",
        fits=words.likeable,
        lists=True,
    ),
    limit(
        "budget",
        r"(?:please )?(?:keep (?:it|my budget|the budget|the price) )?(?:(?P<not>nothing|no) )?(?P<object>"
        r"(?:over|above|more than|under|below|less than|at most|up to|max(?:imum)?) [$€£¥]\d[\d,.]*k?)(?: please)?$",
        "'s budget: {object}",
        "'s budget: nothing {object}",
        category="budget",
        exact=True,
    ),
    row(
        "nickname",
        r"(?:you can |please |just )*call me (?P<object>@name)@end",
        "wants to be called {object}",
        fits=words.name,
    ),
)
"""Rows without a subject: wishes about what Brain does."""
