"""The pages of the atlas: one for each bug, and a list of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import atlas
from falsum.solvers.names import release_of


def pages() -> dict[str, str]:
    """The pages by name, `index` among them."""
    made = {bug.name: "\n".join(_page(bug)) + "\n" for bug in atlas()}
    return made | {"index": "\n".join(_index(atlas())) + "\n"}


def _index(bugs: Sequence[AtlasBug]) -> Iterator[str]:
    yield "# All bugs of the atlas"
    products = list(dict.fromkeys(bug.product for bug in bugs))
    kinds = Counter((bug.kind, bug.product) for bug in bugs)
    yield ""
    yield f"| kind | {' | '.join(products)} | all |"
    yield f"| --- |{' --- |' * (len(products) + 1)}"
    for kind in dict.fromkeys(bug.kind for bug in sorted(bugs, key=lambda bug: bug.kind)):
        counts = [kinds[kind, product] for product in products]
        yield f"| {kind} | {' | '.join(map(str, counts))} | {sum(counts)} |"
    for product in products:
        yield f"\n## {product}\n"
        yield "| bug | kind | releases | fixed in | theories | |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for bug in (bug for bug in bugs if bug.product == product):
            about = _cell(bug.message or " ".join(bug.operators))
            span = f"{release_of(bug.first)} to {release_of(bug.last)}"
            fixed = bug.fixed_version or "not fixed"
            theories = ", ".join(bug.theories) or "core"
            yield f"| [{bug.name}]({bug.name}.md) | {bug.kind} | {span} | {fixed} | {theories} | {about} |"
    yield "\n```{toctree}\n:hidden:\n"
    yield from (bug.name for bug in bugs)
    yield "```"


def _page(bug: AtlasBug) -> Iterator[str]:
    theories = ", ".join(bug.theories) or "core"
    yield f"# {bug.name}: {bug.kind} of {bug.product} ({theories})"
    yield ""
    for name, text in _facts(bug):
        yield f"* {name}: {text}"
    yield f"\n```smt2\n{bug.script.strip()}\n```"


def _facts(bug: AtlasBug) -> Iterator[tuple[str, str]]:
    yield "releases", f"{bug.first} to {bug.last}" + (", not in all of them" if bug.gaps else "")
    yield "fixed in", bug.fixed or "not fixed in the newest release that was tested"
    yield "answer", _code(bug.message or bug.answer)
    yield "expected", bug.right_answer
    yield "evidence", bug.evidence
    if bug.operators:
        yield "operators and commands", " ".join(map(_code, bug.operators))
    if bug.options:
        yield "options", " ".join(map(_code, bug.options))
    yield "engine", bug.engine
    yield "held out for contests", "yes" if bug.held_out else "no"


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _cell(text: str) -> str:
    return _code(text.replace("|", "/")[:60]) if text else ""
