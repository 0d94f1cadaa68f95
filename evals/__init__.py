"""Data sets, metrics, benchmarks and the release gate."""
