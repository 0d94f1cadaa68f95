"""Is a thing taken for what it is, an allergen or a figure of speech, a town or not? ``python -m evals.categories``

``data/categories.toml`` was written by somebody who has seen neither the examples nor the code. The harmful mistakes
come first: an allergy taken for a figure of speech, and a firm, a program or a diet that is taken for a new home.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from language.categories import is_allergen, is_figure_of_speech, is_town
from language.encoder import sentence_encoder

DATA = Path(__file__).parent / "data" / "categories.toml"


def count(things: Sequence[str], is_so: Callable[[str], bool]) -> str:
    """How many of the things are so, of how many."""
    return f"{sum(map(is_so, things)):4} of {len(things)}"


def main() -> None:
    """Print the counts."""
    sentence_encoder().load()
    written: dict[str, list[str]] = tomllib.loads(DATA.read_text("utf-8"))
    for language in ("en", "zh"):
        allergens, figures = written[f"allergens_{language}"], written[f"figures_{language}"]
        print(f"{language}  allergens taken for figures of speech  {count(allergens, is_figure_of_speech)}")
        print(f"{language}  figures surely taken in earnest        {count(figures, is_allergen)}")
        print(f"{language}  allergens surely told                  {count(allergens, is_allergen)}")
        print(f"{language}  figures of speech told                 {count(figures, is_figure_of_speech)}")
    print(f"en  no homes taken for towns               {count(written['no_towns_en'], is_town)}")
    print(f"en  towns told                             {count(written['towns_en'], is_town)}")


if __name__ == "__main__":
    main()
