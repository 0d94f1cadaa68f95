"""All rows of the English tables together, by what they stand behind."""

from dataclasses import replace

from memory.rules import english_changes, english_everyday, english_mine, english_more_rows, english_rows
from memory.rules.rows import Row

ROWS = (*english_rows.ROWS, *english_more_rows.ROWS, *english_everyday.ROWS, *english_changes.ROWS)
"""Behind a subject."""
MINE = (*english_more_rows.ATTRIBUTES, *english_everyday.EVENTS, *english_mine.ROWS)
"""Behind «my»."""
BARE = (*english_more_rows.BARE_ROWS, *english_everyday.BARE_ROWS, *english_mine.BARE_ROWS)
"""Behind nothing."""

_BE, _NO_BE = "(?:['’]m|", "(?:|['’]m|"
WITHOUT_BE: tuple[Row, ...] = tuple(
    replace(row, written=row.written.replace(_BE, _NO_BE, 1)) for row in ROWS if _BE in row.written
)
"""Behind a subject that swallowed its «am», «is» or «are», or behind none: «Allergic to nuts»."""
CONTRACTED = tuple(row for row in WITHOUT_BE if row.written.startswith(_NO_BE))
"""Those that begin with it: behind «my sister's»."""
