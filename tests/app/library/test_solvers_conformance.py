"""`falsum api --conformance` says which checks a binding fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.toy.builds import LIBRARY, toy

from falsum.api.bindings import TEMPLATE
from falsum.app.main import main


@pytest.mark.parametrize(("change", "code"), [("", 0), ("raise ValueError('oh no')", 1)])
def test_the_exit_code_and_the_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str, code: int
) -> None:
    shutil.copy(toy(*LIBRARY) / "libtoy.so", tmp_path)
    file = tmp_path / "my binding.v2.py"
    text = TEMPLATE.read_text()
    file.write_text(text.replace("        return name\n", f"        {change or 'return name'}\n", 1))
    with pytest.raises(SystemExit) as left:
        main(["api", "--conformance", str(file)])
    out = capsys.readouterr().out
    assert left.value.code == code
    assert "checks passed" in out
    assert ("oh no" in out) == bool(code)
