"""Two logins: the owner, who migrates, and the application, which owns nothing and cannot bypass row-level security."""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from psycopg import AsyncConnection, conninfo
from psycopg.errors import Error, InsufficientPrivilege, OperationalError
from psycopg.sql import SQL, Composed, Identifier, Literal

from memory.errors import BrainError, config_error, unavailable
from memory.postgres.failures import brain_error_from, is_out_of_connections, is_out_of_room
from memory.postgres.server import require_least_privilege

_MAX_IDENTIFIER = 63
_KNOWLEDGE = "_knowledge"
_SEPARATE_RIGHTS = 160_000
"""Servers from here on can let a role be taken on without lending its rights to whoever may take it on."""
_PASSING = re.compile(
    r"is (?:starting up|shutting down|in recovery mode)|not yet accepting connections|terminating connection"
    r"|connection refused|timeout|timed out|closed the connection|could not (?:connect|receive|send)",
    re.IGNORECASE,
)
"""How PostgreSQL and its client word a refusal that may be over in a moment."""
_OVERRIDE = "Or create a login role yourself and set BRAIN_APP_DATABASE_URL to its address."


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Where the database is, for each login. ``managed``: the application's role is ours to create.

    ``app`` may lead to a pooler; ``session`` does not, so locks and notifications last there. ``replica`` is the
    owner's way to a copy that follows.
    """

    owner: str = field(repr=False)
    app: str = field(repr=False)
    managed: bool = True
    session: str = field(default="", repr=False)
    replica: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Without a pooler every way is the same."""
        object.__setattr__(self, "session", self.session or self.app)

    @property
    def app_replica(self) -> str | None:
        """The application's way to the copy."""
        return self.replica and _login_at(self.app, self.replica)

    @property
    def of_replica(self) -> "Addresses":
        """The copy as a database of its own, which nobody can write to. Raises ``E_CONFIG`` where there is none."""
        if self.replica is None or self.app_replica is None:
            raise config_error("There is no replica.", "Set BRAIN_REPLICA_DATABASE_URL to the owner's address of one.")
        return Addresses(owner=self.replica, app=self.app_replica, managed=False)

    @property
    def app_role(self) -> str:
        """The name of the role the application logs in as."""
        return str(conninfo.conninfo_to_dict(self.app)["user"])

    @property
    def knowledge_role(self) -> str:
        """The role that the application takes on to read what an organisation knows, and nothing else."""
        return knowledge_role_of(self.app_role)


def knowledge_role_of(app_role: str) -> str:
    """The role for knowledge beside an application's role; ``memory.postgres.database`` takes it on."""
    return f"{app_role[: _MAX_IDENTIFIER - len(_KNOWLEDGE)]}{_KNOWLEDGE}"


def addresses(
    owner: str, app: str | None = None, *, direct: str | None = None, replica: str | None = None
) -> Addresses:
    """Both logins from the owner's URL. Every process that holds it computes the same application password.

    An owner without a password is one that the server trusts; the application then has none either. ``direct``: the
    owner's address of the server itself, where the other one is a pooler's.
    """
    if app and "user" not in conninfo.conninfo_to_dict(app):
        raise config_error(
            "BRAIN_APP_DATABASE_URL names no user.", "Write postgresql://USER:PASSWORD@host/database into it."
        )
    login = app or _app_login(direct or owner)
    return Addresses(
        owner=direct or owner,
        app=_login_at(login, owner) if direct and not app else login,
        managed=not app,
        session=_login_at(login, direct) if direct else login,
        replica=replica,
    )


def _app_login(owner: str) -> str:
    parts = {key: str(value) for key, value in conninfo.conninfo_to_dict(owner).items()}
    if not parts.get("user") or not parts.get("dbname"):
        raise config_error("BRAIN_DATABASE_URL must name a user and a database.", _OVERRIDE)
    role = f"{parts['dbname'][: _MAX_IDENTIFIER - len('_app')]}_app"
    return _url({**parts, "user": role} | _password(parts))


def _login_at(login: str, place: str) -> str:
    """A login's user and password at another place."""
    known = {key: str(value) for key, value in conninfo.conninfo_to_dict(login).items()}
    parts = {key: str(value) for key, value in conninfo.conninfo_to_dict(place).items() if key != "password"}
    return _url(parts | {key: known[key] for key in ("user", "password") if key in known})


def _password(parts: dict[str, str]) -> dict[str, str]:
    if not parts.get("password"):
        return {}
    derived = hmac.new(parts["password"].encode(), f"brain app {parts['dbname']}".encode(), hashlib.sha256)
    return {"password": derived.hexdigest()}


async def ensure_app_role(connection: AsyncConnection[Any], where: Addresses) -> bool:
    """Create the application's role if it is ours to create and missing; whether it was. Raises ``E_CONFIG``."""
    if not where.managed or await _has_role(connection, where.app_role):
        return False
    create = SQL("create role {} login nosuperuser nobypassrls nocreatedb nocreaterole password {}")
    try:
        await connection.execute(_with_password(connection, create, where))
    except Error as error:
        raise _role_error(where, error) from error
    return True


