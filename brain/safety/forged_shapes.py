"""Forms that belong to the model's format, to our own tags or to machines, not to anybody's memory."""

from brain.safety.steering_rules import SteeringRule, make_rule

_OURS = r"""(?:said|belief|user_memor(?:y|ies)|memor(?:y|ies)|knowledge|tool_(?:result|call)s?|turn|earlier|entities
    |guidance|manner|documents?|system(?:_prompt)?|instructions?|quoted|summary(?:_of_this_conversation)?
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
