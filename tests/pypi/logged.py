# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest for whole.py. It writes a line of JSON to the file UPSWEEP_TEST_LOG when a test starts and when it ends, leaves
out the tests that the file has, and stops at the time UPSWEEP_TEST_UNTIL. UPSWEEP_TEST_ONLY is a file with the tests to run."""
import json
import os
import time
from pathlib import Path

LOG = Path(os.environ["UPSWEEP_TEST_LOG"])


def write(**line):
    with LOG.open("a") as log:
        log.write(json.dumps(line) + "\n")


def pytest_collection_modifyitems(config, items):
    done = {json.loads(line)["test"] for line in LOG.read_text().splitlines()} if LOG.exists() else set()
    only = os.environ.get("UPSWEEP_TEST_ONLY")
    wanted = set(Path(only).read_text().splitlines()) if only else {item.nodeid for item in items}
    items[:] = [item for item in items if item.nodeid in wanted - done]


def pytest_runtest_logstart(nodeid, location):
    write(test=nodeid)


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        lines = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext).strip().splitlines()
        errors = [line[2:].strip() for line in lines if line.startswith("E ")]
        write(test=report.nodeid, outcome=report.outcome, reason=(errors or lines or [""])[0][:300])


def pytest_runtest_teardown(item):
    if time.time() > float(os.environ["UPSWEEP_TEST_UNTIL"]):
        item.session.shouldstop = "the time is over"
