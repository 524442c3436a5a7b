"""The examples in README.md and docs/ are tests: tests/docs/examples.py runs them."""

from __future__ import annotations

from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from tests.docs import examples

pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(),
        CodeBlockParser("console", examples.run_console),
        CodeBlockParser("sh", examples.parse_commands),
        CodeBlockParser("toml", examples.read_configuration),
        CodeBlockParser("smt2", examples.read_smtlib),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md", "CONTRIBUTING.md"],
    setup=examples.enter_directory,
    teardown=examples.leave_directory,
).pytest()
