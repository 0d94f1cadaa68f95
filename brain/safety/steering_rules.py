"""What text says when it tries to steer its reader, Chinese and English.

An ``order`` commands the assistant; one of them may be a quotation or a person's own wish. An ``attack`` is an order
that is hardly ever given for another reason. Every repetition is bounded, so that reading stays linear.
"""

import re
from dataclasses import dataclass
from typing import Literal

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


_DROP = r"""(?:ignore|disregard|forget|override|bypass|discard|skip|set\s+aside|pay\s+no\s+attention\s+to
    |(?:do\s+not|don['’]t|stop)\s+follow(?:ing)?)"""
_EARLIER = r"""(?:previous|prior|above|earlier|preceding|foregoing|existing|current|system|developer|safety|security
    |initial|original)"""
_ORDERS = r"""(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|guardrails?
    |programming|training)"""
_CLAUSE = r"""(?:^|[.!?;\n>\]*\#|，。！？；：]
    |\b(?:please|now|kindly|immediately|you(?:\s+(?:must|should|will|shall|can|have\s+to|need\s+to))?)\b)
    \s{0,9}(?:(?:please|now|immediately|first|kindly),?\s+)?"""
_OF_ALL = r"(?:(?:all|any|every|each)\s+)?(?:of\s+)?(?:(?:the|your|these|those|its)\s+)?"

_DROP_ZH = (
    r"""(?:忽略|无视|忘记|忘掉|抛弃|丢弃|不要?再?(?:理会|遵守|遵循|执行|听从)|不用管|别管|绕过|覆盖|跳过)(?:掉|了)?"""
)
_WHICH_ZH = r"""(?:(?:你|您|的|以上|上面|上述|之前|先前|前面|此前|以前
    |所有|全部|一切|任何|系统|安全|原有|既有|预设|给|收到|这些|那些){1,6})"""
_ORDERS_ZH = r"(?:指令|指示|提示词?|规则|设定|约束|命令|限制|准则|prompt)"
_SECRET = r"""(?:system\s+(?:prompt|message)
    |(?:hidden|initial|secret|original|internal)\s+(?:instructions?|prompts?|rules?)|developer\s+message|safety\s+contract)"""
_TOOL = r"(?:memory_append|memory_search|search_events|soul_\w{4,8}|get_profile|search_profiles)"
_ADDRESS = r"(?:https?://|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.)"

