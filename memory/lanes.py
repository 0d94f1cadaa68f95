"""What kind of thing is found: a row of the recall index, a receipt and a source all name its lane."""

from typing import Literal

Lane = Literal["turn", "fact", "summary", "document", "store"]
