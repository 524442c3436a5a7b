"""Options before a sub-command mean what they mean after it."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.app.test_main import called

from falsum.app.command_group import CommandGroup
from falsum.store.store import Store


@click.group(cls=CommandGroup, default="list")
def group() -> None:
    pass


@group.command("list")
@click.option("--out", default="here")
@click.option("--jobs", "-j", type=int, default=1)
@click.option("--json", "as_json", is_flag=True)
def list_(out: str, jobs: int, *, as_json: bool) -> None:
    click.echo(f"list {out} {jobs} {as_json}")


@group.command()
@click.argument("name")
@click.option("--out", default="here")
def show(name: str, out: str) -> None:
    click.echo(f"show {name} {out}")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("list --out X -j 3", "list X 3 False"),
        ("--out X list", "list X 1 False"),
        ("--out=X -j3 --json list", "list X 3 True"),
        ("--out X show it", "show it X"),
        ("--out list list", "list list 1 False"),
        ("--out X list --out Y", "list Y 1 False"),
        ("--json", "list here 1 True"),
        ("", "list here 1 False"),
    ],
)
def test_both_places(arguments: str, text: str) -> None:
    assert CliRunner().invoke(group, arguments.split()).output == f"{text}\n"


@pytest.mark.parametrize("arguments", ["--nonsense list", "--json show it", "--out list"])
def test_options_of_another_sub_command_are_not_taken(arguments: str) -> None:
    result = CliRunner().invoke(group, arguments.split())
    assert "list list" in result.output if arguments == "--out list" else result.exit_code == 2


def test_findings_are_listed_from_the_store_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`findings --out X list` once listed the store in ./falsum-out."""
    monkeypatch.chdir(tmp_path)
    Store(tmp_path / "falsum-out").close()
    for arguments in (["findings", "list"], ["findings"], ["findings", "--out", "falsum-out"]):
        assert called(capsys, *arguments)[0] == 0
    for place in (["findings", "--out", "no", "list"], ["--out", "no", "findings"], ["findings", "--out=no"]):
        code, _out, err = called(capsys, *place)
        assert (code, err) == (3, "falsum: no: no campaign here\n")
