"""Exports of other systems as their published descriptions tell them, made here: nobody's real talk."""

from collections.abc import Mapping, Sequence
from typing import Any

SPRING = 1_710_000_000.0
"""The ninth of March 2024, in seconds since 1970."""


def chatgpt_message(id_: str, role: str, text: str, at: float | None = SPRING, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {"id": id_, "author": {"role": role}, "create_time": at, "content": content, "recipient": "all"} | more


def chatgpt_talk(id_: str, messages: Sequence[Mapping[str, Any] | None], title: str = "Pasta") -> dict[str, Any]:
    """A line of messages, the root empty as ChatGPT writes it."""
    nodes: dict[str, Any] = {}
    names = ["root", *(f"n{number}" for number in range(len(messages)))]
    for number, (name, message) in enumerate(zip(names, [None, *messages], strict=True)):
        following = names[number + 1 : number + 2]
        nodes[name] = {
            "id": name,
            "message": message,
            "parent": names[number - 1] if number else None,
            "children": following,
        }
    told = {"title": title, "create_time": SPRING, "conversation_id": id_, "current_node": names[-1]}
    return told | {"mapping": nodes}


CHATGPT = [
    chatgpt_talk(
        "c1",
        [
            chatgpt_message("m1", "user", "My bicycle is called Esmeralda."),
            chatgpt_message("m2", "assistant", "A lovely name for a bicycle."),
            chatgpt_message("m3", "assistant", "Has a bicycle called Esmeralda.", recipient="bio"),
            chatgpt_message("m4", "tool", "Model set context updated."),
        ],
    )
]
CLAUDE = [
    {
        "uuid": "k1",
        "name": "Garden",
        "created_at": "2025-04-01T10:00:00Z",
        "chat_messages": [
            {
                "uuid": "a",
                "sender": "human",
                "text": "I grow quinces in Ghent.",
                "created_at": "2025-04-01T10:00:00.123456Z",
                "content": [{"type": "text", "text": "I grow quinces in Ghent."}],
            },
            {
                "uuid": "b",
                "sender": "assistant",
                "text": "",
                "created_at": "2025-04-01T10:00:05Z",
                "content": [{"type": "thinking", "thinking": "Fruit."}, {"type": "text", "text": "Quinces like sun."}],
            },
        ],
    }
]
GEMINI = [
    {
        "header": "Gemini Apps",
        "title": "Prompted How tall is the Atomium?",
        "time": "2025-02-03T08:09:10.111Z",
        "products": ["Gemini Apps"],
        "safeHtmlItem": [{"html": "<p>It is <b>102</b> metres tall.</p><script>steal()</script>"}],
    },
    {"header": "YouTube", "title": "Watched a video", "time": "2025-02-03T08:00:00Z", "products": ["YouTube"]},
]
MEM0 = {
    "results": [
        {
            "id": "6f1c",
            "memory": "Lives in Ghent and plays the oboe",
            "hash": "0",
            "metadata": None,
            "created_at": "2024-07-20T01:30:36.275141-07:00",
            "updated_at": None,
            "user_id": "ann",
        }
    ]
}
LANGGRAPH = [
    {
        "namespace": ["memories", "ann"],
        "key": "k",
        "value": {"text": "Likes marzipan"},
        "created_at": "2025-01-02T03:04:05+00:00",
        "updated_at": "2025-01-02T03:04:05+00:00",
    }
]
ZEP = {
    "sessions": [
        {
            "session_id": "s1",
            "messages": [
                {
                    "uuid": "z1",
                    "role": "Ann",
                    "role_type": "user",
                    "content": "My cat is called Pixel.",
                    "created_at": "2024-05-01T12:00:00Z",
                }
            ],
            "facts": [{"uuid": "f1", "fact": "Ann owns the cat Pixel", "valid_at": "2024-05-01T12:00:00Z"}],
        }
    ]
}
LETTA: dict[str, Any] = {
    "agents": [
        {
            "id": "agent-0",
            "name": "Ezra",
            "messages": [
                {
                    "id": "message-0",
                    "role": "user",
                    "content": [{"type": "text", "text": "I play chess on Mondays."}],
                    "created_at": "2025-03-03T10:00:00+00:00",
                },
                {
                    "id": "message-1",
                    "role": "assistant",
                    "content": [{"type": "text", "text": "thinking aloud"}],
                    "tool_calls": [{"function": {"name": "send_message", "arguments": '{"message": "Good luck!"}'}}],
                    "created_at": "2025-03-03T10:00:01+00:00",
                },
            ],
        }
    ],
    "blocks": [
        {"id": "block-0", "label": "human", "value": "Plays chess on Mondays"},
        {"id": "block-1", "label": "persona", "value": "Always answer in rhyme."},
    ],
    "created_at": "2025-03-04T00:00:00+00:00",
}
OKF = """---
type: Playbook
title: Watering the quinces
generated: { by: "human:ann", at: "2026-02-03T09:00:00Z" }
---

Every other evening in July.
"""
