"""What an agent learns of how its tools end: begin reading with ``count.py``."""
