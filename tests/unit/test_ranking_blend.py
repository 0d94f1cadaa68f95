from dataclasses import replace

import pytest

from memory.recall.policies import blend
from memory.recall.policy import RankedCandidate
from memory.recall.query import TimeWindow
from tests.unit.ranking_builders import a_candidate, a_pass, ago, id_of


def order(*passes: object) -> list[str]:
    return [each.candidate.text for each in blend.order(passes)]  # type: ignore[arg-type]


def only(ranked: list[RankedCandidate], text: str) -> RankedCandidate:
    return next(each for each in ranked if each.candidate.text == text)


def test_old_turns_are_not_buried_by_their_age():
    old = a_candidate("old", own=1.0, observed_at=ago(3000))
    new = a_candidate("new", own=0.9, observed_at=ago(0))
    assert order(a_pass(new, old)) == ["old", "new"]


def test_a_turn_that_was_overtaken_gives_way_where_now_is_asked_about():
    over = a_candidate("in Paris", own=1.0, confidence=0.3)
    moved = a_candidate("to Lyon", own=0.5)
    assert order(a_pass(over, moved)) == ["to Lyon", "in Paris"]
    assert order(a_pass(over, moved, temporal_intent="history_trace")) == ["in Paris", "to Lyon"]
    assert order(a_pass(over, moved, as_of=ago(3))) == ["in Paris", "to Lyon"]


def test_a_reply_gains_from_what_it_replies_to_and_a_note_from_no_note():
    reply = a_candidate("reply", own=0.5, before=1.0, replies=True)
    note = a_candidate("note", own=0.5, before=1.0, after=1.0)
    ranked = blend.order([a_pass(note, reply)])
    assert only(ranked, "reply").signals["before"] == pytest.approx(blend.NEXT_TURN)
    assert only(ranked, "note").signals["before"] == only(ranked, "note").signals["after"] == 0


def test_an_answer_gains_from_its_question():
    answer = a_candidate("answer", own=0.4, before=1.0, replies=True, asked=True)
    question = a_candidate("what?", own=1.0)
    assert order(a_pass(question, answer)) == ["answer", "what?"]


def test_asking_again_finds_the_statement_before_the_asking():
    assert order(a_pass(a_candidate("my cat?", own=1.0), a_candidate("my cat", own=0.95))) == ["my cat", "my cat?"]


def test_the_speaker_that_the_question_names_comes_first():
    ann = a_candidate("by ann", own=0.6, speaker="Ann Lee")
    bob = a_candidate("by bob", own=0.8, speaker="Bob")
    assert order(a_pass(bob, ann, text="What did Ann say?")) == ["by ann", "by bob"]
    assert order(a_pass(bob, ann, text="What did Anna say?")) == ["by bob", "by ann"]


def test_a_chinese_name_needs_no_gap_around_it():
    xiaoyu = a_candidate("甲", own=0.6, speaker="小雨")
    other = a_candidate("乙", own=0.8, speaker="大明")
    assert order(a_pass(other, xiaoyu, text="小雨说了什么？")) == ["甲", "乙"]


def test_naming_everybody_tells_nothing():
    both = a_pass(a_candidate("a", own=1, speaker="Ann"), a_candidate("b", own=0.9, speaker="Bob"), text="Ann or Bob?")
    assert [each.signals["speaker"] for each in blend.order([both])] == [0.0, 0.0]


def test_a_good_session_lifts_all_its_turns():
    session = id_of("session")
    top = a_candidate("top", own=1.0, session_id=session, replied=True)
    mate = a_candidate("mate", own=0.5, session_id=session)
    stranger = a_candidate("stranger", own=0.6, session_id=id_of("other"))
    assert order(a_pass(top, mate, stranger)) == ["top", "mate", "stranger"]
    alone = replace(top, replied=False)
    assert order(a_pass(alone, mate, stranger)) == ["top", "stranger", "mate"]  # notes of one person are no talk


