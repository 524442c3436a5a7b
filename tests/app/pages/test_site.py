"""The site without a browser: what pages show, what filters do, what is never shown as it is."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from tests.app.pages.sample_store import (
    HOSTILE,
    LIBRARY,
    TRIAGED,
    UNTRIAGED,
    WICKED,
    batch,
    folder_of,
    make_store,
    pages_of,
    triage,
)

from falsum.app.pages.site import Site
from falsum.store.reader import StoreReader
from falsum.store.records import FindingRecord
from falsum.store.store import Store

FIXED = ["/", "/?campaign=1", "/findings", "/seeds", "/solvers"]
FINDINGS = [f"/findings/{record.digest}" for record in (TRIAGED, UNTRIAGED, WICKED, LIBRARY)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("pages") / "store")


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("address", [*FIXED, *FINDINGS])
def test_pages_are_complete_and_escaped(address: str, folder: Path) -> None:
    (answer,) = pages_of(folder, address)
    assert answer.status_code == 200
    elements = Elements(answer.text).found
    assert [attributes.get("src") for tag, attributes in elements if tag == "script"] == ["/static/pages.js"]
    assert not [tag for tag, _attributes in elements if tag in {"img", "style", "iframe", "object"}]
    assert not [
        name for _tag, attributes in elements for name in attributes if name.startswith(("on", "style"))
    ]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", answer.text)
    ids = [attributes["id"] for _tag, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("address", [*FIXED, "/nothing", "/findings/none", "/static/pages.css"])
def test_every_answer_has_a_strict_policy(address: str, folder: Path) -> None:
    (answer,) = pages_of(folder, address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_overview_has_the_figures_of_the_campaign(folder: Path) -> None:
    (answer,) = pages_of(folder, "/")
    assert "Campaign 2" in answer.text
    assert re.search(r"Mutants</dt><dd>160<small>5\.7 per second", answer.text)
    assert re.search(r"CPU inside solvers</dt><dd>80%", answer.text)
    assert re.search(r"Lost to time-outs</dt><dd>10%", answer.text)
    assert answer.text.count('<svg class="plot"') == 5
    assert "running for 0:28" in answer.text
    assert "1 of 1 arm, those with most CPU time" in answer.text
    assert re.search(r'storm</th><td>QF_BV</td>.*<td class="number">2\.00</td>', answer.text)


def test_another_campaign_can_be_chosen(folder: Path) -> None:
    (answer,) = pages_of(folder, "/?campaign=1")
    assert "Campaign 1" in answer.text
    assert "time limit reached after 0:04" in answer.text
    assert "Runs</dt><dd>5" in answer.text


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", [TRIAGED, UNTRIAGED, WICKED, LIBRARY]),
        ("kind=crash", [UNTRIAGED]),
        ("defect=refutation+unsoundness", [TRIAGED, WICKED]),
        ("product=cvc5", [UNTRIAGED]),
        ("theory=Arithmetic", [TRIAGED, UNTRIAGED, WICKED, LIBRARY]),
        ("state=reported", [TRIAGED]),
        ("state=new", [UNTRIAGED, LIBRARY]),
        ("state=open&kind=disagreement", [TRIAGED, WICKED]),
        ("q=SIGNAL+11", [UNTRIAGED, LIBRARY]),
        ("q=nothing+of+that+kind", []),
        ("page=99999999999&sort=nonsense", [TRIAGED, UNTRIAGED, WICKED, LIBRARY]),
    ],
)
def test_filters(query: str, shown: list[FindingRecord], folder: Path) -> None:
    (answer,) = pages_of(folder, f"/findings?{query}")
    listed = set(re.findall(r'id="finding-([0-9a-f]{12})"', answer.text))
    assert listed == {record.digest for record in shown}


def test_findings_of_one_bug_are_one_group(folder: Path) -> None:
    (answer,) = pages_of(folder, f"/findings?group={TRIAGED.digest}")
    assert set(re.findall(r'id="finding-([0-9a-f]{12})"', answer.text)) == {TRIAGED.digest, WICKED.digest}


def test_sorting_is_said_to_screen_readers(folder: Path) -> None:
    newest, defects = pages_of(folder, "/findings", "/findings?sort=-defect")
    assert re.search(r'aria-sort="descending"><a id="sort-last"', newest.text)
    assert re.search(r'aria-sort="descending"><a id="sort-defect"', defects.text)
    order = re.findall(r'<span class="tag[^"]*">([a-z -]+)</span></td><td>', defects.text)
    assert order == sorted(order, reverse=True)


def test_the_page_of_a_finding_has_all_that_is_known(folder: Path) -> None:
    (answer,) = pages_of(folder, f"/findings/{TRIAGED.digest}")
    for text in (
        "Refutation unsoundness: unsat for a satisfiable",
        "This model satisfies every assertion.",
        '<span class="k">declare-const</span>',
        "From 150 to 60 bytes in 40 tests",
        "delete-assertions",
        "opfuzz: mod -&gt; div",
        '<span class="added">',
        '<li class="bad" title="unsat">4.8.6.0',
        "First bad: 4.8.6.0",
        'href="https://example.org/1"',
        "# Report",
        f"/findings/{TRIAGED.digest}/files/triage.json",
    ):
        assert text in answer.text, text


def test_a_library_finding_has_its_program_and_trace(folder: Path) -> None:
    (answer,) = pages_of(folder, f"/findings/{LIBRARY.digest}")
    assert '<span class="kn">import</span>' in answer.text
    assert "const s1 x" in re.sub("<[^>]*>", "", answer.text)


def test_files_are_plain_text_and_only_those_of_the_finding(folder: Path) -> None:
    own = folder_of(folder, TRIAGED)
    outside = folder / "falsum.sqlite"
    link = own / "link"
    link.symlink_to(outside)
    try:
        base = f"/findings/{TRIAGED.digest}/files"
        good, linked, above, missing, other = pages_of(
            folder, f"{base}/script.smt2", f"{base}/link", f"{base}/..%2f..%2f..%2ffalsum.sqlite",
            f"{base}/none", "/findings/nothing/files/script.smt2",
        )  # fmt: skip
    finally:
        link.unlink()
    assert good.status_code == 200
    assert good.headers["content-type"] == "text/plain; charset=utf-8"
    assert good.text == TRIAGED.script
    assert [answer.status_code for answer in (linked, above, missing, other)] == [404] * 4


def test_seeds_and_solvers(folder: Path) -> None:
    seeds, some, left_out, solvers = pages_of(
        folder, "/seeds", "/seeds?q=GOOD", "/seeds?left-out=yes", "/solvers"
    )
    assert "2 seeds" in seeds.text
    assert "1 seed<" in some.text
    assert "seeds/good.smt2" not in left_out.text
    assert "no such thing" in solvers.text
    assert HOSTILE not in seeds.text + solvers.text


def test_a_page_is_made_anew_when_its_finding_is_triaged(tmp_path: Path) -> None:
    folder = make_store(tmp_path)
    (before,) = pages_of(folder, f"/findings/{UNTRIAGED.digest}")
    assert "data-live" in before.text  # the page waits for triage
    triage(folder, UNTRIAGED, "Judged at last.")
    (after,) = pages_of(folder, f"/findings/{UNTRIAGED.digest}")
    assert "Judged at last." in after.text


def test_a_store_without_campaigns_and_without_findings(tmp_path: Path) -> None:
    with Store(tmp_path):
        pass
    answers = pages_of(tmp_path, *FIXED)
    assert {answer.status_code for answer in answers} == {200}
    assert "No campaign yet" in answers[0].text


def test_a_finding_whose_files_are_gone_is_listed(tmp_path: Path) -> None:
    folder = make_store(tmp_path)
    (folder_of(folder, UNTRIAGED) / "finding.json").unlink()
    listed, page = pages_of(folder, "/findings", f"/findings/{UNTRIAGED.digest}")
    assert "unreadable" in listed.text
    assert page.status_code == 500
    assert "No such file" in page.text


def test_nothing_is_written(tmp_path: Path) -> None:
    folder = make_store(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.suffix != ".sqlite-shm"}
    pages_of(folder, *FIXED, *FINDINGS)
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.suffix != ".sqlite-shm"}
    changed = {path.name for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed <= {"falsum.sqlite-wal", "falsum.sqlite-shm", folder.name}


def test_the_index_is_kept_fresh(tmp_path: Path) -> None:
    folder = make_store(tmp_path)
    site = Site(folder)
    with StoreReader(folder) as reader:
        site.index.refresh(reader)
    site.start()
    try:
        with Store(folder) as store:
            later = msgspec.structs.replace(UNTRIAGED, signature="crash | cvc5 | later")
            store.record(2, batch(99), findings=[later], elapsed=60.0)
        for _ in range(200):
            if site.index.current.find(later.digest) is not None:
                break
            site._stopped.wait(0.05)
        assert site.index.current.find(later.digest) is not None
    finally:
        site.stop()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_store(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "store")
    folder.chmod(0o555)
    try:
        assert {answer.status_code for answer in pages_of(folder, *FIXED)} == {200}
    finally:
        folder.chmod(0o755)


def test_a_long_name_is_no_file(folder: Path) -> None:
    (answer,) = pages_of(folder, f"/findings/{TRIAGED.digest}/files/{'x' * 5000}")
    assert answer.status_code == 404
