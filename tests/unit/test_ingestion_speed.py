from apps.ingestion.conversation_file import RecordedConversation
from evals.ingestion_speed import PEOPLE, SESSION, made_up_recording
from language.passages import cut_passages


def test_the_recording_is_one_that_can_be_ingested_and_holds_every_turn():
    conversations = [RecordedConversation.model_validate_json(line) for line in made_up_recording(410, repetition=0)]
    sessions = [session for each in conversations for session in each.sessions]
    assert len(conversations) == PEOPLE
    assert sum(len(session.turns) for session in sessions) == 410
    assert max(len(session.turns) for session in sessions) == SESSION


def test_each_repetition_reads_other_people():
    first, second = (
        {RecordedConversation.model_validate_json(line).conversation_id for line in made_up_recording(16, n)}
        for n in (0, 1)
    )
    assert first.isdisjoint(second)


def test_replies_are_as_long_as_asked_and_persons_stay_short():
    conversation = RecordedConversation.model_validate_json(made_up_recording(160, repetition=0, paragraphs=5)[0])
    turns = [turn for session in conversation.sessions for turn in session.turns]
    assert {turn.text.count("\n\n") for turn in turns if turn.speaker == "assistant"} == {4}
    assert all(len(cut_passages(turn.text)) > 1 for turn in turns if turn.speaker == "assistant")
    assert all(len(cut_passages(turn.text)) == 1 for turn in turns if turn.speaker != "assistant")
