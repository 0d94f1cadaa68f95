"""The audit chain from outside: its verification, and bundles for strangers. ``apps.jobs.sealing`` makes it grow."""
