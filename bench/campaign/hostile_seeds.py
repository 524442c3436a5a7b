"""Seeds nobody should have to read: scripts that want to write files, forge answers or exhaust falsum."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

from tests.solvers.hostile import scripts

# Valid scripts that cost more than they are worth, or would without budgets.
EXHAUSTING = {
    "wide": "(declare-const x (_ BitVec 8))(assert (= (bvnot (_ bv3 90000000000)) (_ bv3 90000000000)))",
    "wide_concat": "(declare-const x (_ BitVec 65000))"
    "(assert (= ((_ repeat 9) (concat x x)) ((_ repeat 9) (concat x x))))",
    "power": "(declare-const x Int)(assert (= x (^ 9 (^ 9 (^ 9 9)))))",
    "numeral": f"(declare-const x Int)(assert (= x {'7' * 90_000}))",
    "deep": f"(declare-const p Bool)(assert {'(not ' * 20_000}p{')' * 20_000})",
    "shared": "(declare-const x Int)"
    + "".join(f"(define-fun f{n + 1} () Int (+ f{n} f{n}))" for n in range(1, 60)).join(
        ("(define-fun f1 () Int x)", "(assert (> f60 3))")
    ),
    "lets": f"(declare-const x Int)(assert {'(let ((x (+ x x))) ' * 300}(> x 0){')' * 300})",
    "datatype": "(declare-datatypes ((T 0)) (((leaf) (node (a T) (b T) (c T) (d T) (e T) (f T)))))"
    "(declare-const x T)(declare-const y T)(assert (not (= x y)))(assert ((_ is node) (a x)))",
    "quantifiers": "(assert (forall ((a (_ BitVec 64)) (b (_ BitVec 64)) (c (Array Int Int)))"
    " (exists ((d Int)) (= (select c d) (bv2nat (bvmul a b))))))",
    "strings": "(declare-const s String)(assert (= (str.len s) 99999999999))(assert (str.in_re s"
    ' ((_ re.loop 1 100000) (re.+ (re.union (str.to_re "a") (str.to_re "aa"))))))',
    "floats": "(declare-const x (_ FloatingPoint 1000 90000))(assert (fp.lt x (fp.mul RNE x x)))",
}


def write_hostile_seeds(folder: Path, forbidden: Path, count: int) -> None:
    """So many seeds that name files in `forbidden`, exhaust resources, or cannot be read at all."""
    folder.mkdir()
    for name, text in EXHAUSTING.items():
        (folder / f"exhausting-{name}.smt2").write_text(f"{text}\n(check-sat)\n")
    _write_unreadable(folder)
    left = max(0, count - len(list(folder.iterdir())))
    collection = list(scripts().items())
    for number in range(left):
        name, text = collection[number * len(collection) // left]
        path = forbidden / str(number)
        # Each its own text: equal ones would be one seed.
        script = f"{text.replace('{path}', str(path))}(declare-const k{number} Int)(assert (> k{number} 3))"
        (folder / f"hostile-{number}.smt2").write_text(f"{script}(check-sat)\n")


def _write_unreadable(folder: Path) -> None:
    os.mkfifo(folder / "fifo.smt2")
    (folder / "device.smt2").symlink_to("/dev/zero")
    (folder / "dangling.smt2").symlink_to(folder / "nothing")
    (folder / "latin.smt2").write_bytes(b"(assert |\xe9\xff|)(check-sat)")
    (folder / "zeros.smt2.gz").write_bytes(gzip.compress(bytes(50_000_000)))
    (folder / os.fsdecode(b"name-\xff.smt2")).write_text("(check-sat)")
    (folder / "broken.smt2.gz").write_bytes(gzip.compress(b"(check-sat)" * 1000)[:-9])
