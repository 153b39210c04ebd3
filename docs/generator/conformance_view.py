# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/conformance.md for one device: its suites, and its skipped tests by reason. The JSON has for each suite the number of
tests by status, or each test's status (conformance.py makes it of a run)."""
import json
from collections import Counter, defaultdict

STATUSES = {"pass": "passed", "skip": "skipped", "fail": "failed", "pass or skip": "passed or skipped", "cut off": "cut off",
            "crash": "crashed", "not run": "not run"}


def counts_of(suite):
    return suite.get("counts") or Counter(suite["tests"].values())


def conformance(files, _):
    with open(files[0], encoding="utf-8") as file:
        data = json.load(file)
    shown = [status for status in STATUSES if status == "fail" or any(counts_of(suite).get(status) for suite in data["suites"])]
    skippers = "of the passed, skip themselves in short mode"
    commit = f", commit {data['commit']}" if "commit" in data else ""
    yield f"{data['device']}, {data['date']}{commit}; {data['tests']} at {data['tests_commit']}."
    yield ""
    yield "| suite | mode | " + " | ".join(STATUSES[status] for status in shown) + f" | {skippers} |"
    yield "|---|---|" + "---:|" * (len(shown) + 1)
    for suite in data["suites"]:
        counts = counts_of(suite)
        cells = [str(counts.get(status) or ("0" if status == "fail" else "")) for status in shown]
        note = f", {suite['note']}" if "note" in suite else ""
        yield f"| `{suite['suite']}`{note} | {suite['mode']} | " + " | ".join(cells) + f" | {suite.get('skip_themselves', '')} |"
    total = sum((Counter(counts_of(suite)) for suite in data["suites"]), Counter())
    cells = [str(total[status]) for status in shown]
    yield "| together | | " + " | ".join(cells) + f" | {sum(suite.get('skip_themselves', 0) for suite in data['suites'])} |"


def skipped(files, _):
    with open(files[0], encoding="utf-8") as file:
        data = json.load(file)
    by_reason = defaultdict(lambda: defaultdict(set))
    for suite in data["suites"]:
        for test, reason in suite.get("skipped", {}).items():
            by_reason[reason][suite["suite"]].add(test)
    yield "| what the test says | skipped tests |"
    yield "|---|---|"
    for reason, suites in sorted(by_reason.items()):
        tests = "; ".join(f"{suite}: " + ", ".join(f"`{test}`" for test in sorted(found)) for suite, found in sorted(suites.items()))
        yield f"| {reason.replace('|', '/') or '(nothing)'} | {tests} |"
