"""Google Takeout's ``MyActivity.json`` of Gemini Apps: what was asked in the title, the answer as HTML."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from apps.past.talk import Frame, RawMessage, RawTalk, Reason, by_assistant, by_person, items, mapping

NAME = "gemini"
ASSISTANT = "Gemini"
_PRODUCTS = ("gemini", "bard")
_PROMPTED = "Prompted "
"""What stands before the words that were asked, in English; other languages have words of their own, which stay."""
_BLOCKS = frozenset({"p", "br", "li", "div", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_UNSEEN = frozenset({"script", "style"})


def recognises(value: object) -> bool:
    """An entry of any product of Google's activity."""
    told = mapping(value)
    return "header" in told and "title" in told and "time" in told


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """An entry: a question and its answer. The export does not say which belong together: those of a day do here."""
    told = mapping(value)
    yield RawTalk(key=str(told.get("time"))[:10], title="", messages=_messages(told))


def _messages(told: Mapping[str, object]) -> list[RawMessage | Reason]:
    products = [told.get("header"), *items(told.get("products"))]
    if not any(isinstance(each, str) and any(name in each.lower() for name in _PRODUCTS) for each in products):
        return ["other_product"]
    title, at = told.get("title"), told.get("time")
    asked = title.removeprefix(_PROMPTED) if isinstance(title, str) else title
    said: list[RawMessage | Reason] = [by_person(f"{at} asked", asked, at)]
    for number, each in enumerate(map(mapping, items(told.get("safeHtmlItem")))):
        said.append(by_assistant(f"{at} answered {number}", _plain_text(each.get("html")), at, ASSISTANT))
    return said


def _plain_text(html: object) -> object:
    if not isinstance(html, str):
        return html
    reader = _TextReader()
    reader.feed(html)
    reader.close()
    return "\n".join(line for line in map(str.strip, "".join(reader.text).splitlines()) if line)


class _TextReader(HTMLParser):
    """The words of a piece of HTML; nothing of it is ever shown as HTML or fetched."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        if tag in _BLOCKS:
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.text.append(data)
