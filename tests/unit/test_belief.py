"""The same sentence is believed alike, whether a model noted it down or it stands as it was said."""

import pytest

from evolution.extraction.check import check_notes
from evolution.extraction.prompt import ExtractionInput
from evolution.extraction.rules import extract_by_rules
from tests.unit.analysis_builders import a_note, turns


@pytest.mark.parametrize(
    "sentence",
    [
        "My sister works as a nurse in Porto.",
        "I am allergic to peanuts.",
        "I really like green tea.",
        "We are moving to Ghent in June.",
        "Please remember that my locker is number 512.",
        "我对虾过敏。",
        "我喜欢喝龙井茶。",
        "我下个月要搬到杭州去住。",
    ],
)
def test_both_ways_of_reading_believe_alike(sentence: str):
    said = turns(sentence)
    (stated,) = extract_by_rules(said)
    note = a_note(sentence, type=stated["item_type"], object=sentence.strip(".。"), content=sentence)
    (noted,) = check_notes([note], ExtractionInput(said=said)).candidates
    for name in ("provenance", "confidence", "certainty", "epistemic_type", "category", "item_type"):
        assert noted[name] == stated[name], name
