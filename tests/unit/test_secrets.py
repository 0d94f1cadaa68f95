"""Secrets are masked, and only they."""

import pytest

from language.secrets import has_secret, mask_secrets


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("my wifi password is hunter2 and I like tea", "my wifi password is ••• and I like tea"),
        ("The PIN for my card is 4417.", "The PIN for my card is •••."),
        ("我的密码是abc123，别告诉别人", "我的密码是•••，别告诉别人"),
        ("验证码：482913", "验证码：•••"),
        ("服务器密码 Qaz!2wsx# 帮我看看", "服务器密码 ••• 帮我看看"),
        ("门锁密码幺九六幺幺二", "门锁密码•••"),
        ("库房门禁临时码为 40#7719，先抄下", "库房门禁临时码为 •••，先抄下"),
        ("身份证 330106197811250024 帮我看看", "身份证 ••• 帮我看看"),
        ("my card number is 4147 2025 8834 0192, exp 09/27", "my card number is •••, exp 09/27"),
        ("seed phrase is apple banana cat dog", "seed phrase is •••"),
        ("card 4111 1111 1111 1111 exp 12/28", "card ••• exp 12/28"),
        ("key sk-abcdefghijklmnop1234567890", "key •••"),
    ],
)
def test_a_secret_is_masked(text: str, masked: str):
    assert has_secret(text)
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
        "密码我老记不住",
        "我的卡里还有13812345678块",
    ],
)
def test_what_is_no_secret_stays(text: str):
    assert mask_secrets(text) == text
