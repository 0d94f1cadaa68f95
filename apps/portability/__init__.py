"""Everything that is kept of a person, into a folder and into another Brain; begin with ``export_person.py``."""
