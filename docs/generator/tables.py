#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of the pages in docs/ from JSON files: what stands between these two lines of a page

    <!-- table: VIEW FILE.json [+ FILE.json] -->
    <!-- /table -->

is made by the function VIEW of views.py or conformance_view.py from the files, whose paths begin at docs/. Without an option it
rewrites the pages; with --check it changes nothing, and fails when a page and its JSON disagree, a link or a path in a page leads
nowhere, a source names a page that does not exist, a pass is in none of ARCHITECTURE.md's tables or its class is not its name, or a
decision record does not begin with its decision in one sentence."""
import argparse
import difflib
import re
import sys
from pathlib import Path

import views

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARKED = re.compile(r"(?P<begin><!-- table: (?P<view>[a-z_]+)(?:\((?P<part>[^)]*)\))? (?P<files>[^>]+?) -->\n).*?(?P<end><!-- /table -->)", re.S)
PATH = re.compile(r"`((?:src|include|tests|bench|examples|cmake|packages)/[^`\s*{}<>…]+)`")
PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")
SOURCES = {".h", ".cpp", ".def", ".cl", ".cu", ".cuh", ".py", ".cmake", ".txt"}
PASS = re.compile(r'"upsweep-([a-z-]+)"')  # a variant for tests, such as "upsweep-name<option>", is none of its own
LINK = re.compile(r"\]\(([^)\s]+)\)")


def fill(match):
    files = [DOCS / name.strip() for name in match["files"].split("+")]
    lines = views.VIEWS[match["view"]](files, match["part"])
    return match["begin"] + "\n".join(lines) + "\n" + match["end"]


def anchors(path):
    """The fragments that a page's headings have on GitHub."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def dead_links(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (fragment and fragment not in anchors(target)):
            yield f"{page.name}: the link {link} leads nowhere"


def dead_paths(page):
    """Files and folders of the repository that a page names in code type."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for path in PATH.findall(text):
        if not (ROOT / path.rstrip("/").partition(":")[0]).exists():
            yield f"{page.name}: there is no {path}"


def dead_pages():
    """Pages that comments of the sources name."""
    for folder in ("src", "include", "tests", "bench", "examples", "cmake"):
        for source in (ROOT / folder).rglob("*"):
            if source.suffix in SOURCES:
                for page in set(PAGE.findall(source.read_text(encoding="utf-8", errors="replace"))):
                    if not (ROOT / page).exists():
                        yield f"{source.relative_to(ROOT)}: there is no {page}"


def unnamed_passes(table, page):
    """Passes of src/passes/passes.def that the tables of ARCHITECTURE.md do not name."""
    named = set(re.findall(r"`([a-z_]+)`", "\n".join(line for line in page.splitlines() if line.startswith("|"))))
    for name in PASS.findall(table):
        if name.replace("-", "_") not in named:
            yield f"ARCHITECTURE.md: no table names the pass {name.replace('-', '_')}"


def disagreeing_passes(table):
    """Passes whose class is not their name: SplitLanes is upsweep-split-lanes. A variant for tests, `name<option>`, has a class of its own."""
    for name, text in re.findall(r'^UPSWEEP_PASS(?:_CLASS)?\((\w+), \w+, "upsweep-([^"]*)"', table, re.M):
        if "<" not in text and re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower() != text:
            yield f"src/passes/passes.def: the pass {name} is named {text}"


def records_without_decision(folder):
    """Records whose first paragraph is not the decision, in one sentence."""
    for record in sorted(folder.glob("*.md")):
        first = (record.read_text(encoding="utf-8").split("\n\n") + [""])[1]
        sentences = re.findall(r"[.!?](?=\s+[A-Z`]|$)", re.sub(r"\([^)]*\)", "", first.removeprefix("**Decision.**").strip()))
        if not first.startswith("**Decision.** ") or len(sentences) != 1:
            yield f"{record.name}: the first paragraph is not '**Decision.**' and one sentence"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail on a stale page or a dead link")
    options = parser.parse_args()
    failures = []
    for page in sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")]):
        old = page.read_text(encoding="utf-8")
        new = MARKED.sub(fill, old)
        if old != new and not options.check:
            page.write_text(new, encoding="utf-8")
        elif old != new:
            name = str(page.relative_to(ROOT))
            failures += [line.rstrip("\n") for line in difflib.unified_diff(old.splitlines(), new.splitlines(), name, "from its JSON")]
            failures.append(f"{name} is stale: run docs/generator/tables.py")
        failures += [*dead_links(page), *dead_paths(page)] if options.check else []
        if old.count("<!-- table:") != len(MARKED.findall(old)):
            failures.append(f"{page.relative_to(ROOT)}: a mark of a table is not one that this script reads")
    if options.check:
        failures += dead_pages()
        failures += records_without_decision(DOCS / "decisions")
        failures += disagreeing_passes((ROOT / "src/passes/passes.def").read_text(encoding="utf-8"))
        failures += unnamed_passes(*((ROOT / name).read_text(encoding="utf-8") for name in ("src/passes/passes.def", "ARCHITECTURE.md")))
    print("\n".join(failures), end="\n" if failures else "")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
