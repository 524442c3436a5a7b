"""Queries, and a solver that is z3 but for queries with a planted name: there it lies or gives up."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from random import Random

Z3 = shutil.which("z3", path=str(Path(sys.executable).parent)) or ""

# `$@` is the command line of z3, with the script last. `sat` and `unsat` are whole lines of its output.
LIAR = f"""#!/bin/sh
z3() {{ {Z3} "$@"; }}
for last; do :; done
[ -f "$last" ] || exec {Z3} "$@"
has() {{ grep -q "$1" "$last"; }}
if has plant_wrong; then z3 "$@" | sed 's/^sat$/unsat/'
elif has plant_lost; then z3 "$@" | sed 's/^unsat$/unknown/'
elif has plant_rejected; then echo '(error "line 1 column 1: unknown command")'
elif has plant_slower; then i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; z3 "$@"
elif has plant_format; then z3 "$@" | sed 's/(define-fun \\([^ ]*\\) () Int/(= \\1/'
elif has plant_model; then z3 "$@" | sed 's/ 12)$/ 3)/'
elif has plant_unstable; then
  case "$*" in *random_seed=[13579]*) z3 "$@" | sed 's/^unsat$/unknown/';; *) z3 "$@";; esac
else exec {Z3} "$@"
fi
"""

SAT = """(set-option :produce-models true)
(declare-const {name} Int)
(declare-const y Int)
(assert (> {name} {low}))
(assert (= y (* 2 {name})))
(assert (= {name} {value}))
(check-sat)
(get-model)
"""
UNSAT = """(set-option :auto_config false)
(set-option :smt.mbqi false)
(declare-sort T 0)
(declare-fun f (T Int) Int)
(declare-const {name} T)
(assert (! (forall ((t T) (i Int)) (! (> (f t i) i) :pattern ((f t i)))) :named axiom))
(push 1)
(assert (not (> (f {name} {low}) (- {value} 40))))
(check-sat)
(pop 1)
"""
# By the name of the plant.
PLANTS = {
    "plant_wrong": SAT, "plant_lost": UNSAT, "plant_rejected": UNSAT, "plant_slower": UNSAT,
    "plant_format": SAT, "plant_unstable": UNSAT,
}  # fmt: skip


def liar(folder: Path) -> str:
    """The name of the solver that lies."""
    file = folder / "liar"
    file.write_text(LIAR)
    file.chmod(0o755)
    return f"z3={file}"


def query(template: str, name: str, rng: Random) -> str:
    low = rng.randrange(10)
    return template.format(name=name, low=low, value=low + 1 + rng.randrange(20))


def honest(count: int, rng: Random) -> dict[str, str]:
    """Queries about which nobody lies, by their names."""
    return {f"honest{number}": query((SAT, UNSAT)[number % 2], f"c{number}", rng) for number in range(count)}


def planted(rng: Random) -> dict[str, str]:
    return {name: query(template, name, rng) for name, template in PLANTS.items()}


def write(folder: Path, queries: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in queries.items():
        (folder / f"{name}.smt2").write_text(text)
    return folder
