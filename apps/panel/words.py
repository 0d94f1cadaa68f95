"""The panel's own words in English and Chinese: one dictionary per language, with the same keys."""

import json
from collections.abc import Mapping
from importlib.resources import files

from starlette.requests import Request

from language.detection import DEFAULT, Language
from language.receipts import KINDS, receipt_word
from language.tables import languages

LANGUAGES = languages()
LANGUAGE_COOKIE = "brain_panel_language"

WORDS: Mapping[Language, Mapping[str, str]] = {
    each: json.loads(files("apps.panel").joinpath(f"words/{each}.json").read_text("utf-8")) for each in LANGUAGES
}


def language_for(request: Request) -> Language:
    """What the person chose, or else what the browser prefers, or else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    wanted = [chosen, *_preferred(request.headers.get("accept-language", ""))]
    return next((name for name in wanted if name in LANGUAGES), DEFAULT)


def words_for(key: str, language: Language, **values: object) -> str:
    """The phrase of that key. Raises ``KeyError`` for one that there is not."""
    return WORDS[language][key].format(**values)


def label_for(kind: str, name: str, language: Language) -> str:
    """What a value of an enumeration is called; a value without a name is shown as it is."""
    if kind in KINDS:
        return receipt_word(kind, name, language) or name
    return WORDS[language].get(f"{kind}.{name}", name)


def describe_nothing(reason: str, language: Language) -> str:
    """Why memory made nothing of a turn, or less than it could: phrases, and codes of what was left out or away."""
    return "; ".join(_describe_remark(each, language) for each in reason.split("; "))


def _describe_remark(remark: str, language: Language) -> str:
    if remark.startswith("left out: "):
        return WORDS[language]["jobs.left_out"]
    if " " in remark:
        return label_for("why_nothing", remark, language)
    return receipt_word("degraded", remark.removeprefix("analysis_"), language)


def _preferred(header: str) -> list[str]:
    """Primary tags of ``Accept-Language``, the best first."""
    tags = [each.strip().partition(";q=") for each in header[:400].split(",")]
    ordered = sorted(tags, key=lambda each: -_quality(each[2]))
    return [tag.partition("-")[0].strip().lower() for tag, _, _ in ordered]


def _quality(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
