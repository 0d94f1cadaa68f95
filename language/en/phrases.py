"""What Brain says in English without a model."""

from language.phrases import Phrases

PHRASES = Phrases(
    no_model="(No language model is configured, so I answer from memory alone.)",
    spent="(Today's tokens for the language model are used up, so I answer from memory alone until tomorrow.)",
    failed="(The language model did not answer ({reason}), so I answer from memory alone. {advice})",
    remember="This is what I remember:",
    talked="This is what you told me in this conversation:",
    nothing="I remember nothing about that yet.",
    nothing_at_all="I know nothing about you yet. Tell me something, and I will remember it.",
    nothing_said="We have not talked about anything yet.",
    noted="I have noted that.",
    cannot="I cannot do that without a language model.",
    courtesies={
        "help": (
            "I remember what you tell me and find it again: ask in your own words, or ask what I know about you. "
            "“Forget that …” and “No, it is …” work too; “Summarise our conversation” sums up this one."
        ),
        "thanks": "You are welcome.",
        "wellbeing": "I am well, thank you. How are you?",
        "greeting": "Hello! What is on your mind?",
        "farewell": "Goodbye!",
        "reaction": "All right.",
    },
    user_said="- on {date} you said: “{text}”",
    brain_said="- on {date} I said: “{text}”",
    other_said="- on {date} {speaker} said: “{text}”",
    known="- {text} (since {date})",
    statuses={"earlier": "(earlier)", "outdated": "(no longer so)"},
)
