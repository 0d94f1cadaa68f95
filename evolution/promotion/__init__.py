"""From what several people told to what an organisation knows: begin reading with ``count.py``."""