async def ensure_knowledge_role(connection: AsyncConnection[Any], where: Addresses) -> None:
    """Create the role for knowledge where it is missing, and let the application take it on. Raises ``E_CONFIG``.

    The application does not inherit its rights: outside of knowledge's own sessions it cannot read knowledge either.
    """
    if not await _has_role(connection, where.app_role):
        return  # whoever was to make it is told so when the application is to log in
    role, app = Identifier(where.knowledge_role), Identifier(where.app_role)
    tells_apart = connection.info.server_version >= _SEPARATE_RIGHTS
    apart = SQL(" with inherit false, set true" if tells_apart else "")
    try:
        if not tells_apart and await _inherits(connection, where):
            await connection.execute(SQL("alter role {} noinherit").format(app))
        if not await _has_role(connection, where.knowledge_role):
            await connection.execute(SQL("create role {} nologin nosuperuser nobypassrls").format(role))
        if not await _may_take_on(connection, where):
            await connection.execute(SQL("grant {} to {}{}").format(role, app, apart))
    except Error as error:
        if not isinstance(error, InsufficientPrivilege):
            raise
        raise config_error(
            f"The role {where.knowledge_role}, by which knowledge is read apart from memory, cannot be made.",
            f"As an administrator: CREATE ROLE {where.knowledge_role} NOLOGIN;"
            f" GRANT {where.knowledge_role} TO {where.app_role};"
            + ("" if tells_apart else f" ALTER ROLE {where.app_role} NOINHERIT;"),
        ) from error


async def _inherits(connection: AsyncConnection[Any], where: Addresses) -> bool:
    """Whether the application's role has the rights of every role that it belongs to: before 16, of all or of none."""
    cursor = await connection.execute("select 1 from pg_roles where rolinherit and rolname = %s", (where.app_role,))
    return await cursor.fetchone() is not None


async def _may_take_on(connection: AsyncConnection[Any], where: Addresses) -> bool:
    cursor = await connection.execute(
        "select 1 from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles a on a.oid = m.member"
        " where r.rolname = %s and a.rolname = %s",
        (where.knowledge_role, where.app_role),
    )
    return await cursor.fetchone() is not None


async def require_app_login(connection: AsyncConnection[Any], where: Addresses) -> None:
    """Log in as the application once, renewing an outdated password. Raises ``E_CONFIG`` or ``E_DEP_UNAVAILABLE``."""
    refusal = await _try_login(where)
    if refusal is None:
        return
    if where.managed and "password" in str(refusal):
        await _renew_password(connection, where)
        refusal = await _try_login(where)
    if refusal is not None and not is_login_refusal(refusal):
        raise brain_error_from(refusal) from refusal
    if refusal is not None:
        raise config_error(
            f"The application's role {where.app_role} cannot log in: {str(refusal).strip().splitlines()[-1]}.",
            f"Let pg_hba.conf admit it as it admits the owner. {_OVERRIDE}",
        )


async def _has_role(connection: AsyncConnection[Any], role: str) -> bool:
    cursor = await connection.execute("select 1 from pg_roles where rolname = %s", (role,))
    return await cursor.fetchone() is not None


async def _try_login(where: Addresses) -> OperationalError | None:
    try:
        async with await AsyncConnection.connect(where.session, autocommit=True, connect_timeout=5) as connection:
            await require_least_privilege(connection)
    except OperationalError as error:
        return error
    return None


def is_login_refusal(refusal: OperationalError) -> bool:
    """Whether the server means this role and not everybody: a full, starting or ending server refuses anyone."""
    passes = is_out_of_connections(refusal) or is_out_of_room(refusal) or _PASSING.search(str(refusal))
    return not passes


async def _renew_password(connection: AsyncConnection[Any], where: Addresses) -> None:
    try:
        await connection.execute(_with_password(connection, SQL("alter role {} password {}"), where))
    except InsufficientPrivilege as error:
        raise _role_error(where, error) from error


def _with_password(connection: AsyncConnection[Any], template: SQL, where: Addresses) -> Composed:
    """Only the SCRAM verifier travels, so that the password never reaches the server's log."""
    password = conninfo.conninfo_to_dict(where.app).get("password")
    if not password:
        return template.format(Identifier(where.app_role), SQL("null"))
    password = str(password)
    verifier = connection.pgconn.encrypt_password(password.encode(), where.app_role.encode(), b"scram-sha-256")
    return template.format(Identifier(where.app_role), Literal(verifier.decode()))


def _role_error(where: Addresses, error: Error) -> BrainError:
    if isinstance(error, OperationalError):
        return unavailable("The database went away while the application's role was made.", "Try again.")
    return config_error(
        f"The application's role {where.app_role} cannot be created or given a password"
        f" ({error.diag.message_primary or type(error).__name__}).",
        f"Give the owner CREATEROLE. {_OVERRIDE}",
    )


def _url(parts: dict[str, str]) -> str:
    """A URL again, with every part quoted; what is not in the standard places becomes an option."""
    options = {key: value for key, value in parts.items() if key not in {"user", "password", "host", "port", "dbname"}}
    options |= {key: parts[key] for key in ("host", "port") if key in parts}
    query = "&".join(f"{quote(key)}={quote(value, safe='')}" for key, value in options.items())
    secret = f":{quote(parts['password'], safe='')}" if "password" in parts else ""
    login = f"{quote(parts['user'], safe='')}{secret}"
    return f"postgresql://{login}@/{quote(parts['dbname'], safe='')}" + (f"?{query}" if query else "")
