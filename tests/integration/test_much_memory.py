from evals.much_memory import measure


async def test_every_change_of_a_memory_is_timed_and_holds_for_what_was_written():
    timings = await measure(turns=40, facts=6, calls=3, url=None)
    assert {name: each.calls for name, each in timings.items()} == {
        "correct one": 3,
        "forget one": 3,
        "restore one": 3,
        "derive the index again": 1,
        "save all vectors": 1,
        "stage those of another model": 1,
        "switch to it": 1,
    }
    assert all(each.p50 > 0 for each in timings.values())
