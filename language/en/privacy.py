"""English words for what is other people's own affair, and for why it matters to the speaker."""

from language.patterns import PrivacyWords, compile_any

WORDS = PrivacyWords(
    private=compile_any(
        r"\b(?:cancer|tumou?r|leuk(?:a)?emia|chemo(?:therapy)?|hiv|aids|hepatitis|std|sti|herpes|epilep\w+|diabet\w+|parkinson\w*|alzheimer\w*"
        r"|dementia|bipolar|schizophreni\w+|depress(?:ed|ion|ive)|anorexi\w+|bulimi\w+|eating\s+disorder|suicid\w+|self-?harm\w*|psychiatr\w+"
        r"|rehab|alcoholic|alcoholism|addict(?:ed|ion)?|overdos\w+|miscarr\w+|abortion|infertil\w+|ivf|pregnan\w+|impoten\w+|stroke"
        r"|heart\s+attack|diagnos\w+|terminally\s+ill|burn-?out|autis\w+|adhd|ptsd|transplant|surgery|operation|seizures?"
        r"|affair|cheat(?:ed|ing|s)?|divorc\w+|gay|lesbian|bisexual|trans(?:gender)?|closeted|in\s+debt|bankrupt\w*|gambl\w+|prison|jail"
        r"|arrested|convicted|fired|undocumented|salary|earns)\b"
    ),
    confided=compile_any(
        r"\b(?:don['’]?t|do\s+not|never)\s+tell\s+(?:any|my|him|her|them|the)|\b(?:told\s+me|said|confided|admitted)\s+(?:\w+\s+){0,3}?"
        r"(?:in\s+confidence|in\s+private|secretly)|\bconfided\b|\bbetween\s+(?:you\s+and\s+me|us)\b|\b(?:is|it['’]s|was|a)\s+(?:a\s+)?secret\b"
        r"|\bnobody\s+(?:else\s+)?(?:knows|is\s+supposed\s+to)\b|\bkeep\s+it\s+(?:quiet|secret)\b|\bhush-hush\b"
    ),
    matters=compile_any(
        r"\b(?:so|because|since|which\s+is\s+why|that['’]?s\s+why|which\s+means|that\s+means|means\s+that)\b[^.!?\n]{0,60}?\b(?:i|i['’]\w+|me|my|we|our|us)\b",
        r"\b(?:i|we)(?:['’](?:m|re|ll|ve|d))?\s+(?:\w+\s+){0,3}?(?:car(?:e|ing)|look(?:ing)?\s+after|drive|driving|take|taking|help(?:ing)?|cook(?:ing)?"
        r"|cover(?:ing)?|visit(?:ing)?|worr(?:y|ied)|need|have\s+to|must|can['’]?t|avoid(?:ing)?|support(?:ing)?|rais(?:e|ing)|pay(?:ing)?|stand(?:ing)?\s+in"
        r"|fill(?:ing)?\s+in|took|took\s+over|taking\s+over|scared|afraid)\b",
    ),
    near=compile_any(
        r"\b(?:wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fianc\w+|daughters?|sons?|kids?|child(?:ren)?|baby|twins?|sisters?|brothers?|siblings?"
        r"|mother|mom|mum|mam|mama|father|dad|papa|parents|folks|grand\w+|gran(?:ny|dad)?|nan(?:a|ny)?|missus|hubby|dogs?|cats?|pupp\w+|kittens?|rabbits?"
        r"|hamsters?|parrots?|horses?|pony|tortoise|in-?laws?|aunt\w*|uncle|nephew|niece|cousins?|step\w+|god\w+|bro|sis)\b"
    ),
)
