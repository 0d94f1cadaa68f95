"""Two hours of people, storms and kills: what must hold whatever dies, checked all the time.

``__main__.py`` is the command; ``ledger.py`` the model of what must hold, ``people.py`` who talk, ``house.py`` the
processes that are killed, ``looks.py`` what the database and the system say, ``summary.py`` the page at the end.
"""
