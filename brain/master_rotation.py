"""Puts a new master secret in the place of the one that is used, and locks anew what that one locked.

Interrupted anywhere, it is finished by doing it again: until everything is locked anew the former secret is kept, and
opens what it locked.
"""

from dataclasses import dataclass
from pathlib import Path

from brain.audit_key import FILE, AuditKey, expand, load_audit_key, load_master, new_secret
from brain.audit_key import PERSON as PERSON_HASH
from brain.erasure_list import FOLDER, ErasureList
from brain.former_secret import FormerSecret
from brain.person_keys import NAMING, PersonKeys, has_keys, keys_folder
from brain.secret_file import replace_secret_file
from brain.settings import Settings


@dataclass(frozen=True)
class Rotation:
    """What a rotation came to: whether it waits for ``BRAIN_AUDIT_KEY`` to be set anew; keys and lists locked anew."""

    waits_for_setting: bool
    keys: int = 0
    lists: int = 0


def rotate_master(settings: Settings) -> Rotation:
    """Replace the master secret. Raises ``E_CONFIG`` where a key or a list cannot be read; then nothing is lost.

    A secret in a file is replaced by a random one. One in the environment can only be replaced by whoever sets it: the
    first call keeps it as the former one, the second call, under the new one, does the rest.
    """
    former = FormerSecret.load(settings)
    if former is None or former.retiring is None:
        former = _begin(settings, former)
    if load_master(settings) == former.retiring:
        if settings.audit_secret is not None:
            return Rotation(waits_for_setting=True)
        replace_secret_file(settings.data_dir / FILE, new_secret())
    done = Rotation(waits_for_setting=False, keys=_seal_keys(settings, former), lists=_sign_lists(settings))
    former.finish(settings)
    return done


def _begin(settings: Settings, former: FormerSecret | None) -> FormerSecret:
    """Note what stays of the secret that is used now."""
    master = load_master(settings)
    begun = FormerSecret(
        naming=former.naming if former else expand(master, NAMING),
        person=former.person if former else expand(master, PERSON_HASH),
        public_keys=(*(former.public_keys if former else ()), AuditKey.derive(master).public_key),
        retiring=master,
    )
    begun.save(settings)
    return begun


def _seal_keys(settings: Settings, former: FormerSecret) -> int:
    if not has_keys(settings):
        return 0
    return PersonKeys(keys_folder(settings), load_master(settings), former).seal_anew()


def _sign_lists(settings: Settings) -> int:
    lists = _list_files(settings)
    key = load_audit_key(settings)
    for each in lists:
        ErasureList(each, key).sign_anew()
    return len(lists)


def _list_files(settings: Settings) -> list[Path]:
    return sorted((settings.erasures_folder or settings.data_dir / FOLDER).glob("*.jsonl"))
