"""``brain experiments``: try variants of Brain on shares of the people, and compare them."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api import experiments as table

experiments = typer.Typer(no_args_is_help=True, help="Try variants of Brain on shares of the people, and compare them.")


def _show_list(found: table.ExperimentList) -> None:
    rows = [
        (each.name, _variants(each), each.guard, f"{each.started_at:%Y-%m-%d}", _end(each))
        for each in found.experiments
    ]
    if rows:
        show_table(("name", "variants", "guard", "since", "until"), rows)
    else:
        say("There was no experiment yet.")


def _show_one(found: table.ExperimentView) -> None:
    say(f"{found.name}: {_variants(found)}; guard: {found.guard}; {_end(found)}.")


def _show_result(found: table.ExperimentResult) -> None:
    _show_one(found)
    rows = [
        (
            result.variant,
            f"{result.turns:,}",
            each.measure,
            f"{each.hits:,} of {each.trials:,}",
            f"{each.rate:.1%}",
            _range(each.interval),
            "" if each.difference is None else _range(each.difference),
        )
        for result in found.results
        for each in result.measures
    ]
    show_table(("variant", "turns", "measure", "counted", "rate", "95 %", "less the first, 95 %"), rows)
    for result in found.results:
        tokens = f"{result.input_tokens:,} tokens in and {result.output_tokens:,} out"
        say(f"{result.variant}: {tokens}; {result.routed:,} replies by the fast model.")
    if not all(each.enough for result in found.results for each in result.measures):
        say("Fewer than 30 cases somewhere: nothing can be concluded from that yet.")


def _variants(found: table.ExperimentView) -> str:
    return ", ".join(
        " ".join((f"{each.name} {each.share} %", *(f"{name}={value}" for name, value in each.dimensions.items())))
        for each in found.variants
    )


def _end(found: table.ExperimentView) -> str:
    if found.ended_at is None:
        return "running"
    by = "by its guard" if found.ended_by == "guard" else "by hand"
    return f"ended {found.ended_at:%Y-%m-%d} {by}"


def _range(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.1%} to {interval[1]:.1%}"


add_endpoint(experiments, table.start_experiment, _show_one)
add_endpoint(experiments, table.list_experiments, _show_list)
add_endpoint(experiments, table.show_experiment, _show_result)
add_endpoint(experiments, table.end_experiment, _show_one)
