from apps.conversation_file import Conversation
from evals.ingestion_speed import PEOPLE, SESSION, recording


def test_the_recording_is_one_that_can_be_ingested_and_holds_every_turn():
    conversations = [Conversation.model_validate_json(line) for line in recording(410, repetition=0)]
    sessions = [session for each in conversations for session in each.sessions]
    assert len(conversations) == PEOPLE
    assert sum(len(session.turns) for session in sessions) == 410
    assert max(len(session.turns) for session in sessions) == SESSION


def test_each_repetition_reads_other_people():
    first, second = (
        {Conversation.model_validate_json(line).conversation_id for line in recording(16, n)} for n in (0, 1)
    )
    assert first.isdisjoint(second)
