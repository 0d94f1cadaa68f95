"""Four processes behind HAProxy, killed and told to end while people talk: each message is one turn, and answered."""

from typing import Any

import pytest

from evals.balanced import haproxy
from evals.served_people import Options, measure

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(haproxy() is None, reason="HAProxy is not installed: apt-get install haproxy"),
]


async def test_nothing_is_lost_doubled_or_in_the_wrong_hands(server_url: str):
    told: dict[str, Any] = await measure(Options(people=8, minutes=1.5, pause=(0.2, 1.0), accidents=10.0), server_url)
    assert told["turns"] > 0
    assert sum(told["ended"].values()) > 1
    wrong = ("lost_turns", "doubled_turns", "further_conversations", "replies_with_somebody_elses_name")
    assert {name: told[name] for name in wrong} == dict.fromkeys(wrong, 0)
