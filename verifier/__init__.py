"""What a stranger needs in order to check an exported audit chain: one file that imports nothing of Brain."""
