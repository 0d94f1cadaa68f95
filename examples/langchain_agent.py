"""An agent of LangChain's that remembers: its middleware recalls before the model and captures behind it.

Needs ``brain serve``, ``pip install './client[langchain]' langchain-openai`` and ``OPENAI_API_KEY``.
"""

import os
from typing import Any

from brain_memory import BrainClient
from brain_memory.langchain import BrainMiddleware
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver


@tool
def send_postcard(to: str, text: str) -> str:
    """Send a postcard."""
    return f"A postcard is on its way to {to}."


def build_agent(model: str | BaseChatModel, client: BrainClient) -> Any:
    """An agent with one tool, which does not run on what only memory says."""
    return create_agent(
        model,
        [send_postcard],
        system_prompt="You are a friendly travel agent.",
        middleware=[BrainMiddleware(client)],
        checkpointer=InMemorySaver(),
    )


def main() -> None:
    """Chat until an empty line."""
    with BrainClient("http://127.0.0.1:8123", key=os.environ.get("BRAIN_KEY", "")) as client:
        agent = build_agent("openai:gpt-4.1-mini", client)
        while said := input("> "):
            asked = {"messages": [{"role": "user", "content": said}]}
            state = agent.invoke(asked, {"configurable": {"thread_id": "trip"}})
            print(state["messages"][-1].text)


if __name__ == "__main__":
    main()
