"""The English extraction table. Each row is read right after its subject: "I", "my sister", "Emma"."""

from functools import partial

from memory.rules import english_words as words
from memory.rules.english_syntax import limit, place, row, taste, work

_taste = partial(taste, standing="declared", lists=True)
_LIKES = ("likes {object}", "does not like {object}")
_FAN = r"fond of|into|keen on|(?:an? )?(?:big |huge |real )?(?:fan|lover) of|crazy about|obsessed with|passionate about"
_HATES = r"hates?|dislikes?|detests?|loathes?|can(?:no|['’])t (?:stand|bear)"
_MONEY = r"[$€£¥]?\d[\d,.]*(?: ?(?:k|dollars|euros|pounds|yuan|usd|eur|rmb|bucks)\b)?"
_SPENDS = r"(?:can(?:no|['’])t|don['’]?t want to|can|only want to|can only) (?:spend|pay|afford)"
_UP_TO = r"(?:more than|over|up to|at most|around|about)"
_WHO_WITH = r"(?: alone| together| with my [\w' ]{2,40}?)?(?: in an? [\w ]{2,20}?)?"

TASTES = (
    _taste("prefers", r"@does(?:likes?|loves?|enjoys?|adores?) @object", *_LIKES),
    _taste("prefers", r"@does(?:prefers?) @object", "prefers {object}", "does not prefer {object}"),
    _taste("prefers", rf"@is(?:{_FAN}) @object", *_LIKES),
    _taste("prefers", rf"@adverbs (?:{_HATES}) @object", *_LIKES, inverted=True),
    taste(
        "prefers",
        r"@did(?:switched|changed) from (?P<old>[\w' -]{2,30}?) to @object",
        "switched to {object}",
        changes=True,
    ),
    _taste("prefers", r" used to (?:like|love|enjoy|prefer) @object", *_LIKES, inverted=True),
)

LIMITS = (
    limit(
        "allergic_to",
        r"@is(?:allergic to) @object",
        "is allergic to {object}",
        "is not allergic to {object}",
        category="health",
        fits=words.thing,
        lists=True,
    ),
    limit(
        "allergic_to",
        r"@got an? (?:severe |bad |mild )?(?P<object>[\w-]+(?: [\w-]+)?) allergy\b",
        "is allergic to {object}",
        category="health",
        fits=words.thing,
    ),
    limit(
        "diet",
        r"(?:@is(?:an? )?(?:strict |lifelong |committed )?|@did(?:became|become|been|gone|went|turned) (?:an? )?)"
        r"(?P<object>vegetarian|vegan|pescatarian|pescetarian|flexitarian|meat[ -]eater)\b",
        "is {object}",
        "is not {object}",
        category="diet",
    ),
    limit(
        "diet_rule",
        r"@is(?:an? )?(?P<object>(?:lactose|gluten|fructose|histamine)[ -]intolerant|celiac|coeliac)\b",
        "is {object}",
        "is not {object}",
        category="health",
    ),
    limit(
        "diet_rule",
        r"@adverbs (?:only eats?|eats? only|keeps?|eats?|follows?|am on) (?:an? )?"
        r"(?P<object>halal|kosher|gluten[ -]free|dairy[ -]free|keto|paleo|low[ -]carb)\b",
        "eats {object}",
        category="diet",
    ),
    limit(
        "consumes",
        r"@adverbs@not@adverbs (?P<verb>eat|drink|touch|tolerate|digest) @object",
        "eats or drinks {object}",
        "does not {verb} {object}",
        category="diet",
        fits=words.thing,
        only_denied=True,
        lists=True,
    ),
    limit(
        "consumes",
        r"@did(?P<not>stopped|quit|given up|gave up) (?:eating|drinking|having|smoking) @object",
        "",
        "gave up {object}",
        category="diet",
        fits=words.thing,
        only_denied=True,
        changes=True,
    ),
    limit("budget", rf" {_SPENDS} (?P<object>{_UP_TO} {_MONEY})", "'s budget: {object}", category="budget", exact=True),
    row("condition", r"@got@adverbs (?P<object>@condition)\b", "has {object}", category="health"),
    row(
        "condition",
        r"@is(?P<object>@state)\b(?! (?:to|by|about))",
        "is {object}",
        "is not {object}",
        category="health",
    ),
)

