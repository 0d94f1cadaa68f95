"""Whether a reply claims that memory was changed."""

import pytest

from language.claims import claims_change


@pytest.mark.parametrize(
    "reply",
    [
        "I've forgotten that you live in Ghent.",
        "Done! Your address is gone.",
        "Your dentist has been deleted from my memory.",
        "Sure, I have now removed it.",
        "I corrected it: you live in Lyon.",
        "好的，我已经忘掉了。",
        "已帮你删除。",
        "这条记忆删掉了。",
    ],
)
def test_a_claim_is_heard(reply: str) -> None:
    assert claims_change(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "I have not forgotten anything.",
        "Which one shall I forget?",
        "I remember nothing like that, so there is nothing to forget.",
        "I can't delete that.",
        "You live in Ghent.",
        "要忘掉哪一条？",
        "这句话里还说了别的，整句都忘掉吗？",
        "Has it been deleted?",
        "我没有删除任何东西。",
        "我还记得。",
    ],
)
def test_what_claims_nothing_is_let_alone(reply: str) -> None:
    assert not claims_change(reply)
