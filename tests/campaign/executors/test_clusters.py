"""Addresses of clusters, and tables of `falsum.toml` that describe them."""

from __future__ import annotations

import pytest

from falsum.campaign.executors.clusters import ClusterTable, _local, _ssh_options, connect, dask
from falsum.errors import SurroundingsError, UsageError

pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nowhere", "use tcp://HOST:PORT, local:N or the name of a [clusters] table; falsum.toml has big"),
        ("local:0", "use e.g. local:4"),
        ("local:many", "use e.g. local:4"),
    ],
)
def test_addresses_that_mean_nothing(address: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        connect(address, {"big": ClusterTable("slurm")}, [])
    assert message in str(error.value)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Dask's, of what is half made
def test_options_that_the_kind_of_cluster_does_not_have() -> None:
    with pytest.raises((UsageError, SurroundingsError)):
        connect("mine", {"mine": ClusterTable("slurm", options={"nonsense": 1})}, [])


def test_dask_watches_itself_less_unless_the_user_wants_it() -> None:
    config = pytest.importorskip("dask.config")
    with pytest.raises(UsageError):
        connect("local:0", {}, [])
    assert config.get("distributed.worker.profile.enabled") is False
    with config.set({"distributed.worker.profile.enabled": True}):
        with pytest.raises(UsageError):
            connect("local:0", {}, [])
        assert config.get("distributed.worker.profile.enabled") is True


def test_an_encrypted_address_without_certificates_is_an_error_at_once() -> None:
    with pytest.raises(UsageError, match="needs certificates"):
        connect("tls://127.0.0.1:1", {}, [])


def test_clusters_of_ones_own_are_encrypted() -> None:
    distributed = dask()
    with _local(distributed, "local:1") as cluster:
        assert cluster.scheduler_address.startswith("tls://")
        with pytest.raises((OSError, TypeError), match=r"TLS|expects|security"):
            distributed.Client(cluster.scheduler_address, timeout=3, set_as_default=False)


@pytest.mark.parametrize(("deaths", "is_started"), [(0, True), (2, True), (3, False)])
def test_a_worker_that_is_killed_before_it_has_begun_ends_no_campaign(
    deaths: int, is_started: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = dask()
    started: list[object] = []

    def dying(**options: object) -> object:
        started.append(options["security"])
        if len(started) <= deaths:
            raise RuntimeError("Nanny failed to start.")
        return "a cluster"

    monkeypatch.setattr(distributed, "LocalCluster", dying)
    if is_started:
        assert _local(distributed, "local:2") == "a cluster"
        assert len(started) == deaths + 1
    else:
        with pytest.raises(SurroundingsError, match="local:2 cannot be started, not at 3 tries: Nanny"):
            _local(distributed, "local:2")


def test_a_cluster_over_ssh_wants_certificates() -> None:
    table = ClusterTable("ssh", options={"hosts": ["head", "one"]})
    with pytest.raises(UsageError, match=r"\[clusters.boxes\]: anybody .* set distributed.comm.tls"):
        connect("boxes", {"boxes": table}, [])


def test_machines_of_a_cluster_over_ssh_talk_by_tls() -> None:
    config = pytest.importorskip("dask.config")
    options = {"hosts": ["head", "one"], "worker_options": {"nthreads": 1}}
    tls = "distributed.comm.tls"
    with config.set({f"{tls}.ca-file": "cert.pem", f"{tls}.client.cert": "cert.pem"}):
        encrypted = _ssh_options("boxes", options)
    assert encrypted["worker_options"] == {"nthreads": 1, "protocol": "tls://"}
    assert encrypted["scheduler_options"] == {"protocol": "tls://"}
    assert encrypted["hosts"] == ["head", "one"]
