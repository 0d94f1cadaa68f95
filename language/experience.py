"""How an agent's lessons are told: a sentence of ours around names of tools and codes."""

from language.tables import Language, text


def tell_lesson(lesson: str, language: Language) -> str:
    """The sentence of ``retry:TOOL:CODE``, ``instead:TOOL:CODE:OTHER`` or ``corrected:TOOL``; empty for others."""
    form, *names = lesson.split(":")
    match form, len(names):
        case "retry", 2:
            return text("experience.retry", language).format(tool=names[0], code=names[1])
        case "instead", 3:
            return text("experience.instead", language).format(tool=names[0], code=names[1], other=names[2])
        case "corrected", 1:
            return text("experience.corrected", language).format(tool=names[0])
        case _:
            return ""
