"""Changed code: the functions of sources, by their layout alone, and those that differ between commits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from falsum.campaign.lifecycle.changed_code import ChangedFile, changed_files, functions_of
from falsum.campaign.lifecycle.git_repository import GitRepository

TOY = Path(__file__).parents[2] / "toy"
TEXT = """\
#include <vector>
namespace solver {
    template<typename T>
    class rewriter : public base {
        unsigned m_count = count_of(3);
        unsigned size() const { return m_count; }
        rewriter(manager& m):
            m_count(0) {
            init(m);
        }
        void later(int x);
    };
    br_status seq_rewriter::mk_concat(expr* a, expr* b,
                                      expr_ref& result) {
        if (is_empty(a)) {
            std::sort(begin(), end(), [](int x, int y) {
                return x < y; });
            return BR_DONE;
        }
        long_call(a,
            b);
        return BR_FAILED;
    }
    template<class C>
    static inline std::vector<C*> const & all(C* c) noexcept {
        return c->all();
    }
}
int plain_function(void)
{
    return 0;
}
"""


def test_functions_are_found_by_their_layout() -> None:
    assert list(functions_of(TEXT)) == [
        (6, 6, "rewriter::size"),
        (7, 10, "rewriter::rewriter"),
        (13, 23, "seq_rewriter::mk_concat"),
        (25, 27, "all"),
        (29, 32, "plain_function"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "if (x) {",
        "return f(x);",
        "int x = f(y);",
        "} else if (y) {",
        "f(x);",
        "#define F(x) { x }",
        "int f(int);",
    ],
)
def test_what_defines_no_function(line: str) -> None:
    assert not list(functions_of(f"    {line}\n"))


def test_functions_of_a_real_source() -> None:
    names = [name for _first, _last, name in functions_of((TOY / "toy.cpp").read_text())]
    assert {"Solver::constant", "Solver::apply", "Solver::check", "fail_if", "toy_new"} <= set(names)
    assert not {"if", "for", "push_back"} & set(names)


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=x", "-c", "user.email=x@localhost")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True)

    git("init", "--quiet")
    (tmp_path / "src").mkdir()
    files = {"src/a.cpp": TEXT, "b.c": "int f(int x) {\n  return x;\n}\n", "gone.cpp": "int g;\n", "c.py": ""}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    git("add", "-A")
    git("commit", "--quiet", "-m", "before")
    (tmp_path / "src/a.cpp").write_text(
        TEXT.replace("            init(m);\n", "").replace("return 0", "return 1")
    )
    (tmp_path / "b.c").write_text(files["b.c"].replace("x;", "x + 1;") + "int y;\n")
    (tmp_path / "gone.cpp").unlink()
    (tmp_path / "c.py").write_text("1\n")
    git("add", "-A")
    git("commit", "--quiet", "-m", "after")
    return GitRepository(tmp_path)


def test_functions_that_differ_between_commits(repository: GitRepository) -> None:
    changes = list(changed_files(repository, "HEAD~1..HEAD"))
    assert changes == [
        ChangedFile("b.c", ("f",), is_elsewhere=True),
        ChangedFile("src/a.cpp", ("rewriter::rewriter", "plain_function"), is_elsewhere=False),
    ]
    assert [change.is_c for change in changes] == [True, False]
    assert list(changed_files(GitRepository(repository.folder / "src"), "HEAD~1..")) == changes
