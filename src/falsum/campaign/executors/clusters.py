"""Connects to the cluster that an address or a table of `falsum.toml` describes, or starts it."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from falsum.errors import SurroundingsError, UsageError

if TYPE_CHECKING:
    from falsum.campaign.executors.dask import DaskExecutor
    from falsum.solvers.solver import Solver

# Where the cluster of a kind is defined.
_KINDS: Final = {
    "slurm": "dask_jobqueue:SLURMCluster",
    "pbs": "dask_jobqueue:PBSCluster",
    "sge": "dask_jobqueue:SGECluster",
    "lsf": "dask_jobqueue:LSFCluster",
    "ssh": "distributed:SSHCluster",
}
# Dask watches itself a hundred times a second, in every process: a tenth of a core for two workers.
_QUIET: Final = {
    "distributed": {
        "admin": {
            "tick": {"interval": "500ms"},
            "system-monitor": {"interval": "5s", "gil": {"enabled": False}},
        },
        "deploy": {"lost-worker-timeout": "5s"},
        "scheduler": {"active-memory-manager": {"start": False}},
        "worker": {"memory": {"monitor-interval": "1s"}, "profile": {"enabled": False}},
    }
}
_CERTIFICATES: Final = (
    "set distributed.comm.tls in ~/.config/dask/distributed.yaml, on every machine, as docs/cluster.md shows"
)
# How often a cluster of this machine is started before its start counts as impossible.
_STARTS: Final = 3
_INSTALL: Final = "run: pip install 'falsum[cluster]'"


class ClusterTable(msgspec.Struct, frozen=True):
    """`[clusters.NAME]`: how to start a cluster; `options` are those of Dask's class for this kind."""

    kind: Literal["slurm", "pbs", "sge", "lsf", "ssh"]
    workers: int = 1
    options: dict[str, Any] = {}


def connect(address: str, tables: Mapping[str, ClusterTable], solvers: list[Solver]) -> DaskExecutor:
    """The executor on a cluster: `tcp://…` or `tls://…` of a scheduler, `local:N`, or the name of a table."""
    distributed = dask()
    from falsum.campaign.executors.cluster_connection import ClusterConnection  # noqa: PLC0415 - Dask is optional
    from falsum.campaign.executors.cluster_setup import SetupContents  # noqa: PLC0415
    from falsum.campaign.executors.dask import DaskExecutor  # noqa: PLC0415

    setup = SetupContents.of(secrets.token_hex(8), solvers)
    if address.startswith(("tcp://", "tls://")):
        _expect_certificates(distributed, address)
        return DaskExecutor(ClusterConnection(_client(distributed, address), setup))
    if address.startswith("local:"):
        cluster = _local(distributed, address)
        workers = len(cluster.workers)
    else:
        cluster, workers = _started(address, tables), 0
    return DaskExecutor(ClusterConnection(_client(distributed, cluster), setup, cluster, workers))


def connected_client(address: str) -> Any:
    """A client of the scheduler at an address, and nothing more."""
    if not address.startswith(("tcp://", "tls://")):
        raise UsageError(
            f"invalid address {address!r} of a scheduler; use tcp://HOST:PORT or tls://HOST:PORT"
        )
    distributed = dask()
    _expect_certificates(distributed, address)
    return _client(distributed, address)


def _expect_certificates(distributed: Any, address: str) -> None:
    """Raise an error if certificates are missing, because Dask would wait for them for ever."""
    if address.startswith("tls://") and not _has_certificates(distributed):
        raise UsageError(f"{address} needs certificates: {_CERTIFICATES}")


def _has_certificates(distributed: Any) -> bool:
    """Whether the user's settings of Dask name certificates."""
    security = distributed.Security()
    return bool(security.tls_ca_file and security.tls_client_cert)


def dask() -> Any:
    """Dask's library, with quieter defaults; SurroundingsError if it is not installed."""
    try:
        distributed = importlib.import_module("distributed")
        settings = importlib.import_module("dask.config")
    except ImportError as error:
        raise SurroundingsError(f"--cluster needs Dask; {_INSTALL}") from error
    settings.update_defaults(_QUIET)  # what the user has set stays
    return distributed


def _client(distributed: Any, cluster: Any) -> Any:
    try:
        return distributed.Client(cluster, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise SurroundingsError(f"no scheduler answers at {cluster}: {error}") from error
    except (ValueError, TypeError) as error:
        raise UsageError(f"invalid cluster address {cluster!r}: {error}") from error


def _local(distributed: Any, address: str) -> Any:
    number = address.removeprefix("local:")
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(f"invalid cluster address {address!r}; use e.g. local:4")
    why = ""
    for _ in range(_STARTS):
        try:
            return distributed.LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=40,
                # Whoever reaches Dask runs code: other users of this machine have no certificate.
                protocol="tls://",
                security=_temporary_security(distributed),
            )
        except RuntimeError as error:  # a worker of it ended before it had begun, killed perhaps
            why = str(error)
    raise SurroundingsError(f"{address} cannot be started, not at {_STARTS} tries: {why}")


def _temporary_security(distributed: Any) -> Any:
    """Certificates for one cluster, kept in memory only."""
    try:
        return distributed.Security.temporary()
    except ImportError as error:
        raise SurroundingsError(
            f"a cluster of one's own needs the package cryptography; {_INSTALL}"
        ) from error


def _job_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a cluster of jobs, with certificates in the user's home, which all its
    machines share.
    """
    security = {"security": _temporary_security(dask()), "shared_temp_directory": str(Path.home())}
    return {**security, **options}


def _ssh_options(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a cluster over SSH, whose machines talk to each other by TLS.

    Dask starts its processes with settings on their command lines, which everybody can read: so there are no
    temporary certificates for them.
    """
    if not _has_certificates(dask()):
        raise UsageError(
            f"[clusters.{name}]: anybody on the network could run code on a cluster of kind ssh without "
            f"certificates: {_CERTIFICATES}"
        )
    encrypted = {
        place: {"protocol": "tls://"} | options.get(place, {})
        for place in ("scheduler_options", "worker_options")
    }
    return {**options, **encrypted}


def _started(name: str, tables: Mapping[str, ClusterTable]) -> Any:
    if name not in tables:
        tables_text = f"; falsum.toml has {', '.join(tables)}" if tables else ""
        raise UsageError(
            f"invalid cluster address {name!r}; use tcp://HOST:PORT, local:N "
            f"or the name of a [clusters] table{tables_text}"
        )
    table = tables[name]
    options = _ssh_options(name, table.options) if table.kind == "ssh" else _job_options(table.options)
    module, _, kind = _KINDS[table.kind].partition(":")
    try:
        make = getattr(importlib.import_module(module), kind)
    except ImportError as error:
        raise SurroundingsError(f"a {table.kind} cluster needs {module}; {_INSTALL}") from error
    # Dask tells its whole life otherwise, and shows its dashboard to everybody.
    logging.getLogger("distributed").setLevel(logging.WARNING)
    scheduler = {"dashboard_address": "127.0.0.1:0"} | options.get("scheduler_options", {})
    try:
        cluster = make(**options | {"scheduler_options": scheduler})
    except (TypeError, ValueError) as error:
        raise UsageError(f"[clusters.{name}.options]: {error}") from error
    if table.kind != "ssh":  # which starts one on every host
        cluster.scale(jobs=table.workers)
    return cluster
