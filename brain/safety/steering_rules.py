"""What text says when it tries to steer its reader; the words of each language are tables.

An ``order`` commands the assistant; one of them may be a quotation or a person's own wish. An ``attack`` is an order
that is hardly ever given for another reason. Every repetition is bounded, so that reading stays linear.
"""

import re
from dataclasses import dataclass
from typing import Literal

from language.tables import pattern_of_all, words_of_all

Kind = Literal["order", "shape", "attack"]


@dataclass(frozen=True)
class SteeringRule:
    """One way of steering. ``name`` lands on the receipt; the pattern runs only where a trigger (lower case) stands."""

    name: str
    kind: Kind
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]


def make_rule(name: str, kind: Kind, triggers: str, *alternatives: str) -> SteeringRule:
    """A rule from alternatives in verbose syntax, without regard to case, ``^`` at every line."""
    pattern = re.compile("|".join(alternatives), re.IGNORECASE | re.MULTILINE | re.VERBOSE)
    return SteeringRule(name, kind, tuple(triggers.split()), pattern)


def _read_rule(name: str, kind: Kind) -> SteeringRule:
    """A rule in the words of every language."""
    triggers = tuple(sorted(words_of_all(f"steering.{name}")))
    return SteeringRule(name, kind, triggers, pattern_of_all(f"steering.{name}"))


_KINDS: dict[str, Kind] = {
    "override_instructions": "attack",
    "mentions_override": "order",
    "reveals_secrets": "order",
    "changes_persona": "order",
    "addresses_assistant": "order",
    "hides_from_user": "order",
    "sends_data_away": "attack",
    "coerces_tool": "order",
}
ORDERS: tuple[SteeringRule, ...] = tuple(_read_rule(name, kind) for name, kind in _KINDS.items())

_OURS = r"""(?:said|belief|user_memor(?:y|ies)|memor(?:y|ies)|knowledge|tool_(?:result|call)s?|turn|earlier|entities
    |guidance|manner|documents?|note|system(?:_prompt)?|instructions?|quoted|summary(?:_of_this_conversation)?
    |organisation)(?:_[0-9a-f]{6})?"""

SHAPES: tuple[SteeringRule, ...] = (
    make_rule(
        "forged_turn",
        "attack",
        "<| <｜ <<sys <start_of_turn>",
        r"<[|｜]\s*(?:im_start|start_header_id)\s*[|｜]>\s*(?:system|developer)\b|<[|｜]\s*(?:system|developer)\s*[|｜]>",
        r"<<sys>>|<start_of_turn>\s*(?:system|model)\b",
    ),
    make_rule(
        "chat_template",
        "shape",
        "<| <｜ inst] sys>> _of_turn> </s> ## ",
        r"<[|｜][\w▁\x20]{1,40}[|｜]>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</s>",
        r"^\#{2,4}\s*(?:system|instructions?|assistant|human|response)\s*(?:prompt|message)?\s*:",
    ),
    _read_rule("role_marker", "shape"),
    make_rule(
        "memory_tag",
        "shape",
        "< ＜ ‹ «",
        rf"[<＜‹«]\s{{0,4}}[/／]?\s{{0,4}}{_OURS}\b[^<>＜＞‹›«»\n]{{0,300}}[>＞›»]?",
    ),
    make_rule(
        "tool_call_lookalike",
        "shape",
        "arguments parameters input args tool_call function_call tool_use invoke",
        r"\{\s{0,9}\"(?:name|function|tool)\"\s{0,9}:\s{0,9}\"[\w.-]{1,64}\"\s{0,9},\s{0,9}\"(?:arguments|parameters|input|args)\"",
        r"\"(?:tool_calls|function_call|tool_use)\"\s{0,9}:",
        r"<\s{0,4}/?(?:invoke|function_calls?|[a-z]{1,12}:(?:invoke|function_calls))\b[^<>\n]{0,200}>?",
    ),
    make_rule(
        "active_content",
        "shape",
        "< javascript: data:text",
        r"<\s{0,4}/?\s{0,4}(?:script|iframe|object|embed|svg|img)\b[^<>]{0,300}>?",
        r"\bjavascript\s{0,3}:\s{0,3}\w|\bdata:text/html",
    ),
    make_rule(
        "sql_statement",
        "shape",
        "drop delete truncate union insert update alter '",
        r"""(?:[;'\")]\s{0,4}|^|\b)(?:drop\s+(?:table|database|schema|role)|delete\s+from|truncate\s+table|insert\s+into
        |alter\s+(?:table|role))\s+[\w.\"*]{1,64}[^;\n]{0,200}?(?:;|--)""",
        r"[;'\")]\s{0,4}(?:drop\s+(?:table|database|schema)|delete\s+from|truncate\s+table|update\s+\w{1,64}\s+set)\s",
        r"\bunion\s+(?:all\s+)?select\b\s+[\w*',\s]{1,80}?\bfrom\b",
        r"'\s{0,4}(?:or|and)\s{0,4}'?(?:1|a|x|true)'?\s{0,4}=\s{0,4}'?(?:1|a|x|true)\b",
    ),
    make_rule(
        "shell_command",
        "shape",
        "rm curl wget __import__ eval powershell",
        r"\brm\s+-[a-z]{1,4}\s+[/~*]|\b(?:curl|wget)\s[^\n|]{1,300}\|\s{0,4}(?:sudo\s+)?(?:ba|z|da)?sh\b",
        r"\b__import__\s{0,3}\(|\beval\s{0,3}\(\s{0,3}(?:base64|atob)|\bpowershell(?:\.exe)?\s+-e(?:nc|ncodedcommand)?\b",
    ),
)
