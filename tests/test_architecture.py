"""The layout is a promise: the documents say what is there, and nothing knows what it should not."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

from falsum.app import commands
from falsum.smtlib import terms
from falsum.solvers import profiles

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "falsum"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
MOST_LINES = 450
NODES = frozenset(
    name for name, thing in vars(terms).items() if isinstance(thing, type) and hasattr(thing, "sort")
)


def tree(module: str) -> ast.Module:
    return ast.parse((SOURCE / module).read_text(encoding="utf-8"))


def test_architecture_lists_every_module() -> None:
    """In docs/architecture.md every module is a line `path/module.py  what is in it`."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^    ([a-z0-9_/]+\.py)\s", text, re.MULTILINE)
    wanted = [module for module in MODULES if not module.endswith("__init__.py")]
    assert sorted(listed) == sorted(set(listed))
    missing = [module for module in wanted if module not in listed]
    gone = [module for module in listed if module not in wanted]
    assert not missing, f"docs/architecture.md lacks {missing}"
    assert not gone, f"docs/architecture.md lists {gone}, which is not there"


def test_modules_are_short() -> None:
    long = {
        module: size
        for module in MODULES
        if (size := len((SOURCE / module).read_text().splitlines())) > MOST_LINES
    }
    assert not long


def test_every_module_says_what_it_is() -> None:
    assert not [
        module
        for module in MODULES
        if (SOURCE / module).read_text().strip() and not ast.get_docstring(tree(module))
    ]


def test_only_terms_makes_nodes() -> None:
    """Elsewhere a node class may be matched and annotated, never called."""
    assert {"App", "Value", "Var", "Let", "Quantifier", "Lambda", "Match", "Annotated"} <= NODES
    guilty = []
    for module in MODULES:
        # Bindings run without falsum; a library may have methods of the same names.
        if module == "smtlib/terms.py" or module.startswith("api/bindings/"):
            continue
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Call) and called(node) in NODES:
                guilty.append(f"{module}:{node.lineno}")
            if (
                isinstance(node, ast.Attribute)
                and node.attr == "__new__"
                and ast.unparse(node) == "object.__new__"
            ):
                guilty.append(f"{module}:{node.lineno}")
    assert not guilty


def called(call: ast.Call) -> str:
    function = call.func
    return (
        function.id
        if isinstance(function, ast.Name)
        else function.attr
        if isinstance(function, ast.Attribute)
        else ""
    )


def test_every_command_is_assembled() -> None:
    there = {path.stem.replace("_", "-") for path in (SOURCE / "app" / "commands").glob("*.py")} - {
        "--init--"
    }
    assert there == set(commands.ALL)
    for name in commands.ALL:
        module = importlib.import_module(f"falsum.app.commands.{name.replace('-', '_')}")
        assert isinstance(module.command, click.Command)
        assert module.command.help


def test_no_room_for_leftovers() -> None:
    forbidden = {"utils", "helpers", "common", "misc", "base", "manager"}
    assert not [module for module in MODULES if forbidden & set(re.split(r"[/_.]", module))]


# Each has a module for each product; `serve.py` and their like in them are checked by reading.
PRODUCT_ROOMS = (
    "solvers/profiles/",
    "solvers/hosts/",
    "api/bindings/",
    "app/report/trackers.py",
    "app/report/suites.py",
)


def words(module: str) -> Iterator[tuple[int, str]]:
    """The names and the texts in the code of a module, without comments and docstrings."""
    parsed = tree(module)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(parsed)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(parsed):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield node.lineno, text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield node.lineno, text
            case ast.FunctionDef(name=text) | ast.ClassDef(name=text) | ast.alias(name=text):
                yield node.lineno, text


def test_products_are_named_in_their_own_modules_only() -> None:
    known = {name for profile in profiles.ALL.own for name in (profile.product, *profile.programs)}
    # Names are cut at digits' and words' ends: `declare_z3_list` names z3, `stopped` does not name stp.
    product = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(sorted(known))})(?![a-z])")
    guilty = {}
    for module in MODULES:
        if not module.startswith(PRODUCT_ROOMS):
            found = [f"{line}: {text[:60]}" for line, text in words(module) if product.search(text)]
            if found:
                guilty[module] = found
    assert not guilty


def test_the_walk_of_one_mutant_is_short_and_real() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walk = re.findall(r"^\d+\. `([a-z_/]+\.py)`", text, re.MULTILINE)
    assert 10 < len(walk) <= 20
    assert sorted(set(walk)) == sorted(walk)
    assert not [module for module in walk if not (SOURCE / module).is_file()]


def test_no_contract_has_exceptions() -> None:
    """A name of a type may be imported for the type checker only, from the same room or one below."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    assert not [one["name"] for one in settings["contracts"] if any(key.startswith("ignore") for key in one)]
    layers = settings["contracts"][0]["layers"]
    height = {room: -place for place, names in enumerate(layers) for room in names.split(" | ")}
    guilty = [
        f"{module}: {imported}"
        for module in MODULES
        for imported in imported_for_types(tree(module))
        if module != "__init__.py"
        and height[imported.split(".")[1]] > height[module.split("/")[0].removesuffix(".py")]
    ]
    assert not guilty


def imported_for_types(parsed: ast.Module) -> Iterator[str]:
    for node in parsed.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for inner in node.body:
                if isinstance(inner, ast.ImportFrom) and inner.module and inner.module.startswith("falsum."):
                    yield inner.module
