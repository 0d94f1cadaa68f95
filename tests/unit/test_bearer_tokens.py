"""What a bearer token proves: signature, expiry, audience, and the keys of an issuer who may be away."""

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from apps.access.token_keys import KEYS_FRESH, KEYS_PAUSE, InvalidToken, JwksKeys, SharedSecret
from apps.access.tokens import Claims, Verifier

SECRET = "a secret of the tests, longer than thirty-two characters"
NOW = int(datetime.now(UTC).timestamp())
ANN = {"tenant": "acme", "sub": "ann", "exp": NOW + 86_400}
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())


def signed(told: Mapping[str, object], key: Any = SECRET, algorithm: str = "HS256", **header: str) -> str:
    return "Bearer " + jwt.encode(dict(told), key, algorithm=algorithm, headers=header)


def published(**keys: Any) -> dict[str, Any]:
    algorithms: Any = {"rsa": RSAAlgorithm, "ec": ECAlgorithm}
    written = {kind: json.loads(algorithms[kind].to_jwk(key.public_key())) for kind, key in keys.items()}
    return {"keys": [{**key, "kid": kind, "use": "sig"} for kind, key in written.items()]}


class Issuer:
    """Publishes keys, counts how often it is asked, and can be away."""

    def __init__(self, **keys: Any) -> None:
        self.keys, self.asked, self.away, self.now = keys, 0, False, 0.0
        self.more: list[dict[str, str]] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        keys = [*published(**self.keys)["keys"], *self.more]
        return httpx.Response(503) if self.away else httpx.Response(200, json={"keys": keys})

    def verifier(self, audience: str | None = None) -> Verifier:
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return Verifier(JwksKeys("https://issuer.example/keys", client, lambda: self.now), audience)


@pytest.fixture
def by_secret() -> Verifier:
    return Verifier(SharedSecret(SECRET))


async def test_a_token_tells_who_is_asking(by_secret: Verifier):
    told = {**ANN, "roles": ["editor"], "channels": ["c1", "c2"], "org_tier": "brand_hq", "role": "owner"}
    claims = await by_secret.verify(signed(told))
    assert claims == Claims(
        tenant="acme", user="ann", roles=("editor",), channels=("c1", "c2"), org_tier="brand_hq", role="owner"
    )


async def test_two_people_never_share_an_identity():
    assert Claims(tenant="a", user="b|c").identity != Claims(tenant="a|b", user="c").identity


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer not.a.token",
        signed(ANN).replace("Bearer", "Basic"),
        signed(ANN, "another secret that is longer than thirty-two"),
        signed({**ANN, "exp": NOW - 60}),
        signed({**ANN, "nbf": NOW + 86_400}),
        signed({"tenant": "acme", "sub": "ann"}),
        signed({"sub": "ann", "exp": NOW + 86_400}),
        signed({"tenant": "acme", "exp": NOW + 86_400}),
        signed({**ANN, "tenant": ""}),
        signed({**ANN, "tenant": "\u200b"}),
        signed({**ANN, "sub": " "}),
        signed({**ANN, "sub": "ann\x85"}),
        signed({**ANN, "tenant": 7}),
        signed({**ANN, "tenant": "a\x00b"}),
        signed({**ANN, "roles": [1]}),
        signed({**ANN, "channels": {"a": 1}}),
        signed(ANN, "", "none"),
        signed(ANN, SECRET + SECRET, "HS512"),
        signed(ANN, RSA_KEY, "RS256"),
    ],
)
async def test_a_token_that_does_not_hold_proves_nothing(by_secret: Verifier, header: str):
    with pytest.raises(InvalidToken) as refused:
        await by_secret.verify(header)
    assert header[8:] not in str(refused.value) or not header[8:]


async def test_clocks_may_differ_a_little(by_secret: Verifier):
    assert await by_secret.verify(signed({**ANN, "exp": int(datetime.now(UTC).timestamp()) - 2}))


async def test_audience_and_issuer_count_when_configured():
    verifier = Verifier(SharedSecret(SECRET), audience="brain", issuer="https://id.example")
    good = {**ANN, "aud": "brain", "iss": "https://id.example"}
    assert await verifier.verify(signed(good))
    for wrong in ({**good, "aud": "other"}, {**good, "iss": "https://evil.example"}, ANN):
        with pytest.raises(InvalidToken):
            await verifier.verify(signed(wrong))


@pytest.mark.parametrize(("key", "algorithm", "kid"), [(RSA_KEY, "RS256", "rsa"), (EC_KEY, "ES256", "ec")])
async def test_a_published_key_verifies_its_own_algorithm(key: Any, algorithm: str, kid: str):
    issuer = Issuer(rsa=RSA_KEY, ec=EC_KEY)
    assert (await issuer.verifier().verify(signed(ANN, key, algorithm, kid=kid))).user == "ann"


async def test_a_public_key_is_never_taken_for_a_shared_secret():
    issuer = Issuer(rsa=RSA_KEY)
    public = published(rsa=RSA_KEY)["keys"][0]["n"]
    with pytest.raises(InvalidToken):
        await issuer.verifier().verify(signed(ANN, public, "HS256", kid="rsa"))


async def test_a_secret_that_an_issuer_publishes_by_mistake_signs_nothing():
    issuer = Issuer(rsa=RSA_KEY)
    leaked = {"kty": "oct", "k": base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="), "kid": "oct"}
    issuer.more.append(leaked)
    with pytest.raises(InvalidToken):
        await issuer.verifier().verify(signed(ANN, SECRET, "HS256", kid="oct"))
    assert await issuer.verifier().verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))


@pytest.mark.parametrize("answer", [{}, {"keys": []}, {"keys": [{"kty": "OKP"}]}, [], "keys"])
async def test_an_issuer_that_publishes_no_usable_key_lets_nobody_in(answer: object):
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, json=answer)))
    verifier = Verifier(JwksKeys("https://issuer.example/keys", client))
    with pytest.raises(InvalidToken):
        await verifier.verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))


async def test_keys_are_asked_for_once_in_a_while_and_again_when_one_is_unknown():
    issuer = Issuer(rsa=RSA_KEY)
    verifier = issuer.verifier()
    await verifier.verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))
    await verifier.verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))
    assert issuer.asked == 1
    for _ in range(5):
        with pytest.raises(InvalidToken):
            await verifier.verify(signed(ANN, EC_KEY, "ES256", kid="ec"))
    assert issuer.asked == 1
    issuer.keys["ec"] = EC_KEY
    issuer.now = KEYS_PAUSE + 1
    assert await verifier.verify(signed(ANN, EC_KEY, "ES256", kid="ec"))
    assert issuer.asked == 2


async def test_known_keys_go_on_working_while_the_issuer_is_away():
    issuer = Issuer(rsa=RSA_KEY)
    verifier = issuer.verifier()
    await verifier.verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))
    issuer.away, issuer.now = True, KEYS_FRESH + 1
    assert await verifier.verify(signed(ANN, RSA_KEY, "RS256"))
    assert issuer.asked == 2


async def test_without_any_key_nobody_comes_in():
    issuer = Issuer()
    issuer.away = True
    with pytest.raises(InvalidToken):
        await issuer.verifier().verify(signed(ANN, RSA_KEY, "RS256", kid="rsa"))
