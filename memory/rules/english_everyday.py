"""The English extraction table, continued: habits, skills, fears and other everyday things."""

from functools import partial

from memory.rules import english_words as words
from memory.rules.english_syntax import limit, plan, row, wish

_INSTRUMENT = r"piano|guitar|violin|cello|drums|flute|saxophone|trumpet|clarinet|bass|ukulele|harp|accordion|harmonica"
_SPORT = (
    r"tennis|football|soccer|basketball|volleyball|badminton|golf|hockey|rugby|cricket|baseball|squash|chess|handball"
    r"|table tennis|poker|bridge|video games"
)
_SKILL = r"swim|drive|ski|dance|sing|cook|knit|surf|ride a (?:bike|bicycle|horse)|read music|drive a car|play chess"
_ROUTINE = (
    r"(?:gets?|wakes?) up|go(?:es)? to (?:bed|sleep|work|the gym)|works?|eats?|ha(?:ve|s) (?:breakfast|lunch|dinner)"
    r"|starts? work|finish(?:es)? work|runs?|swims?|drinks?|walks?|cycles?|reads?|takes? the|commutes?"
)
_HOW = r"(?:hard|abroad|all|late|together|with|at|for|well|a lot|really|very)"
_SIGHT = r"(?:reading )?glasses|contact lenses|contacts|hearing aids?|braces|a hijab|a pacemaker"
_EVENT = (
    r"flight|train|appointment|exam|interview|wedding|surgery|operation|deadline|check-?up|presentation|driving test"
)

IS_CALLED = row(
    "name",
    r"@is(?P<object>@name)@end",
    "is called {object}",
    "is not called {object}",
    item_type="relation",
    category="family",
    fits=words.given_name,
)
"""«My manager is Peter», which only holds after somebody's relation to the speaker."""

_skill = partial(row, category="skill")
_habit = partial(row, category="habits")

ROWS = (
    _skill(
        "plays",
        rf"@does(?:plays?) (?:the )?(?P<object>{_INSTRUMENT}|{_SPORT})\b",
        "plays {object}",
        "does not play {object}",
    ),
    _skill(
        "can", rf" can(?P<not>no?t|['’]t| not)?@adverbs (?P<object>{_SKILL})@end", "can {object}", "cannot {object}"
    ),
    row(
        "fears",
        r"@is(?:afraid|scared|terrified|frightened) of @object",
        "is afraid of {object}",
        "is not afraid of {object}",
        category="character",
        fits=words.likeable,
        lists=True,
    ),
    row(
        "trait",
        r"@is(?:an? )(?P<object>(?:morning|night|cat|dog|people|early|evening) (?:person|owl|bird))\b",
        "is a {object}",
        "is not a {object}",
        category="character",
    ),
    row(
        "wears",
        rf"@does(?:wears?) (?P<object>{_SIGHT})\b",
        "wears {object}",
        "does not wear {object}",
        category="health",
    ),
    limit(
        "consumes",
        r"@did(?P<not>stopped|quit|given up|gave up) (?P<object>smoking|drinking|vaping|alcohol|sugar|caffeine)@end",
        "",
        "gave up {object}",
        category="diet",
        only_denied=True,
        changes=True,
    ),
    limit(
        "consumes",
        r"@adverbs@not@adverbs (?P<object>smoke|drink|vape|drink alcohol)@end",
        "does {object}",
        "does not {object}",
        category="diet",
        only_denied=True,
    ),
    row(
        "work_mode",
        r"@does(?:works?) (?P<object>from home|remotely|part[ -]time|full[ -]time|night shifts|freelance)\b",
        "works {object}",
        "does not work {object}",
        category="work",
    ),
    row(
        "job",
        r"@did(?:got |was |been )(?:promoted to|made) (?:an? |the )?(?P<object>[\w -]{3,40}?)@end",
        "'s job is {object}",
        category="work",
        fits=words.thing,
        changes=True,
    ),
    row(
        "studied",
        rf"@did(?:studied|majored in) (?!{_HOW}\b)@object",
        "studied {object}",
        category="work",
        fits=words.subject_matter,
    ),
    row(
        "graduated_from",
        r"@did(?:graduated) from @object",
        "graduated from {object}",
        category="work",
        fits=words.thing,
    ),
    row(
        "prepares_for",
        r"@is(?:training|preparing|studying) for @object",
        "is preparing for {object}",
        "is not preparing for {object}",
        item_type="plan",
        category="plans",
        fits=words.thing,
    ),
    _habit(
        "habit",
        rf" (?:usually|always|normally|typically|generally|tends? to) (?P<object>(?:{_ROUTINE})\b.{{2,60}})",
        "'s habit: {object}",
        fits=words.action,
        keeps_time=True,
    ),
)

EVENTS = (
    plan(
        "plans",
        rf" (?P<verb>{_EVENT}) is (?P<object>(?:(?:on|at|in) )?@time.{{0,60}})",
        "'s {verb} is {object}",
        needs_future=True,
    ),
)
"""What follows «my»: an event with its time."""

BARE_ROWS = (
    wish(
        "reply_language",
        r"(?:please )?always (?:answer|reply|respond|write|talk|speak)(?: to)?(?: me)? in (?P<object>@language)\b",
        "wants to be answered in {object}",
    ),
)
"""Wishes about how Brain speaks."""
