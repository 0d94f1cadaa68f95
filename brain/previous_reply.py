"""What was said right before the newest words of a person."""

from langchain_core.messages import AIMessage, HumanMessage

from brain.state import OpenTurn


def previous_reply(state: OpenTurn) -> str:
    """The words of Brain's reply; empty where the person spoke last, or first."""
    earlier = [each for each in state.messages[:-1] if isinstance(each, AIMessage | HumanMessage)]
    return earlier[-1].text if earlier and isinstance(earlier[-1], AIMessage) else ""


def previous_words(state: OpenTurn, most: int) -> list[str]:
    """The person's last messages before the newest one, up to so many, in order."""
    return [str(each.text) for each in state.messages[:-1] if isinstance(each, HumanMessage)][-most:]
