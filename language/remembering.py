"""What a polite question asks to be remembered ("can you remember that I hate olives?")."""

from dataclasses import replace

from language.detection import language_of
from language.statements import Statement, read_sentence
from language.tables import patterns_of


def find_asked_clause(statement: Statement) -> Statement | None:
    """The clause that a question asks to remember; None where it asks for what is known ("can you remember my name?").

    It stands where it was said in its turn.
    """
    found = patterns_of("requests", language_of(statement.text)).politely_remembers.match(statement.text)
    if found is None:
        return None
    clause = read_sentence(found["stated"])
    if clause.kind in ("question", "task", "not_real") or not clause.is_memorable:
        return None
    return replace(clause, start=statement.start + found.start("stated"), end=statement.start + found.end("stated"))
