"""The doors: command line, worker, server parts."""
