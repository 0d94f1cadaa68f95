"""Markdown of replies and documents as HTML of which nothing runs, loads, or leads anywhere but to the web and mail."""

import re
from collections.abc import Sequence
from itertools import chain

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

MAX_CHARACTERS = 30_000
"""Of a text that is read as Markdown; a longer one is shown as it was written."""
_LINKS = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_FIRST_HEADING = 2
"""The page itself has the first."""


def render_markdown(text: str) -> Markup:
    """The text as HTML. HTML in it is shown as text, a picture as its link, a link to anything else as words."""
    if len(text) > MAX_CHARACTERS:
        return Markup('<div class="plain">{}</div>').format(text)
    try:
        tokens = _PARSER.parse(text)
    except RecursionError:
        return Markup('<div class="plain">{}</div>').format(text)
    _shift_headings(tokens)
    _mark_links(tokens)
    _align_numbers(tokens)
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}))


def _make_parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True, "maxNesting": 20})
    made.enable(["table", "strikethrough"])
    made.disable(["image", "html_block", "html_inline"])
    made.validateLink = lambda url: bool(_LINKS.match(url.strip()))
    return made


def _shift_headings(tokens: Sequence[Token]) -> None:
    """Below the heading of the page, and none deeper than one below the heading before it."""
    last = _FIRST_HEADING - 1
    for token in tokens:
        if token.type == "heading_open":
            last = min(int(token.tag[1]) + _FIRST_HEADING - 1, last + 1, 6)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{last}"


def _mark_links(tokens: Sequence[Token]) -> None:
    """The page that a link leads to gets no hold of ours, and no credit."""
    for token in chain.from_iterable(each.children or () for each in tokens):
        if token.type == "link_open":
            token.attrSet("rel", "noopener nofollow")


def _align_numbers(tokens: Sequence[Token]) -> None:
    """By a class: the panel's pages allow no inline style."""
    for token in tokens:
        style = token.attrs.pop("style", "")
        if style == "text-align:right":
            token.attrSet("class", "number")


_PARSER = _make_parser()
