"""The commands of the bench: each can be imported, has a parser, and is in the README as it is."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from bench.atlas.select import unknown
from bench.campaign.ablation import found_after, write_growth
from bench.campaign.different_bugs import theories_of, told_apart
from bench.campaign.single_bugs import write as write_single_bugs
from bench.command import INPUT, OUTPUT, command_parser
from bench.experiment import Experiment, Record
from bench.growth.cost import exponent
from bench.growth.inputs import script_of
from bench.known_bugs import Bug, lab_for
from bench.list_commands import END, HERE, README, START, commands, listing, usages
from bench.papers import hunts, storm
from bench.papers.valfuzz_files import monitors_defined
from bench.quality.faults import SOURCE, mutants_of
from bench.quality.mutants import Results
from bench.significance import mean_and_deviation, sign_test, welch
from bench.strategies.before_after import Found, report
from bench.triage import published
from msgspec import structs

from falsum import evaluate
from falsum.atlas.collection import atlas
from falsum.contest.statistics import effect_size, mean_ranks, p_text
from falsum.smtlib import read_script
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME
from falsum.strategies.mutant import Seed

COMMANDS = commands()
# Programs that other modules start, and the one that writes the list.
NOT_COMMANDS = {
    "bench.cluster.campaign_process",
    "bench.cluster.fake_workers",
    "bench.library.coverage_child",
    "bench.list_commands",
    "bench.solvers.warm_solver_child",
}


def module_name(path: Path) -> str:
    return ".".join(("bench", *path.relative_to(HERE).with_suffix("").parts))


def test_every_program_is_a_command() -> None:
    programs = {
        module_name(path) for path in HERE.rglob("*.py") if 'if __name__ == "__main__":' in path.read_text()
    }
    assert programs - NOT_COMMANDS == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_measures_and_explains_its_arguments(name: str) -> None:
    module = COMMANDS[name]
    parser = module.parser()
    assert parser.prog == f"python -m {name}"
    assert parser.description == module.__doc__
    assert callable(module.main)
    for usage in usages(parser):
        assert usage.startswith(f"python -m {name}")
    unexplained = [action.dest for action in parser._actions if not action.help and not action.choices]
    assert not unexplained


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_are_those_that_the_code_reads(name: str) -> None:
    """An argument that nothing reads, or one that is read but not declared, is a mistake."""
    module = COMMANDS[name]
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("given", "options", "arguments", "args")
    }
    parser = module.parser()
    parsers = [
        parser,
        *(p for a in parser._actions if isinstance(a.choices, dict) for p in a.choices.values()),
    ]
    declared = {a.dest for p in parsers for a in p._actions if a.dest not in ("help", "==SUPPRESS==")}
    # Plug-ins are read by the parser itself.
    assert declared <= read | {"run", "plugin"}, declared - read


def test_the_readme_lists_every_command_with_its_arguments() -> None:
    """If this fails: python -m bench.list_commands."""
    _, _, rest = README.read_text(encoding="utf-8").partition(START)
    shown, end, _ = rest.partition(END)
    assert end
    assert shown.strip() == listing().strip()


def test_every_fault_changes_its_module(tmp_path: Path) -> None:
    """In one place, and neither in annotations nor in decorators; it is the same fault in the next run."""
    made = list(mutants_of(SOURCE / "defects" / "finding.py"))
    assert len({mutant.identity for mutant in made}) == len(made) > 5
    assert "12 -> 13" in {mutant.change for mutant in made}
    assert {mutant.function for mutant in made} == {
        "shortened",
        "digest_of",
        "Finding.digest",
        None,
    }
    plain = compile(made[0].path.read_text(), str(made[0].path), "exec", dont_inherit=True)
    assert all(mutant.compiled() != plain for mutant in made)
    results = Results(tmp_path / "new" / "results.jsonl")
    assert results.waiting(made, again=False) == made
    results.add(made[0], "killed")
    results.add(made[1], "survived")
    kept = Results(results.kept)
    assert kept.waiting(made, again=False) == made[2:]
    assert kept.waiting(made, again=True) == [made[1]]
    assert "all: 2 mutants, 1 killed (50.0 %)" in kept.report(made)


def test_modules_in_the_readme_exist() -> None:
    text = README.read_text(encoding="utf-8").partition(END)[2]
    named = {word for word in text.split("`") if word.endswith(".py")}
    helpers = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*.py")} - {
        f"{name.removeprefix('bench.').replace('.', '/')}.py" for name in COMMANDS
    }
    assert named == helpers


def test_help_of_a_command_as_people_call_it() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "bench.library.rate", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE.parent,
    )
    assert result.stdout.startswith("usage: python -m bench.library.rate")


def test_an_experiment_measures_nothing_twice_and_survives_a_torn_line(tmp_path: Path) -> None:
    units = [{"number": number} for number in range(3)]
    first = Experiment(tmp_path, "squares").run(units[:2], lambda unit: {"square": unit["number"] ** 2})
    assert [record.result["square"] for record in first] == [0, 1]
    kept = tmp_path / "squares.jsonl"
    kept.write_text(kept.read_text() + '{"unit": {"num')  # killed while it wrote
    experiment = Experiment(tmp_path, "squares")
    records = experiment.run(units, lambda unit: {"square": unit["number"] + 2})
    assert [record.result["square"] for record in records] == [0, 1, 4]
    written = experiment.write("Squares", ("n", "n²"), [[1, 1]], note="Small ones.")
    assert "| n | n² |\n| --- | --- |\n| 1 | 1 |" in written
    assert (tmp_path / "squares.md").read_text() == written


def test_statistics_of_samples() -> None:
    assert effect_size([1, 1], [2, 2]) == 1.0
    assert effect_size([1, 2], [1, 2]) == 0.5
    assert mean_and_deviation([1.0, 3.0]) == "2.00 ± 1.41"
    assert welch([1.0], [2.0, 3.0]) is None
    assert welch([1.0, 1.0], [2.0, 2.0]) is None
    assert p_text(None) == "–"
    assert p_text(0.00001) == "< 0.0001"


def test_growth_is_told_by_its_exponent() -> None:
    assert round(exponent([(x, 3 * x) for x in (1, 10, 100)]), 3) == 1
    assert round(exponent([(x, x * x) for x in (1, 10, 100)]), 3) == 2


@pytest.mark.parametrize("size", [1000, 4000])
def test_grown_scripts_have_their_size_and_are_well_sorted(size: int) -> None:
    text = script_of(size, 1)
    assert size <= len(text) < size + 400
    assert read_script(text).assertions
    assert script_of(size, 2) != text


@pytest.mark.parametrize(
    ("first", "second", "expected"), [(0, 0, 1.0), (3, 3, 1.0), (0, 1, 1.0), (5, 0, 1 / 16), (1, 8, 10 / 256)]
)
def test_the_sign_test_is_two_sided(first: int, second: int, expected: float) -> None:
    assert sign_test(first, second) == pytest.approx(expected)


def test_before_and_after_are_compared_bug_by_bug() -> None:
    found = {"both": [Found(20, 3, 2), Found(20, 1, 2)], "second": [Found(20, 0, 0), Found(18, 1, 1)]}
    old, new, by_old, by_new, test, *each = (
        line.split() for line in report("s", found, 2, each=True).splitlines()
    )
    assert old == ["s", "old", "1.0", "1", "3", "40"]
    assert new == ["s", "new", "1.5", "2", "2", "38"]
    assert (by_old[-2:], by_new[-2:], test[-1]) == (["0", "-"], ["1", "second"], "1")
    assert [line[0] for line in each] == ["both", "second"]


def test_ranks_are_shared_by_equal_values() -> None:
    ranks = mean_ranks({"best": (3.0, 2.0), "middle": (2.0, 2.0), "last": (1.0, 0.0)})
    assert ranks == {"best": 1.25, "middle": 1.75, "last": 3.0}


def test_bugs_that_were_not_found_are_named(tmp_path: Path) -> None:
    times = {"z3-1": 2.5, "z3-2": None, "z3-3": 3.5}
    records = [Record({"side": "falsum", "bug": bug}, {"found": time}) for bug, time in times.items()]
    written = write_single_bugs(Experiment(tmp_path, "single-bugs"), records, ["falsum"], 20.0)
    assert "| falsum | 2 of 3 | 3.0 | z3-2 |" in written


def test_bugs_are_counted_as_of_a_moment(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    bugs = [["crash", "z3@4.8.7", "core", 5.0], ["wrong sat", "z3@4.8.8", "core", 40.0]]
    ours = Record({"side": "falsum"}, {"cpu": 61.0, "bugs": bugs})
    theirs = Record({"side": "other"}, {"cpu": 61.0, "bugs": bugs[1:]})
    assert [found_after(ours, seconds) for seconds in (1, 5, 39, 60)] == [0, 1, 1, 2]
    written = write_growth(Experiment(tmp_path, "growth"), [ours, theirs], ["falsum", "other"], 60.0)
    assert "| falsum | 1.00 | 1.00 | 1.00 | 2.00 | 2.00 | 2.00 |" in written
    assert "| other | 0.00 | 0.00 | 0.00 | 1.00 (2.00) | 1.00 (2.00) | 1.00 (2.00) |" in written
    assert (tmp_path / "growth.svg").exists()
    assert (
        found_after(
            Record(
                {},
                {"again": [["z3-1", 5.0]]},
            ),
            4.9,
            "again",
        )
        == 0
    )


def bug_of(name: str, buggy: str = "z3@4.8.7") -> Bug:
    seeds = tuple(Seed(f"{name} {number}", "(check-sat)") for number in range(2))
    return Bug(name, "refutation-soundness", "LIA", buggy, "z3@4.8.8", "z3", Seed(name, ""), seeds)


def test_bugs_of_one_release_count_once_when_their_seeds_are_those_of_a_corpus() -> None:
    given = (Seed("corpus", "(check-sat)"),)
    chosen = storm._by_release([bug_of("a"), bug_of("b"), bug_of("c", "z3@4.8.6")], given)
    assert [(bug.name, bug.seeds) for bug in chosen] == [("a", given), ("c", given)]


def test_a_seed_that_shows_the_bug_is_not_hunted_from(monkeypatch: pytest.MonkeyPatch) -> None:
    bug, hunted = bug_of("a"), list[str]()

    def hunt(_strategy: object, _bug: Bug, seed: Seed, *_others: object) -> dict[str, object]:
        hunted.append(seed.name)
        return {"found": True, "tested": 1, "operations": 2, "cpu": 0.5}

    shown = iter((True, False))
    monkeypatch.setattr(hunts, "shows", lambda _bug, _text, _lab: next(shown))
    monkeypatch.setattr(hunts, "hunt", hunt)
    with lab_for((), (), Zoo(), 1.0) as lab:
        found = hunts.hunt_all(BY_NAME["opfuzz"], bug, lab, 3, 0)
    assert hunted == ["a 1"]
    assert (found["found"], found["seed"], found["operations"]) == (True, "a 1", 2)


PLAIN = "(declare-const a Int)(assert (> a 0))"


@pytest.mark.parametrize(
    ("added", "truths"),
    [
        ("(declare-const m Bool)(assert (= m (> a 5)))(assert m)", [True, False]),
        ("(declare-const m Bool)(assert (= m (> a 5)))(assert (not m))", [True, True]),
        ("(declare-const q Int)(declare-const m Bool)(assert (= m (> a q)))(assert m)", None),
    ],
)
def test_monitors_have_the_values_of_what_they_watch(added: str, truths: list[bool] | None) -> None:
    script = monitors_defined(read_script(PLAIN + added), read_script(PLAIN))
    assert (evaluate(script, "((define-fun a () Int 3))") if script is not None else None) == truths


def test_bugs_are_told_apart_by_kind_release_and_theories() -> None:
    found = {
        ("model", "z3@4.8.7", "Arithmetic Strings"): 3.0,
        ("model", "z3@4.8.7", "Strings"): 7.0,  # the first one needs only these
        ("model", "z3@4.8.7", "FloatingPoint"): 5.0,
        ("model", "z3@4.8.8", "Arithmetic Strings"): 1.0,
        ("crash", "z3@4.8.7", "core"): 2.0,
        ("crash", "z3@4.8.7", "Strings"): 4.0,
    }
    assert told_apart(found) == {
        ("model", "z3@4.8.7", "Strings"): 3.0,
        ("model", "z3@4.8.7", "FloatingPoint"): 5.0,
        ("model", "z3@4.8.8", "Arithmetic Strings"): 1.0,
        ("crash", "z3@4.8.7", "core"): 2.0,
    }


def test_theories_are_those_of_assertions() -> None:
    script = "(declare-const s String)(declare-const x Int)(assert (or (= s s) (= x 3)))(check-sat)"
    assert theories_of(script.replace("(= s s)", "(= (str.len s) 2)")) == "Strings"
    assert theories_of("(declare-const p Bool)(assert (not p))(check-sat)") == "core"
    assert theories_of("(assert") == "unreadable"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_path_is_called_after_what_it_is(name: str) -> None:
    """So what is read is checked before any work: input that is missing is never a traceback, or a result."""
    parser = COMMANDS[name].parser()
    parsers = [
        parser,
        *(p for a in parser._actions if isinstance(a.choices, dict) for p in a.choices.values()),
    ]
    names = {str(action.metavar) for each in parsers for action in each._actions if action.type is Path}
    assert names <= INPUT | OUTPUT | {"None"}


WHAT_IS_THERE = {"KNOWN_BUGS": "bugs.tsv", "FINDINGS": "z3-crash-0123ab.md"}


@pytest.mark.parametrize("kind", sorted(INPUT))
def test_input_that_is_not_there_is_refused(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = command_parser("bench.x", "")
    parser.add_argument("path", type=Path, metavar=kind)
    (tmp_path / "empty").mkdir()
    file, folder = tmp_path / "there" / WHAT_IS_THERE.get(kind, "a.smt2"), tmp_path / "there"
    folder.mkdir()
    file.write_text("")
    is_file = kind in ("SEED", "CASES", "PREDICATE", "PROGRAM", "OLD", "NEW")
    may_be_empty = kind in ("BUILD", "YINYANG_BIN", "STORE", "PAIRS", "CHECKOUT")
    for path in (tmp_path / "missing", file if may_be_empty else tmp_path / "empty"):
        with pytest.raises(SystemExit) as caught:
            parser.parse_args([str(path)])
        assert caught.value.code == 2
        assert f"error: {kind}: " in capsys.readouterr().err
    there = file if is_file else folder
    assert parser.parse_args([str(there)]).path == there


def test_plug_ins_and_errors_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "STRATEGIES = [type('M', (), {'name': 'm', 'arity': 1, 'mutants': None})]"
    )
    code = """if True:
        from bench.command import command_parser
        from falsum.strategies import BY_NAME, find_strategy
        command_parser("bench.x", "").parse_args()
        print("m" in BY_NAME)
        find_strategy("missing", BY_NAME)
    """
    result = subprocess.run(
        [sys.executable, "-c", code, "--plugin", str(tmp_path / "mine.py")],
        capture_output=True, text=True, check=False, cwd=HERE.parent,
    )  # fmt: skip
    assert result.stdout == "True\n"
    assert result.stderr.startswith("bench: unknown strategy 'missing'")
    assert result.returncode == 1


def test_pages_are_read_with_what_they_claim(tmp_path: Path) -> None:
    claim = "- [x] accepted by two other parsers: z3, cvc5\n"
    script = "```smt2\n(assert true)\n(check-sat)\n```\n"
    (tmp_path / "yices-wrong-core-0123ab.md").write_text(f"# Title\n\n```text\nsat\n```\n{script}{claim}")
    (tmp_path / "README.md").write_text(script)
    page = published.Page(
        "yices-wrong-core-0123ab", "yices", "wrong core", "(assert true)\n(check-sat)\n", "z3, cvc5"
    )
    assert published.pages_in(tmp_path) == [page]


def test_pages_that_do_not_show_here_are_named() -> None:
    here = {
        "page": "a",
        "published": "crash",
        "solve": "crash",
        "reduce": "crash",
        "bisect": "crash since 1.0",
    }
    gone = here | {"page": "b", "solve": published.NOTHING}
    model = here | {"page": "c", "published": "solution unsoundness", "solve": "invalid model"}
    rows = [each | {"parsers": "z3", "parsers on the page": "z3"} for each in (here, gone, model)]
    rows[2]["parsers"] = "none"
    assert [published.shows(each) for each in rows] == [True, False, True]
    assert published.summary(rows, ["solve", "reduce", "bisect"]).splitlines() == [
        "solve: 2 of 3 pages are called what solve calls them",
        "reduce: 1 of 3 pages are called what solve calls them",
        "bisect: 1 of 3 pages are called what solve calls them",
        "does not show on this machine: b (nothing)",
        "accepted by others than its page says: c (none)",
    ]


def test_what_is_like_a_known_bug_is_no_new_one() -> None:
    """Though it is smaller, or the known bug comes first by number."""
    every = [bug for bug in atlas() if bug.product == "z3"]
    known = every[:12]
    assert unknown(every, known) == unknown(every[12:], known)
    assert not {bug.script for bug in unknown(every, known)} & {bug.script for bug in known}
    smaller = [structs.replace(bug, name="", script=bug.script[:-2]) for bug in known]
    assert unknown(smaller, known) == []
