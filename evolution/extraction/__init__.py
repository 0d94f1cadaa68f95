"""What turns state: noted down by a model and checked against their words, or read by rules alone."""
