"""Recorded conversations as memory."""
