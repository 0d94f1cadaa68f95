"""Made-up months of chat: the same for the same seed, and a memory that does not feed on itself."""

from langchain_core.messages import SystemMessage

from evals.junk_over_time import Evening, Options, live_months, table, together
from evals.ordinary_talk import chatters, read_talk
from evals.parrot import RECITED, Parrot


def an_evening(day: int, **values: int) -> Evening:
    names = ("messages", "stored", "living", "unasked", "living_unasked", "repeated", "echoes", "truths", "known")
    return Evening(day=day, **(dict.fromkeys(names, 0) | values))


def test_the_same_seed_makes_the_same_month() -> None:
    assert chatters(3, 5, 7) == chatters(3, 5, 7)
    assert [each.days for each in chatters(3, 5, 7)] != [each.days for each in chatters(3, 5, 8)]


def test_everything_true_is_said_on_some_day() -> None:
    for chatter in chatters(4, 30, 1):
        spoken = " ".join(remark.text for remarks in chatter.days for remark in remarks)
        assert all(label.object[0] in spoken for label in chatter.truths)
        assert "{" not in spoken.replace("{memory}", "")


def test_idle_talk_names_no_value_that_could_be_taken_for_the_truth() -> None:
    for talk in read_talk().values():
        values = {value for statement in talk.statements for value in statement.values}
        idle = " ".join((*talk.small_talk, *talk.tasks, *talk.questions, *talk.fill["city"], *talk.fill["claim"]))
        assert not [value for value in values if value in idle]


async def test_the_parrot_repeats_what_it_was_told_but_not_itself() -> None:
    def tag(text: str, said_by: str) -> str:
        return f'<said_0a1b2c speaker="{said_by}">\n{text}\n</said_0a1b2c>'

    parrot = Parrot()
    told = [tag("I said so", "you (assistant)"), *(tag(f"tea & {n}", "user") for n in range(RECITED + 1))]
    reply = await parrot.stream([SystemMessage("\n".join(told))])
    assert reply.text == "I remember: tea & 0 tea & 1 tea & 2"
    assert (await parrot.stream([SystemMessage("nothing")])).text == "I see."


async def test_a_few_days_leave_what_was_said_and_little_else(server_url: str) -> None:
    days = together(await live_months(Options(people=2, days=4, server=server_url), lambda: None))
    last = days[-1]
    assert [each.day for each in days] == [1, 2, 3, 4]
    assert last.known > last.truths / 2
    assert last.unasked <= last.stored / 3
    assert last.repeated == 0


def test_the_table_tells_growth_by_person() -> None:
    shown = table([an_evening(1, stored=4, living=4, unasked=1), an_evening(2, stored=8, living=6)], 2)
    assert list(shown.columns[3].cells) == ["25.0%", "0.0%"]
    assert list(shown.columns[7].cells) == ["+2.00", "+1.00"]