WHEREABOUTS = (
    place(
        "lives_in",
        rf"(?:@adverbs(?P<not>@space(?:don['’]?t|do not|doesn['’]?t|does not"
        rf"|no longer))?@adverbs lives?){_WHO_WITH} in @object",
        "lives in {object}",
        "does not live in {object}",
    ),
    place(
        "lives_in", r"@is(?:based|living|located|residing) in @object", "lives in {object}", "is not living in {object}"
    ),
    place(
        "lives_in",
        r"@did(?:moved|relocated|emigrated)(?: (?:back|house|home|away|here|down|up|out))?"
        r"(?: from (?P<old>[\w '-]{2,30}?))? to @object",
        "moved to {object} and lives in {object}",
        changes=True,
    ),
    place("lives_in", r"(?:['’]ve|@space(?:have|has))(?: been)? (?:lived|living) in @object", "lives in {object}"),
    place("lived_in", r"@adverbs (?:used to live|lived) in @object", "used to live in {object}"),
    place("origin", r"@is(?:from) @object", "is from {object}", "is not from {object}"),
    place("origin", r"@does(?:comes?|hails?) from @object", "is from {object}", "is not from {object}"),
    place("birthplace", r" (?:was|were) born(?: and raised)?(?: (?:on )?@time,?)? in @object", "was born in {object}"),
    place("grew_up_in", r" (?:grew up|was raised) in @object", "grew up in {object}"),
    row("birthday", r" (?:was|were) born (?:on )?(?P<object>(?:on )?@time)", "was born {object}", keeps_time=True),
)

_REMOTELY = r"(?: (?:remotely|full[ -]time|part[ -]time))?"
_AS = r"(?: as (?:an? )?[\w -]{2,40}?)?"

WORK = (
    work(
        "works_at",
        rf"@does(?:works?|interns?){_REMOTELY}{_AS} (?:at|for) @object",
        "works at {object}",
        "does not work at {object}",
        fits=words.employer,
    ),
    work(
        "works_at",
        rf"@is(?:working|employed|interning){_REMOTELY}{_AS} (?:at|for|by) @object",
        "works at {object}",
        "is not working at {object}",
        fits=words.employer,
    ),
    work("works_at", r"@is(?:an?|the) @job (?:at|for) @object", "works at {object}", fits=words.employer),
    work(
        "works_at",
        r"@did(?:(?:got|started|landed|took|accepted) (?:an? )?(?:new )?(?:job|position|role) (?:at|with|for)"
        r"|started (?:working|work) (?:at|for)) @object",
        "works at {object}",
        fits=words.employer,
        changes=True,
    ),
    work("works_at", r"@did(?:joined) @object", "works at {object}", fits=words.named_employer, changes=True),
    work(
        "works_at",
        r"@did(?P<not>left|quit) @object",
        "works at {object}",
        "no longer works at {object}",
        fits=words.named_employer,
        only_denied=True,
    ),
    work(
        "job",
        r"@is(?:an? |the )(?P<object>@job)\b(?! (?:of|fan|and))",
        "'s job is {object}",
        "'s job is not {object}",
    ),
    work(
        "job",
        r"(?:@does(?:works?)(?: (?:at|for) [\w '-]{2,30}?)? as(?: an?)?|@did(?:became) an?) (?P<object>@job)\b",
        "'s job is {object}",
        "'s job is not {object}",
    ),
    work(
        "studies",
        r"@does(?:study|studies|majors?)(?: in)? @object",
        "studies {object}",
        "does not study {object}",
        fits=words.thing,
    ),
    work(
        "studies",
        r"@is(?:studying|majoring)(?: in)? @object",
        "studies {object}",
        "is not studying {object}",
        fits=words.thing,
    ),
    row(
        "speaks",
        r"@does(?:speaks?) (?:fluent |native |some |a little )?"
        r"(?P<object>@language(?:(?:, (?:and )?| and )@language)*)",
        "speaks {object}",
        "does not speak {object}",
        category="skill",
        lists=True,
    ),
    row(
        "learns",
        r"@is(?:learning|taking lessons in) @object",
        "is learning {object}",
        "is not learning {object}",
        category="skill",
        fits=words.subject_matter,
        lists=True,
    ),
)

ROWS = (*TASTES, *LIMITS, *WHEREABOUTS, *WORK)
