"""What runs: the wiring of the graphs."""
