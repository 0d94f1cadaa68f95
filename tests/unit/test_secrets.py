"""Secrets are masked, and only they."""

import pytest

from language.secrets import mask_secrets


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("my wifi password is hunter2 and I like tea", "my wifi password is ••• and I like tea"),
        ("The PIN for my card is 4417.", "The PIN for my card is •••."),
        ("我的密码是abc123，别告诉别人", "我的密码是•••，别告诉别人"),
        ("验证码：482913", "验证码：•••"),
        ("seed phrase is apple banana cat dog", "seed phrase is •••"),
        ("card 4111 1111 1111 1111 exp 12/28", "card ••• exp 12/28"),
        ("key sk-abcdefghijklmnop1234567890", "key •••"),
    ],
)
def test_a_secret_is_masked(text: str, masked: str):
    assert mask_secrets(text) == masked
    assert mask_secrets(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "what is my password?",
        "my password is the same as before",
        "密码是什么？",
        "my phone is 07700 900123",
        "order 4111 1111 1111 1112 has shipped",
        "I passed my exam",
    ],
)
def test_what_is_no_secret_stays(text: str):
    assert mask_secrets(text) == text
