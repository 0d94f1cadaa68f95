"""The steps of upkeep."""
