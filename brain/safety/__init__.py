"""What keeps text from steering the agent: sanitizer, guardrail, taint."""