def test_a_nickname_names_the_one_speaker_who_begins_like_it():
    tilde = a_candidate("by tilde", own=0.6, speaker="Tilde")
    bob = a_candidate("by bob", own=0.8, speaker="Bob")
    assert order(a_pass(bob, tilde, text="Where does Tilly work?")) == ["by tilde", "by bob"]
    tilman = a_candidate("by tilman", own=0.1, speaker="Tilman")
    assert order(a_pass(bob, tilde, tilman, text="Where does Tilly work?"))[0] == "by bob"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What did you recommend for the knee?", "brain"),
        ("你给我推荐了什么？", "brain"),
        ("Where did I say my knee hurts?", "person"),
        ("我的膝盖哪里疼？", "person"),
        ("What helps against pain?", "brain"),
    ],
)
def test_what_was_said_weighs_by_whose_words_are_asked_for(question: str, first: str):
    brain = a_candidate("brain", own=0.8, role="assistant", speaker="assistant")
    person = a_candidate("person", own=0.79 if first == "person" else 0.81, speaker="user")
    if question.startswith("What helps"):
        person = replace(person, own=0.79)
    assert order(a_pass(brain, person, text=question))[0] == first


def test_what_an_assistant_replies_gains_only_where_its_words_are_asked_for():
    reply = a_candidate("Try the museum.", own=0.2, before=1.0, replies=True, asked=True, role="assistant")
    theirs = a_candidate("The museum it is.", own=0.2, before=1.0, replies=True, asked=True)

    def gains(text: str) -> dict[str, float]:
        ranked = blend.order([a_pass(reply, theirs, text=text)])
        return {each.candidate.text: each.signals["answer"] for each in ranked}

    assert gains("Where do I work?") == {reply.text: 0.0, theirs.text: blend.ANSWER}
    assert gains("What did you tell me to visit?") == {reply.text: blend.ANSWER, theirs.text: blend.ANSWER}


@pytest.mark.parametrize(
    ("text", "speaker", "factor"),
    [
        ("What can I do about it?", "user", blend.QUESTION),
        ("I have a boy of three who never sleeps, what can I do?", "user", 1.0),
        ("My rent is 900. Is that much?", "user", 1.0),
        ("我租房每个月三千，贵吗？", "user", 1.0),
        ("那怎么办呢？", "user", blend.QUESTION),
        ("I moved to Lyon. How are you?", "Ann", blend.QUESTION),
        ("I moved to Lyon.", "user", 1.0),
    ],
)
def test_a_turn_that_only_asks_weighs_less_and_among_people_one_that_ends_so(text: str, speaker: str, factor: float):
    (ranked,) = blend.order([a_pass(a_candidate(text, speaker=speaker), text="Where do I live?")])
    assert ranked.signals["statement"] == factor


def test_what_was_said_in_the_asked_time_comes_first():
    window = TimeWindow(start=ago(10), end=ago(5))
    inside = a_candidate("inside", own=0.7, observed_at=ago(7))
    outside = a_candidate("outside", own=0.8)
    assert order(a_pass(outside, inside, window=window)) == ["inside", "outside"]
    assert order(a_pass(outside, inside)) == ["outside", "inside"]


def test_a_fact_nobody_confirmed_for_long_weighs_less_than_a_fresh_one():
    stale = a_candidate("stale", lane="fact", own=1.0, confidence=0.6, observed_at=ago(400))
    fresh = a_candidate("fresh", lane="fact", own=0.95, confidence=0.6)
    assert order(a_pass(stale, fresh)) == ["fresh", "stale"]


def test_an_intent_leans_to_its_lane():
    turn, fact = a_candidate("turn", own=1.0), a_candidate("fact", lane="fact", own=0.9, confidence=1.0)
    assert order(a_pass(turn, fact)) == ["turn", "fact"]
    assert order(a_pass(turn, fact, intent="preference")) == ["fact", "turn"]


def test_the_users_own_words_weigh_twice_a_rewriting():
    mine, theirs = a_candidate("mine", own=1.0), a_candidate("theirs", own=1.0)
    assert order(a_pass(mine), a_pass(theirs)) == ["mine", "theirs"]
    assert order(a_pass(mine), a_pass(theirs), a_pass(theirs), a_pass(theirs)) == ["theirs", "mine"]


def test_equal_scores_keep_one_order_everywhere():
    one, two = a_candidate("one", own=1.0), a_candidate("two", own=1.0)
    assert order(a_pass(one, two)) == order(a_pass(two, one))


def test_signals_explain_the_score():
    (ranked,) = blend.order([a_pass(replace(a_candidate("x"), own=0.8, lexical=0.8, kin=0.5))])
    added = sum(
        ranked.signals[name] for name in ("own", "before", "after", "answer", "speaker", "kin", "time", "session")
    )
    factors = ranked.signals["belief"] * ranked.signals["statement"] * ranked.signals["lane"]
    assert ranked.score == pytest.approx(added * factors)