ORDERS: tuple[SteeringRule, ...] = (
    make_rule(
        "override_instructions",
        "attack",
        "instruction prompt rule guideline direction directive command constraint guardrail programming training",
        rf"{_CLAUSE}{_DROP}\s+{_OF_ALL}(?:\w+\s+)?{_EARLIER}\s+(?:(?:and|or)\s+\w+\s+|\w+\s+)?{_ORDERS}\b",
        rf"{_CLAUSE}{_DROP}\s+(?:all|any|every)\s+(?:of\s+)?(?:(?:the|your)\s+)?(?:instructions?|guidelines?|guardrails?)\b",
    ),
    make_rule(
        "override_instructions",
        "attack",
        "everything anything",
        rf"""{_CLAUSE}{_DROP}\s+(?:everything|anything)\s+(?:that\s+)?(?:above|before\s+this|prior|said\s+before|written\s+above
        |you\s+(?:were|have\s+been|['’]ve\s+been)\s+(?:told|taught|instructed))""",
    ),
    make_rule(
        "override_instructions",
        "attack",
        "指令 指示 提示 规则 设定 约束 命令 限制 准则 prompt",
        rf"(?:^|[，。！？；、\s>\]]|请你?|现在|立刻|马上|必须|应该|接下来|首先|你要)\s{{0,9}}{_DROP_ZH}{_WHICH_ZH}{_ORDERS_ZH}",
    ),
    make_rule(
        "mentions_override",
        "order",
        "instruction prompt rule guideline directive guardrail programming 指令 指示 提示 规则 约束 限制 准则",
        rf"\b{_DROP}\s+(?:\w+\s+){{0,3}}?{_EARLIER}\s+(?:\w+\s+)?{_ORDERS}\b",
        rf"{_DROP_ZH}{_WHICH_ZH}{_ORDERS_ZH}",
    ),
    make_rule(
        "reveals_secrets",
        "order",
        "prompt instruction message rule contract 提示 指令 契约",
        rf"\b(?:reveal|print|show|repeat|output|leak|disclose|display|dump|expose|tell|recite|send)\b(?:\s+\w+){{0,4}}?\s+{_SECRET}",
        r"""(?:输出|透露|泄露|打印|告诉|显示|重复|说出|公开|发送|交出).{0,8}
        (?:系统提示|提示词|初始指令|隐藏指令|系统指令|内部指令|安全契约)""",
    ),
    make_rule(
        "changes_persona",
        "order",
        "you jailbreak dan unrestricted unfiltered 你 您 模式 扮演 假装",
        r"""\b(?:from\s+now\s+on|henceforth|starting\s+now),?\s+you\s+(?:are|will|must|should|shall|have\s+to|may\s+not)\b""",
        r"""\byou(?:\s+are|['’]re)\s+(?:now|no\s+longer)\s+(?:an?\s+|in\s+)?(?:assistant|ai|chatbot|bound|restricted|dan
        |unrestricted|unfiltered|jailbroken|developer|debug|maintenance|root|admin|evil)\b""",
        r"\b(?:act|behave|respond|answer)\s+as\s+(?:if\s+you\s+ha(?:ve|d)\s+no|an?\s+(?:unrestricted|unfiltered|jailbroken|evil))\b",
        r"\bpretend\s+(?:that\s+)?you\s+(?:have\s+no|are\s+not|aren['’]t|are\s+(?:an?\s+)?(?:unrestricted|unfiltered|evil))\b",
        r"\b(?:enter|enable|activate|switch\s+to)\s+(?:dan|jailbreak|god|unrestricted)\s+mode\b",
        r"(?:从现在(?:起|开始)|从此|接下来)[，,]?.{0,2}(?:你|您)(?:是|将|必须|只能|要|不再|就是)",
        r"你现在(?:是|处于|已?进入).{0,8}(?:没有任?何?限制|不受任?何?限制|无限制|开发者|越狱|DAN|管理员|调试)",
        r"(?:进入|开启|启用|切换到)(?:开发者|越狱|无限制|上帝|DAN)模式|(?:假装|扮演).{0,6}(?:没有|不受)(?:任何)?(?:限制|规则|约束)",
    ),
    make_rule(
        "addresses_assistant",
        "order",
        "assistant ai model chatbot llm instruction directive 助手 模型 机器人 人工智能 指令 指示",
        r"^\W{0,4}(?:(?:important|urgent|new|updated|critical|hidden)\s+){1,2}(?:system\s+)?(?:instructions?|directives?)\b",
        r"""\b(?:instructions?|note|message|directive)\s+(?:for|to)\s+(?:(?:the|any|all)\s+)?
        (?:ais?|assistants?|chatbots?|llms?|language\s+models?)\b""",
        r"""\b(?:ai|assistant|language\s+model|chatbot|llm)s?,?\s+(?:reading\s+this,?\s+)?
        (?:must|should|shall|(?:is|are)\s+(?:required|instructed|ordered)\s+to)\s+(?:now|always|never|immediately|not)\b""",
        r"""^\W{0,4}(?:assistant|chatbot)\s*[:,：，]\s*
        (?:from\s+now|always|never|you|please|do|don['’]t|send|call|delete|forget|ignore)\b""",
        r"(?:重要|紧急|新的?|最新|隐藏)(?:系统)?(?:指令|指示)\s*[:：]|(?:给|致)(?:AI|人工智能|助手|模型|机器人)的(?:指令|指示)",
        r"(?:AI|人工智能|助手|模型|机器人)(?:看到|读到|阅读).{0,12}(?:必须|务必|应当)",
        r"(?:AI|人工智能|助手|模型|机器人)(?:必须|务必|应当)(?:立即|始终|永远|总是|不)",
    ),
    make_rule(
        "hides_from_user",
        "order",
        "user human 用户 使用者",
        r"""\b(?:do\s+not|don['’]t|never|without)\s+(?:\w+\s+){0,2}?(?:tell|inform|mention|reveal|notif|alert|show)\w{0,4}\s+
        (?:\w+\s+){0,3}?(?:user|human)\b""",
        r"\b(?:hide|conceal|keep)\s+(?:this|it|that)\s+(?:hidden\s+|secret\s+)?from\s+the\s+(?:user|human)\b",
        r"(?:不要|别|不得|不能|切勿|勿)(?:告诉|让|通知|提醒|透露给|告知)(?:用户|使用者)|(?:瞒着|背着)用户",
    ),
    make_rule(
        "sends_data_away",
        "attack",
        "http:// https:// @ www.",
        rf"""\b(?:send|post|upload|forward|transmit|exfiltrate|e-?mail|leak|submit|append|copy)\s+
        (?:(?:all|every|each|the|your|their|any|this|entire|whole|full|of|user['’]?s?)\s+){{1,4}}(?:\w+\s+){{0,2}}?
        (?:memor(?:y|ies)|conversations?|history|data|secrets?|passwords?|credentials?|tokens?|prompts?|chats?|context|answers?
        |repl(?:y|ies))\b.{{0,40}}?\b(?:to|at|into|via)\s+.{{0,20}}?{_ADDRESS}""",
        rf"""[把将].{{0,12}}(?:记忆|对话|聊天记录|消息|数据|密码|密钥|提示词|资料|隐私|信息|回答|回复).{{0,10}}
        (?:发|发送|上传|转发|提交|泄露)[到给至].{{0,12}}?{_ADDRESS}""",
    ),
    make_rule(
        "coerces_tool",
        "order",
        "memory_ search_ soul_ get_profile tool function 工具 函数",
        rf"\b(?:call|invoke|run|use|execute|trigger)\s+(?:the\s+)?(?:(?:tool|function)\s+)?[`'\"]?{_TOOL}\b",
        r"\b(?:must|always|immediately|now)\s+(?:call|invoke|execute|run)\s+(?:the\s+)?[`'\"]?\w{2,40}[`'\"]?\s+(?:tool|function)\b",
        rf"(?:调用|执行|运行|使用)\s*(?:工具|函数)?\s*[`'\"]?{_TOOL}",
        r"(?:必须|立即|马上|务必)(?:调用|执行)\s*[`'\"]?\w{0,40}[`'\"]?\s*(?:工具|函数)",
    ),
)


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
    make_rule(
        "role_marker",
        "shape",
        "system assistant developer user human 系统 助手 用户 开发者",
        r"""^[^\w\n]{0,6}(?:system|assistant|developer)(?:\s(?:prompt|message|note|override|instruction))?["'*)\]】]{0,3}
        \s{0,3}[:：]""",
        r"^[^\w\n]{0,6}(?:系统|助手|开发者)(?:提示词?|消息|指令|设定)?[\"'*)\]】]{0,3}\s{0,3}[:：]",
        r"\n\s{0,6}(?:user|human|用户)\s{0,3}[:：]",
        r"\"role\"\s{0,3}:\s{0,3}\"(?:system|assistant|developer|tool|user)\"",
    ),
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
