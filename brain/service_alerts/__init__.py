"""Alerts about how the service does: begin with ``watch``; ``burn_rate`` decides, ``telling`` tells."""
