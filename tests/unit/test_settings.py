import sys
from pathlib import Path

import pytest

from brain.settings import Settings, default_data_dir, strip_credentials
from memory.errors import BrainError
from tests.fakes import a_settings

SECRET = "a-secret-of-at-least-thirty-two-characters"


@pytest.fixture(autouse=True)
def _a_clean_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    import os

    for name in list(os.environ):
        if name.startswith(("BRAIN_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_nothing_needs_to_be_configured():
    settings = Settings()

    assert settings.database_url is None
    assert settings.embedding_model == ("encoder", "")
    assert settings.dm_scope == "main"
    assert not settings.has_authentication


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BRAIN_DM_SCOPE", "per-peer")
    monkeypatch.setenv("BRAIN_HOME", "/somewhere/else")

    assert Settings().dm_scope == "per-peer"
    assert Settings().data_dir == Path("/somewhere/else")


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
@pytest.mark.parametrize(("named", "expected"), [("", ".local/share/brain"), ("elsewhere", "elsewhere/brain")])
def test_data_lie_in_the_data_folder_of_the_person(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str, expected: str
):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / named) if named else "")

    assert default_data_dir() == tmp_path / expected
    assert not (tmp_path / expected).exists()


def test_data_of_root_lie_where_an_unprivileged_server_can_enter(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)

    assert default_data_dir() == Path("/var/lib/brain")


def test_a_database_of_macos_is_found_where_it_was_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    made = tmp_path / "Library" / "Application Support" / "brain"
    made.mkdir(parents=True)
    monkeypatch.setattr("os.geteuid", lambda: 501)
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))

    assert default_data_dir() == made


def test_a_dotenv_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / ".env").write_text("BRAIN_CHAT_MODEL=from-file\nBRAIN_FAST_MODEL=from-file\nOPENAI_API_KEY=sk-file\n")
    monkeypatch.setenv("BRAIN_FAST_MODEL", "from-environment")

    settings = Settings()

    assert (settings.chat_model, settings.fast_model) == ("from-file", "from-environment")
    assert settings.openai_api_key is not None


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "BRAIN_OPENAI_API_KEY"])
def test_with_a_key_no_word_leaves_the_machine_for_an_embedding(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(name, "sk-test")
    assert Settings().embedding_model == ("encoder", "")


def test_embeddings_can_be_switched_off_beside_a_key():
    assert Settings(openai_api_key="sk-test", embeddings="none").embedding_model == ("none", "")


def test_a_local_model_may_be_a_path():
    assert Settings(embeddings="torch:/models/a:b").embedding_model == ("torch", "/models/a:b")


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("BRAIN_DM_SCOPE", "per-planet", "BRAIN_DM_SCOPE"),
        ("BRAIN_EMBEDDINGS", "word2vec", "openai:MODEL"),
        ("BRAIN_EMBEDDINGS", "openai:", "openai:MODEL"),
        ("BRAIN_EMBEDDINGS", "none:x", "openai:MODEL"),
        ("BRAIN_TIME_ZONE", "Mars/Olympus", "IANA"),
        ("BRAIN_DATABASE_URL", "mysql://localhost/x", "postgresql://"),
        ("BRAIN_APP_DATABASE_URL", "postgresql://localhost/x", "BRAIN_DATABASE_URL"),
        ("BRAIN_AUTH_JWT_SECRET", "short", "shorter than 32"),
        ("BRAIN_AUTH_AUDIENCE", "brain", "BRAIN_AUTH_JWT_SECRET"),
        ("BRAIN_HOST", "0.0.0.0", "authentication"),
        ("BRAIN_PORT", "many", "BRAIN_PORT"),
        ("BRAIN_CHECKPOINT_RETENTION_DAYS", "0", "BRAIN_CHECKPOINT_RETENTION_DAYS"),
    ],
)
def test_a_bad_value_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, complaint: str):
    monkeypatch.setenv(variable, value)

    with pytest.raises(BrainError) as refused:
        Settings()

    assert refused.value.code == "E_CONFIG"
    assert complaint in refused.value.message
    assert "\n" not in str(refused.value)


def test_two_ways_of_authentication_exclude_each_other():
    with pytest.raises(BrainError, match="exclude each other"):
        Settings(auth_jwt_secret=SECRET, auth_jwks_url="https://id.example/keys")


def test_an_open_address_is_fine_with_authentication():
    assert Settings(auth_jwt_secret=SECRET, host="0.0.0.0").has_authentication


def test_neither_the_repr_nor_a_refusal_shows_a_secret():
    settings = Settings(
        database_url="postgresql://owner:hunter2@db.example:5432/brain?sslpassword=hunter2",
        openai_api_key="sk-hunter2",
        auth_jwt_secret="hunter2" * 8,
    )
    with pytest.raises(BrainError) as refused:
        Settings(database_url="mysql://owner:hunter2@db.example/brain")

    assert "hunter2" not in f"{settings!r} {refused.value}"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://owner\uff1ahunter2@db.example/brain",
        "postgresql://owner:hunter2%zz@db.example/brain",
        "postgresql://owner:hunter2 @[db.example/brain",
        "postgresql://owner:pass/hunter2@db.example/brain",
    ],
)
def test_a_database_address_that_cannot_be_read_is_refused_without_its_password(address: str):
    with pytest.raises(BrainError, match="E_CONFIG: BRAIN_DATABASE_URL: it must look like") as refused:
        Settings(database_url=address)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("password", ["hunter2#1", "hunter2?1", "hunter2/1"])
def test_a_password_is_not_shown_of_which_nothing_tells_where_it_ends(password: str):
    assert strip_credentials(f"postgresql://owner:{password}@db.example/brain") == "postgresql://…"


@pytest.mark.parametrize(
    "address", ["http://u\uff1ahunter2@host/v1", "http://u:hunter2@[host/v1", "http://u:h/2@host/v1"]
)
def test_a_model_address_that_cannot_be_read_is_refused_without_its_password(address: str):
    with pytest.raises(BrainError, match="BASE_URL: it must look like") as refused:
        a_settings(base_url=address)
    assert "hunter2" not in str(refused.value)


def test_an_address_without_credentials_is_shown_as_it_is():
    assert strip_credentials("postgresql://localhost/brain") == "postgresql://localhost/brain"


def test_a_model_is_asked_once_per_pause_and_rules_read_each_turn():
    assert a_settings(base_url=None, openai_api_key=None).evolution_pause == 0.5
    assert a_settings(base_url="http://127.0.0.1:11434/v1").evolution_pause == 20.0
    assert a_settings(base_url="http://127.0.0.1:11434/v1", evolution_debounce=3).evolution_pause == 3
