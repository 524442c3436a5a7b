"""Rewrites the list of modules in architecture.md from the modules' docstrings: `make docs`."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src" / "falsum"
START, END = "## Every module\n", "## Where a line of code belongs\n"


def docstring(module: Path) -> str:
    """The first paragraph, on one line."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def listed(folder: Path) -> str:
    """One package: what it is for, and a line for each module."""
    modules = {
        path.relative_to(SOURCE).as_posix(): docstring(path).split(". ")[0].rstrip(".:")
        for path in sorted(folder.glob("*.py"))
        if path.name != "__init__.py"
    }
    if not modules:
        return ""
    name = folder.relative_to(SOURCE.parent).as_posix()
    package = folder / "__init__.py"
    about = "" if folder == SOURCE or not package.exists() else f"{docstring(package)}\n\n"
    width = max(map(len, modules))
    lines = "\n".join(f"    {module:<{width}}  {what}" for module, what in modules.items())
    return f"### `{name}/`\n\n{about}{lines}\n\n"


def main() -> None:
    page = HERE / "architecture.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(START)
    after = rest.split(END)[1]
    folders = sorted({path.parent for path in SOURCE.rglob("*.py")})
    page.write_text(f"{before}{START}\n{''.join(map(listed, folders))}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
