"""`falsum workers` on a real cluster: workers that are there, and what campaigns noted of others."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from click.testing import CliRunner

from falsum.app.commands import workers
from falsum.campaign.executors.messages import TOPIC
from falsum.errors import UsageError
from falsum.version import __version__

distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")


@pytest.mark.timeout(300)
def test_workers_are_listed_with_their_last_errors() -> None:
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0"
    )
    with closing(cluster), closing(distributed.Client(cluster, set_as_default=False)) as client:
        client.wait_for_workers(1)
        client.log_event(TOPIC, {"worker": "tcp://gone:1", "error": "it is gone"})
        there, gone = listed(cluster.scheduler_address)
    assert (there["slots"], there["running"], there["release"]) == (2, 0, __version__)
    assert (gone["address"], gone["slots"], gone["error"]) == ("tcp://gone:1", 0, "it is gone")


def listed(address: str) -> list[dict[str, object]]:
    result = CliRunner().invoke(workers.command, (address, "--json"), catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_only_schedulers_have_workers() -> None:
    with pytest.raises(UsageError, match="use tcp://HOST:PORT"):
        CliRunner().invoke(workers.command, ("local:2",), catch_exceptions=False)
