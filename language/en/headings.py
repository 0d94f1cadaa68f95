"""English headings of the documents about a person."""

from collections.abc import Mapping

from language.kinds import Topic

TOPICS: Mapping[Topic, str] = {
    "name": "Name",
    "birth": "Birthday and age",
    "home": "Home",
    "origin": "Origin",
    "work": "Work",
    "study": "Studies",
    "family": "Family",
    "partner": "Partner",
    "friends": "Friends",
    "pet": "Pets",
    "health": "Health",
    "diet": "Diet",
    "food": "Food",
    "drink": "Drinks",
    "leisure": "Leisure",
    "media": "Books, films, music, games",
    "travel": "Travel",
    "belongings": "Belongings",
    "money": "Money",
    "skill": "Skills",
    "routine": "Routine",
    "belief": "Views",
    "answers": "How to answer",
    "contact": "Contact",
    "appearance": "Appearance",
    "other": "Other",
}
SECTIONS = {
    "decision": "Decisions",
    "todo": "To do",
    "plan": "Plans",
    "pattern": "What keeps coming up",
    "memory": "Remembered",
}
QUOTES = ('"', '"')
RECURRING = "{topic}: spoken of on {days} days"
"""A subject that comes up again and again."""
