"""``brain serve``: where it listens, and what it says where it cannot."""

import socket

import pytest

from apps.servers.serve import listen
from memory.errors import BrainError


def test_a_taken_port_is_named_with_what_to_do():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(BrainError, match=rf"E_CONFIG: Port {port} of 127.0.0.1 is taken.*--port {port + 1}"):
            listen("127.0.0.1", port)
    with listen("127.0.0.1", port):
        pass


def test_an_address_of_another_machine_is_no_place_to_listen():
    with pytest.raises(BrainError, match=r"E_CONFIG: Brain cannot listen at 203\.0\.113\.7"):
        listen("203.0.113.7", 0)


def test_both_families_of_addresses_are_served():
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        with listen("::1", 0) as open_:
            assert open_.family == socket.AF_INET6
    except BrainError:
        pytest.skip("this machine has no IPv6 address")
