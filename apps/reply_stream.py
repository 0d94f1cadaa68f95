"""Streams the words of a reply to a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

OnToken = Callable[[str], None]
_SPEAKERS = ("respond", "open_session")
"""The nodes that tell replies: new ones, and the one to a message that came again."""


@dataclass
class ReplyStream:
    """Those of the reply, each once."""

    on_token: OnToken
    heard: set[str] = field(default_factory=set[str])

    def take(self, message: BaseMessage, metadata: Mapping[str, Any]) -> None:
        """Pass on a piece of the reply; a whole message only when its pieces did not come by before."""
        if metadata.get("langgraph_node") not in _SPEAKERS or not isinstance(message, AIMessage) or not message.text:
            return
        if isinstance(message, AIMessageChunk):
            self.heard.add(message.id or "")
        elif (message.id or "") in self.heard:
            return
        self.on_token(message.text)
