"""OpenTelemetry: what a turn did and how long it took, without a word of it. Begin with ``spans``.

A turn only appends small records to a bounded queue; a thread of its own makes spans and metrics of them and sends
them. So a collector that hangs or is away delays nothing, and costs what the queue holds.
"""
