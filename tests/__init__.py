"""Unit, contract and integration tests."""
