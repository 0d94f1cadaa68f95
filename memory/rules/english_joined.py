"""Second verbs that share a subject: «I live in Berlin and work at BMW» states two things of one person."""

import re

_BASE = (
    r"(?:work|live|love|like|hate|prefer|enjoy|speak|study|play|own|drive|drink|eat|need|come\s+from|intern"
    r"|am|have|was\s+born|grew\s+up|moved|joined|started|quit|left|bought|adopted|used\s+to|plan\s+to|do\s+not|don['’]?t|never"
    r"|can['’]?t|cannot|can)"
)
_THIRD = (
    r"(?:works|lives|loves|likes|hates|prefers|enjoys|speaks|studies|plays|owns|drives|drinks|eats|is|has|comes\s+from|interns"
    r"|was\s+born|grew\s+up|moved|joined|started|quit|left|bought|adopted|used\s+to|plans\s+to|doesn['’]?t|does\s+not|never|can['’]?t"
    r"|cannot)"
)
_JOINT = r",?\s+(?:and|but)(?:\s+(?:then|also|so|now|currently|recently))*(?=\s+{verbs}\s+\S)"
_OF_SPEAKER = re.compile(_JOINT.format(verbs=_BASE), re.IGNORECASE)
_OF_OTHERS = re.compile(_JOINT.format(verbs=_THIRD), re.IGNORECASE)
_GOVERNS = re.compile(
    r"\b(?:to\s+\w+|can|could|will|would|should|must|may|might|let|help|not|never|no\s+longer|\w+n['’]t|who|which|that|where)\b",
    re.IGNORECASE,
)
"""What may govern the second verb as well («I want to live in Rome and work there»), or give it another subject."""
_OWN_FORM = re.compile(
    r"\s+(?:am|have|is|has|was|\w+s|moved|joined|started|quit|left|bought|adopted|used)\s", re.IGNORECASE
)


_TASTE = re.compile(r"\b(?:lov|lik|enjoy|hat|prefer|feel|felt|fan|into)", re.IGNORECASE)
_TASTE_NEXT = re.compile(r"\s+(?:love|like|hate|prefer|enjoy)s?\b", re.IGNORECASE)
"""«The self-acceptance and love theme», «inspired and like I got …»: after a taste these words are no second one."""


def joined(said: str, span: tuple[int, int], *, by_speaker: bool) -> list[tuple[int, int]]:
    """The span of each verb of a clause, the first from its subject on; a verb that may be governed is none."""
    start, end = span
    parts: list[tuple[int, int]] = []
    for joint in (_OF_SPEAKER if by_speaker else _OF_OTHERS).finditer(said, *span):
        if _TASTE_NEXT.match(said, joint.end(), end) and _TASTE.search(said, start, joint.start()):
            continue
        if not _GOVERNS.search(said, start, joint.start()) or _OWN_FORM.match(said, joint.end(), end):
            parts.append((start, joint.start()))
            start = joint.end()
    return [*parts, (start, end)]
