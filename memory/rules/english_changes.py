"""The English extraction table, continued: what began, what ended, and how the days of a life run."""

from functools import partial

from memory.rules import english_words as words
from memory.rules.english_syntax import limit, place, plan, row, taste, work

_BODY = r"ankle|wrist|arm|leg|knee|back|shoulder|foot|toe|finger|hip|nose|collarbone|elbow|rib|hand|neck"
_WHOSE = r"(?:my|his|her|their)"
_DRUG = (
    r"(?:[a-z]{3,}(?:cillin|mycin|cycline|pril|sartan|statin|olol|azole|formin|dipine|oxetine|triptan|zepam|profen"
    r"|traline|lukast|thyroxine|parin|xaban|gliptin|setron|amide)|aspirin|paracetamol|insulin|antibiotics"
    r"|antihistamines?|statins?|steroids|antidepressants|beta[ -]blockers|blood thinners|the pill|iron tablets)"
)
_VEHICLE = r"bus|train|tram|metro|subway|tube|underground|ferry|bike"
_DAYS = rf"{words.WEEKDAYS}(?:(?:,| and| to|,? through| or) {words.WEEKDAYS})*"
_REGULAR = (
    r"volunteer|work|coach|teach|train|swim|run|play|practi[cs]e|babysit|cook|do|go|take|help|sing|meet|climb|dance"
)
_TRADE = (
    r"teach|run|manage|own|repair|fix|restore|build|sell|drive|design|install|bake|brew|grow|breed|edit|translate"
    r"|paint|tune|maintain|supervise|clean"
)
_ORGANISED = r"(?:marathon|half[ -]marathon|race|course|class|workshop|exam|test|trip|retreat|conference|tour|camp)"
_WORKPLACE = (
    r"hospital|clinic|school|bakery|museum|aquarium|zoo|library|factory|garage|restaurant|caf[eé]|bar|pub|hotel|shop"
    r"|store|bank|farm|nursery|studio|airport|university|college|lab|laboratory|theatre|salon|gym|law firm"
    r"|newspaper|start-?up"
    r"|warehouse|post office|pharmacy|court|embassy|council|shipyard|brewery|winery|vineyard|company|agency|firm"
)
_HALL = r"(?:flat|apartment|house|room|studio|place|condo|cottage)"

_liked = partial(taste, standing="declared")
_planned = partial(plan, fits=words.action)

HOME = (
    place(
        "lives_in",
        rf"(?:@adverbs (?:rent|share|own|flat|have)|@is(?:renting|sharing|staying|boarding|lodging))"
        rf" (?:(?:an? |the )?(?:[\w-]+ ){{0,3}}?{_HALL} |with [\w' ]{{2,30}}?)?in @object",
        "lives in {object}",
    ),
    place(
        "lives_in",
        r"(?:['’]ve|@space(?:have|has)) been in (?P<object>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?)"
        r"(?= (?:for )?(?:almost |over |about )?(?:@number|\d+|\w+teen|seven|eight|nine|ten|eleven|twelve) years?"
        r"|@time)",
        "lives in {object}",
        exact=True,
    ),
    place("lives_in", r"@adverbs stays? in @object", "lives in {object}"),
    place(
        "lives_in",
        r"@did(?P<not>moved out|moved away|left) (?:of|from) @object",
        "lives in {object}",
        "does not live in {object}",
        only_denied=True,
    ),
)

WORKDAYS = (
    work(
        "works_at",
        r"@did(?:started(?: work(?:ing)?)?|got hired|was hired|went to work)"
        r" (?:at|by|with|for) @object",
        "works at {object}",
        fits=words.started_at,
        changes=True,
    ),
    work(
        "works_at",
        rf"@adverbs works? (?:[\w' -]{{2,30}} )?(?:at|for) (?P<object>(?:an?|the) (?:[\w-]+ ){{0,2}}?{_WORKPLACE})\b",
        "works at {object}",
    ),
    work("job", r"@did(?P<object>retired)@end", "is {object}", changes=True),
    work(
        "does_work",
        rf"@adverbs (?P<object>(?:{_TRADE})s? .{{2,60}}? (?:at|for) (?:an?|the|my) .{{2,60}})",
        "'s work for a living: {object}",
        fits=words.trade,
    ),
    work(
        "does_work",
        r"@adverbs (?P<object>do(?:es)? the (?:books|accounts) for .{2,60})",
        "'s work for a living: {object}",
    ),
    work(
        "does_work",
        r"@adverbs (?P<object>(?:teaches|builds|repairs|designs|sells|bakes|installs) [\w -]{3,40}? (?:in|for|at)"
        r" [\w' -]{3,40})",
        "'s work for a living: {object}",
        fits=words.trade,
    ),
    work(
        "does_work",
        r"@adverbs (?P<object>(?:drives?|flies|fly|captains?|pilots?) (?:an? |the )?"
        r"(?:bus|buses|ferry|ferries|taxis?|cab|trucks?|lorry|lorries|trams?|trains?|crane|ambulance|planes?))@end",
        "'s work for a living: {object}",
    ),
    row(
        "commutes_by",
        rf"@adverbs (?:takes?|catch(?:es)?|rides?) (?P<object>(?:the|my|an?) (?:[\w-]+ ){{0,2}}?(?:{_VEHICLE}))\b"
        r"(?=@adverbs(?: (?:to|into) (?:work|school|campus|uni|the office)|@space?$))",
        "goes by {object}",
        category="habits",
        changes=True,
    ),
    row(
        "commutes_by",
        r"@have@adverbs (?P<object>cycles?|bikes?|walks?|drives?|commutes? by \w+|go(?:ne|es)? by \w+)"
        r" (?:in )?to (?:work|school|campus|uni|the office)\b",
        "'s way to work: {object}",
        category="habits",
        changes=True,
    ),
    row(
        "schedule",
        rf"(?:@got|@adverbs gets?|@is) (?P<object>(?:{_DAYS} off|off (?:on )?{_DAYS}))\b",
        "has {object}",
        category="habits",
    ),
    row(
        "schedule",
        rf"@is(?P<object>(?:in the office|working|at work|home|on call)(?: only)? (?:on )?{_DAYS})\b",
        "is {object}",
        category="habits",
    ),
    row(
        "schedule",
        r"@is(?P<object>(?:on (?:[\w-]+ )?leave|off work|signed off|on sabbatical)\b.{0,40}@time)",
        "is {object}",
        category="work",
        keeps_time=True,
    ),
    row(
        "habit",
        rf"(?:@have been|@is)@adverbs (?P<object>(?:{_REGULAR})[a-z]?ing\b.{{0,60}}?\b(?:on {_DAYS}|@every))",
        "'s habit: {object}",
        category="habits",
        fits=words.action,
    ),
    row(
        "habit",
        rf"@adverbs (?P<object>(?:{_REGULAR})(?:e?s)?\b.{{0,60}}?\b(?:on )?(?:{words.WEEKDAYS}s))@end",
        "'s habit: {object}",
        category="habits",
        fits=words.action,
    ),
    row(
        "habit",
        r"@adverbs (?P<object>(?:do|run|walk|swim|cycle|drink|work|sleep|read)s? (?:about |around )?"
        r"(?:@number|\d{1,4}) [\w ]{2,30}? an? (?:day|night|week|month))\b",
        "'s habit: {object}",
        category="habits",
        fits=words.action,
    ),
)

