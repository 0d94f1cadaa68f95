"""How English questions ask: about whom, for what anybody could know, and the words that name nothing."""

import re

PERSONAL = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours)\b", re.IGNORECASE
)
"""The one who asks."""
FOR_ME = re.compile(
    r"\b(?:give|tell|write|show|make|find|teach|help|draw|get) (?:me|us)\b(?! (?:about|what i|where i|when i))",
    re.IGNORECASE,
)
"""For whom a task is done."""
TOLD = re.compile(
    r"\b(?:did|have|had|has|were|was) you\b|\byou(?:['’]d|['’]ve)? (?:\w+ly )?(?:had |have )?(?:said|say|told|tell"
    r"|recommend\w*|suggest\w*|gave|give|list\w*|propos\w*|wrote|mention\w*|warn\w*|advis\w*|nam\w*|plann\w*|describ\w*"
    r"|put|ranked|set|used|compar\w*|call\w*|quot\w*|rat\w*|pick\w*|estimat\w*|calculat\w*|explain\w*|show\w*)\b"
    r"|\b(?:according to |in |from |of |by )?your (?:own )?(?:plan|list|recipe|advice|table|schedule|suggestion"
    r"|estimate|ranking|answer|guide|reply|draft|route|version|explanation|example|comparison|notes?|tips?|code|query"
    r"|script|itinerary|recommendations?)\b",
    re.IGNORECASE,
)
"""What the assistant said."""
_POLITE = r"^(?:(?:please|hey|ok|so|and)[,\s]+)*(?:(?:can|could|would) you (?:please )?)?"
GENERAL = re.compile(
    rf"{_POLITE}(?:write|translate|convert|explain|solve|tell (?:me|us) an?\b|name \w+|give me an?\b|draft|say|make up"
    r"|compose|calculate|define|summari[sz]e|spell|describe|list (?:\w+ )?(?:rivers|countries|ways|words|ideas)"
    r"|how (?:do|does|is|are|to|can|would) |what (?:is|are|does|do) |what['’]?s (?:the|a|an|\d)|why (?:do|does|is|are) "
    r"|who (?:invented|discovered|wrote|painted|built|composed|founded) "
    r"|which (?:\w+ ){1,2}(?:is|are|has|have|borders?) "
    r"|in (?:what|which) year|what (?:\w+ ){1,3}(?:do|does|is|are) "
    r"|how (?:tall|high|many|long|much|far|deep|big|fast|old|heavy)(?: \w+){0,2} (?:is|are|does|do|can) )",
    re.IGNORECASE,
)
"""A task, or the present tense of what holds for everybody."""
_EMPTY = """
    name named called call much many kind sort tell told say said do did does doing done get got go goes
    went have had has make made take took give gave use used one time thing things day year like want
    come came put let know mention mentioned plan old new become became still now currently exactly end
    finally
"""
EMPTY = frozenset(_EMPTY.split())
"""Words that name nothing by which a memory could be known."""
