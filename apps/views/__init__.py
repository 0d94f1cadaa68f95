"""What every door shows of memory in the same way: evidence, conflicts, receipts, sessions, spending, health."""
