"""What the embedded server is told, on its command line, at every start.

On the command line a setting outranks the files of the cluster, so that a later release changes
it without a migration and a stray `ALTER SYSTEM` cannot loosen it. The server is found through a
Unix socket in a directory of mode 0700 and listens to no TCP address: whoever can reach the
socket can already read and write the cluster's files, and a password, which would have to lie
beside them, would protect nothing more. Authentication is therefore `trust` on the socket, and
`reject` for everything else.

The log must not hold what people wrote. Errors of statements quote values in their first line
(`invalid input syntax for type integer: "…"`) and go to the client only; what the server says of
itself (`LOG` and worse) is kept, but terse, since the detail of a crash quotes the statement.
"""

import sys
from collections.abc import Iterator

OWNER = "athanor_owner"
PORT = 5432  # names the socket file; nothing listens on it

# A new cluster, and a crashed one before it recovers, go to the disk as a whole. One call for the
# file system does what a thousand for its files do, in a tenth of the time on a busy disk.
_SYNC = "syncfs" if sys.platform == "linux" else "fsync"

_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0600",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "huge_pages": "off",
    "io_method": "sync",  # three processes fewer, and nothing to gain with so small a database
    "max_logical_replication_workers": "0",
    "jit": "off",
    # PostgreSQL is the authority: a commit that was reported is on the disk.
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "recovery_init_sync_method": _SYNC,
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_destination": "stderr",
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}

INITDB = (
    f"--username={OWNER}",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    f"--sync-method={_SYNC}",
    "--auth-local=trust",
    "--auth-host=reject",
    # For someone who starts the cluster by hand: still no TCP.
    "--set=listen_addresses=",
)


def arguments(socket_directory: str) -> Iterator[str]:
    """Yield the server's arguments; `socket_directory` may be relative to the data directory."""
    # The setting is a list: quoted, an element keeps its commas and spaces.
    quoted = socket_directory.replace('"', '""')
    yield from ("-k", f'"{quoted}"')
    for name, value in _SETTINGS.items():
        yield from ("-c", f"{name}={value}")
