"""What a role opens, and that nothing else opens anything."""

import pytest

from apps.access.roles import PERSON_SCOPES, ROLE_SCOPES, scopes_of_roles, with_implied
from memory.api_keys import KEY_SCOPES, KeyScope


@pytest.mark.parametrize(
    ("role", "more"),
    [
        ("tenant_admin", {"admin", "audit", "ops"}),
        ("agent_runtime", {"on_behalf"}),
        ("auditor", {"audit"}),
        ("ops", {"ops"}),
        ("owner", set[KeyScope]()),
        ("", set[KeyScope]()),
    ],
)
def test_a_role_opens_its_scopes_beside_what_is_ones_own(role: str, more: set[KeyScope]):
    assert scopes_of_roles((role,)) == PERSON_SCOPES | more


def test_several_roles_open_all_of_theirs():
    assert scopes_of_roles(ROLE_SCOPES) == frozenset(KEY_SCOPES)


def test_only_an_administrators_key_brings_other_scopes_along():
    assert with_implied(("admin",)) == {"admin", "audit", "ops"}
    assert all(with_implied((each,)) == {each} for each in KEY_SCOPES if each != "admin")
