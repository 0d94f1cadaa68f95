"""Chinese headings of the documents about a person."""

from collections.abc import Mapping

from language.kinds import Topic

TOPICS: Mapping[Topic, str] = {
    "name": "姓名",
    "birth": "生日与年龄",
    "home": "住处",
    "origin": "籍贯",
    "work": "工作",
    "study": "学习",
    "family": "家人",
    "partner": "伴侣",
    "friends": "朋友",
    "pet": "宠物",
    "health": "健康",
    "diet": "饮食禁忌",
    "food": "吃的",
    "drink": "喝的",
    "leisure": "爱好",
    "media": "书、影视、音乐、游戏",
    "travel": "旅行",
    "belongings": "物品",
    "money": "钱",
    "skill": "技能",
    "routine": "作息",
    "belief": "看法",
    "answers": "回答方式",
    "contact": "联系方式",
    "appearance": "外貌",
    "other": "其他",
}
SECTIONS = {
    "decision": "决定",
    "todo": "待办",
    "plan": "计划",
    "pattern": "常提起的事",
    "memory": "记住的事",
}
QUOTES = ("“", "”")
RECURRING = "{topic}：{days} 天里提到"
"""A subject that comes up again and again."""