BODY = (
    row(
        "condition",
        rf"@have@adverbs (?P<object>(?:broke|broken|sprained|twisted|fractured|tore|torn|dislocated|pulled) {_WHOSE}"
        rf" (?:\w+ )?(?:{_BODY}))\b",
        "has {object}",
        category="health",
    ),
    row(
        "condition",
        r"@adverbs (?:gets?|suffers? from|struggles? with)@adverbs (?P<object>(?:sea|car|air|motion)[ -]?sick(?:ness)?"
        r"|@condition)\b",
        "gets {object}",
        category="health",
    ),
    row(
        "medication",
        rf"(?:@is(?:on|taking)|@adverbs takes?|@did(?:started(?: on| taking)?|was (?:put on|prescribed)"
        r"|got prescribed))"
        rf" (?P<object>(?:[\w.]+ ){{0,2}}?{_DRUG})\b",
        "takes {object}",
        "does not take {object}",
        category="health",
    ),
    row(
        "medication",
        rf"@did(?P<not>stopped|quit|came off|finished|am done with)(?: taking)? (?:the )?(?P<object>{_DRUG})\b",
        "takes {object}",
        "does not take {object}",
        category="health",
        only_denied=True,
    ),
    limit(
        "allergic_to",
        r"@does(?:reacts? (?:really )?badly|come out in hives|have a bad reaction) to @object",
        "is allergic to {object}",
        category="health",
        fits=words.thing,
    ),
    limit(
        "allergic_to",
        r"@got (?P<object>[\w-]+) (?:and [\w-]+ )?(?:allergies|intolerance)\b",
        "is allergic to {object}",
        category="health",
        fits=words.allergen,
    ),
)

TASTES = (
    _liked(
        "prefers",
        r"@did(?:got|gotten|fell|fallen|grown) (?:really |quite )?(?:into|in love with|fond of) @object",
        "likes {object}",
    ),
    _liked(
        "prefers",
        r"@adverbs (?:loathes?|abhors?|despises?|am sick of|am fed up with|am not a fan of"
        r"|am no fan of|can['’]?t abide|can only bear|have no patience for) @object",
        "likes {object}",
        "does not like {object}",
        inverted=True,
    ),
    _liked(
        "prefers",
        r"(?:['’]d| would)(?: always| much)? rather (?:have |eat |drink )?@object",
        "prefers {object}",
        fits=words.thing,
    ),
    _liked(
        "prefers",
        r"@is(?:back on|sticking (?:to|with)|all about|partial to|mad about|hooked on) @object",
        "likes {object}",
    ),
    taste(
        "prefers",
        r"@did(?:gone off|went off|grew tired of|got tired of|got bored of) @object",
        "likes {object}",
        "does not like {object}",
        inverted=True,
    ),
)

PLANS = (
    _planned(
        "plans",
        r"@did(?:signed up|registered|enrol+ed|got a place|got tickets) (?:for|in|on|to|at) "
        r"(?P<object>(?:an?|the|my|our) .{2,120})",
        "has signed up for {object}",
    ),
    _planned(
        "plans",
        rf"@did(?:booked|reserved) (?P<object>(?:an?|the|our|my) (?:[\w-]+ ){{0,3}}?(?:flights?|tickets?|trip"
        rf"|cabin|hotel|holiday|{_ORGANISED}).{{0,80}})",
        "has booked {object}",
    ),
    plan(
        "plans",
        r"@did(?:deferred|postponed|pushed back|rescheduled|moved) (?P<object>(?:my|our|the) [\w ]{2,30}?"
        r" (?:to|until|till) @time)",
        "has deferred {object}",
        changes=True,
    ),
)

ROWS = (*HOME, *WORKDAYS, *BODY, *TASTES, *PLANS)
