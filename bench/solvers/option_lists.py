"""Writes the lists of options of products, from what their releases list themselves.

A list has a line for each option: its name, its kind (bool, int, float, mode, text), and the first and last
release with it if not all have it. Texts may name files, programs or sockets; scripts never set them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from bench.command import command_parser
from packaging.version import Version

from falsum.solvers.limits import Limits
from falsum.solvers.options import named_choices
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.profiles.option_list import FOLDER, TEXT
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo

LIMITS = Limits(seconds=30)
# `    name (kind) words`, below `[module] name`.
PARAMETER = re.compile(r"    (\S+) \(([^)]+)\) ?(.*)$")
MODULE = re.compile(r"\[module\] ([^,\s]+)")
PARAMETER_KINDS = {
    "bool": "bool",
    "unsigned int": "int",
    "int": "int",
    "double": "float",
    "rational": "float",
}
# `  --name=ARGUMENT | --other-name=ARGUMENT | -n   words`
FLAGS = re.compile(r"  (-\S+(?: \S+)?(?: \| -\S+(?: [A-Z]+)?)*)")
FLAG = re.compile(r"--([A-Za-z][\w-]*)(?:=(\S+))?")
ARGUMENT_KINDS = {
    **dict.fromkeys(("N", "MS", "S", "T", "n"), "int"),
    **dict.fromkeys(("P", "F"), "float"),
    **dict.fromkeys(("MODE", "mode", "RULE", "HOW"), "mode"),
}

Kinds = dict[tuple[str, str], str]  # ("option" or "parameter", name) → kind


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.option_lists", __doc__)
    made.add_argument("products", nargs="*", metavar="PRODUCT", help="products (default: all with a list)")
    made.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a list differs")
    return made


def main() -> int:
    args = parser().parse_args()
    products = args.products or [name for name, profile in BY_PRODUCT.items() if profile.option_list]
    differing = 0
    with ProcessRunner() as runner:
        for product in products:
            text = written(product, releases_of(product, runner))
            file = FOLDER / BY_PRODUCT[product].option_list
            if args.check:
                differing += not file.exists() or file.read_text(encoding="utf-8") != text
            else:
                file.write_text(text, encoding="utf-8")
            print(f"{file.name}: {text.count('option ')} lines of options")
    return 1 if differing else 0


def releases_of(product: str, runner: ProcessRunner) -> dict[str, Kinds]:
    """What each release on this machine lists, oldest first."""
    found: dict[Version, Kinds] = {}
    for release in sorted(Zoo().all(), key=lambda each: parse_version(each.version)):
        version = parse_version(release.version)
        sets_none = "set-option" in BY_PRODUCT[product].omitted_commands(release.version)
        if release.product != product or sets_none or version in found:
            continue
        solver = Solver(release.name, replace(BY_PRODUCT[product], draw_rules=None), release)
        if release.program is None:
            kinds: Kinds = {("option", option.name): option.kind for option in solver.options(runner)}
        elif solver.profile.parameters_arguments:
            described = Program((release.program, *solver.profile.parameters_arguments))
            kinds = _section("option", from_descriptions(_said(runner, described)))
            cold = Program((release.program, *solver.profile.arguments))
            kinds |= _section("parameter", from_descriptions(_said(runner, cold, b"(help-tactic)")))
        else:
            kinds = _section("option", from_help(_said(runner, Program((release.program, "--help")))))
        if kinds:
            found[version] = kinds
    return {str(version): kinds for version, kinds in found.items()}


def _section(section: str, kinds: Iterable[tuple[str, str]]) -> Kinds:
    return {(section, name): kind for name, kind in kinds}


def _said(runner: ProcessRunner, program: Program, script: bytes | None = None) -> str:
    return runner.run(program, LIMITS, script).stdout.decode(errors="replace")


def from_descriptions(text: str) -> Iterable[tuple[str, str]]:
    module = ""
    for line in text.splitlines():
        if header := MODULE.match(line):
            module = f"{header[1]}."
        elif found := PARAMETER.match(line):
            name, kind, words = found.groups()
            chosen = "mode" if kind in ("symbol", "string") and named_choices(words) else TEXT
            yield module + name, PARAMETER_KINDS.get(kind, chosen)


def from_help(text: str) -> Iterable[tuple[str, str]]:
    for line in text.splitlines():
        if flags := FLAGS.match(line):
            for name, argument in FLAG.findall(flags[1]):
                yield name, ARGUMENT_KINDS.get(argument, TEXT) if argument else "bool"


def written(product: str, releases: dict[str, Kinds]) -> str:
    """The list as text: a line for each option and kind."""
    names = list(releases)
    having: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for place, kinds in enumerate(releases.values()):
        for (section, name), kind in kinds.items():
            having[section, name, kind].append(place)
    lines = [
        f"# Options of {product} as its releases list them: python -m bench.solvers.option_lists {product}",
        f"releases {' '.join(names)}",
    ]
    for (section, name, kind), places in sorted(having.items()):
        first, last = places[0], places[-1]
        since = "-" if first == 0 else names[first]
        until = "-" if last == len(names) - 1 else names[last]
        lines.append(f"{section} {name} {kind}" + ("" if since == until == "-" else f" {since} {until}"))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
