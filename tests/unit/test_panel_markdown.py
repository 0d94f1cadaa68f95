"""Markdown in the panel: hostile texts give neither scripts nor pictures nor links that lead elsewhere."""

import re
from html.parser import HTMLParser

import pytest

from apps.panel.markdown import MAX_CHARACTERS, render_markdown

TEXT = {
    "p",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "strong",
    "em",
    "s",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "a",
    "br",
}
ALLOWED = TEXT | {"ul", "ol", "li", "hr", "table", "thead", "tbody", "tr", "th", "td", "div"}
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<div>\n<iframe src='https://evil.example'>\n</div>",
    "<!-- --!><svg/onload=alert(1)> -->",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x) [y](file:///etc/passwd) [z](//evil.example) [w](/panel/language/zh)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](https://evil.example/p.png) ![y](data:image/svg+xml;base64,AA==)",
    '[x](https://e.example "\\" onmouseover=alert(1) x=\\"")',
    '```js" onload="alert(1)\n</code></pre><script>1</script>\n```',
    "| a |\n|:-:|\n| <script>1</script> |",
    "> " * 60 + "<b>deep</b>",
    "".join("  " * depth + "- a\n" for depth in range(60)),
]


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags, self.attributes = set[str](), list[tuple[str, str]]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def read_tags(page: str) -> Tags:
    found = Tags()
    found.feed(page)
    return found


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_gives_nothing_that_runs_loads_or_leads_astray(text: str):
    found = read_tags(render_markdown(text))
    assert found.tags <= ALLOWED
    assert {name for name, _ in found.attributes} <= {"href", "rel", "title", "class", "start"}
    for name, value in found.attributes:
        assert name != "href" or value.startswith(("https://", "http://", "mailto:")), value


def test_links_give_the_page_that_they_lead_to_no_hold_of_ours():
    page = render_markdown("[a](https://a.example) <mailto:b@b.example> https://c.example")
    assert page.count("<a ") == page.count('rel="noopener nofollow"') == 2
    assert 'href="https://a.example"' in page


def test_what_people_write_looks_as_they_meant_it():
    page = render_markdown("# One\n\n#### Two\n\n**bold** and `code`\nnext\n\n| a |\n|--:|\n| 2 |\n\n~~gone~~")
    tags = ("<h2>One", "<h3>Two", "<strong>bold", "<code>code", "<br", '<td class="number">2', "<s>gone")
    assert [each for each in tags if each not in page] == []


def test_the_html_of_a_text_is_shown_as_text():
    assert "As you &lt;i&gt;say&lt;/i&gt;." in render_markdown("As you <i>say</i>.")


@pytest.mark.parametrize("piece", ["[", "*a **a", "![", "[a](", "> ", "`" * 50 + " ", "|a", "a|b\n-|-\n", "<a href='"])
def test_a_long_text_is_not_parsed_and_one_at_the_bound_comes_to_an_end(piece: str):
    longest = (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]
    assert not re.search(r"<(?:script|img|style)", render_markdown(longest))
    beyond = f"{longest}<b>"
    assert render_markdown(beyond).count("<") == 2
