"""In which language a turn is answered."""

from langchain_core.messages import HumanMessage

from brain.state import OpenTurn
from language.detection import Language, language_of


def turn_language(state: OpenTurn) -> Language:
    """That of the person's newest words: a picture has none, and is answered as the message before it."""
    window = state.opened.window if state.opened else ()
    logged = (event.text for event in reversed(window) if event.role == "user")
    spoken = (message.text for message in reversed(state.messages) if isinstance(message, HumanMessage))
    return language_of(next((text for text in (state.turn["text"], *spoken, *logged) if text.strip()), ""))
