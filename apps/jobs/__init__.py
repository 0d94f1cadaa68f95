"""The work behind conversations: the queue's tasks, the worker that does them, and what looks after both."""
