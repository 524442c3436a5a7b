"""The job script and the manifest of docs/cluster: they parse, fit together, and call Dask as it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "docs" / "cluster"
SCRIPT = (FOLDER / "slurm.sh").read_text()
MANIFEST: list[dict[str, Any]] = list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text()))


def test_the_job_script_parses() -> None:
    subprocess.run(["sh", "-n", FOLDER / "slurm.sh"], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", FOLDER / "slurm.sh"], check=True)
    assert all(re.fullmatch(r"#SBATCH --[a-z-]+=\S+", row) for row in SCRIPT.splitlines() if "#SBATCH" in row)


@pytest.mark.parametrize("command", ["dask_scheduler", "dask_worker"])
def test_options_of_dask_are_its_own(command: str) -> None:
    """Those of the job script and of the manifest."""
    pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")
    joined = SCRIPT.replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if f"distributed.cli.{command} " in line]
    lines += [" ".join(words) for words in container_commands() if f"distributed.cli.{command}" in words]
    assert len(lines) == 2
    used = {word for line in lines for word in re.findall(r"--[a-z-]+", line.partition(command)[2])}
    told = subprocess.run(
        [sys.executable, "-m", f"distributed.cli.{command}", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert used <= set(re.findall(r"--[a-z-]+", told.stdout))


def container_commands() -> list[list[str]]:
    return [container["command"] for one in MANIFEST for container in containers(one)]


def containers(one: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = one["spec"].get("template", {}).get("spec", {}).get("containers", [])
    return found


def test_the_manifest_fits_together() -> None:
    kinds = [one["kind"] for one in MANIFEST]
    assert kinds == ["Service", "Deployment", "Deployment", "Job", "PersistentVolumeClaim"]
    service, scheduler, workers, campaign, claim = MANIFEST
    for deployment in (scheduler, workers):
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == scheduler["spec"]["template"]["metadata"]["labels"]
    port = service["spec"]["ports"][0]["port"]
    address = f"tcp://{service['metadata']['name']}:{port}"
    assert address in " ".join(containers(workers)[0]["command"])
    assert address in " ".join(containers(campaign)[0]["command"])
    (volume,) = campaign["spec"]["template"]["spec"]["volumes"]
    assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    for one in (workers, campaign):
        given = {volume["name"] for volume in one["spec"]["template"]["spec"]["volumes"]}
        assert {mount["name"] for mount in containers(one)[0]["volumeMounts"]} == given
