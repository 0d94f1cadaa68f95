"""Commands that take one dataclass."""

from dataclasses import dataclass, field
from typing import Annotated

import typer
from typer.testing import CliRunner

from apps.cli.options import PersonOptions, command, scope_from
from memory.scope import Speaker, scope_of


@dataclass(frozen=True, kw_only=True)
class GreetOptions(PersonOptions):
    """How to greet."""

    name: Annotated[str, typer.Argument(help="Whom.")]
    times: Annotated[int, typer.Option(min=1)] = 1
    title: Annotated[list[str], typer.Option()] = field(default_factory=list[str])


def an_app() -> typer.Typer:
    app = typer.Typer()

    @command(app, "greet")
    def greet(options: GreetOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Greet somebody."""
        print(options)

    @app.callback()
    def main() -> None:  # pyright: ignore[reportUnusedFunction]
        """So that the one command keeps its name."""

    return app


def test_fields_become_options_and_arguments_with_their_defaults():
    result = CliRunner().invoke(an_app(), ["greet", "Ann"])
    assert result.stdout == ("GreetOptions(tenant='local', user='me', channel='', name='Ann', times=1, title=[])\n")


def test_inherited_and_repeated_options_are_read():
    result = CliRunner().invoke(
        an_app(), ["greet", "Ann", "--user", "bob", "--times", "2", "--title", "Dr", "--title", "Sir"]
    )
    assert "user='bob'" in result.stdout
    assert "times=2, title=['Dr', 'Sir']" in result.stdout


def test_the_docstring_is_the_help():
    assert "Greet somebody." in CliRunner().invoke(an_app(), ["greet", "--help"]).stdout


def test_a_person_is_the_scope_that_the_rest_of_brain_knows():
    person = PersonOptions(tenant="t", user="ann@example.com")
    assert scope_from(person, "main") == scope_of(Speaker(tenant="t", user="ann@example.com"))
    assert scope_from(PersonOptions(channel="team"), "main").key == "group:team"
