#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of dpctl or dpnp by files, in an order that a seed chooses, and writes each result to a log:

    whole.py dpnp LOG [--seconds 280] [--seed 1] [--only FILE]

The interpreter has the package and pytest (docs/howto/sycl.md), and OCL_ICD_VENDORS chooses the driver. A later run with the same log
continues. A test during which the process ends is reported as a crash, and the others follow in a new process. FILE has names of
tests, one a line; only these run."""
import argparse
import collections
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES_AT_ONCE = 8
HANG = 60  # seconds after the end of the run


def results(log):
    """The outcome and the reason of each test; None for the outcome of a test that did not end."""
    found = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        entry = json.loads(line)
        found[entry["test"]] = (entry.get("outcome"), entry.get("reason", ""))
    return found


def run(files, log, until, only):
    """False if the process ended in a test, or if a test did not end."""
    environment = {**os.environ, "PYTHONPATH": str(HERE), "UPSWEEP_TEST_LOG": str(log), "UPSWEEP_TEST_UNTIL": str(until),
                   **({"UPSWEEP_TEST_ONLY": str(only)} if only else {})}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "logged", "-p", "no:cacheprovider", "--no-header", "--tb=short", *map(str, files)]
    try:
        done = subprocess.run(command, env=environment, cwd=log.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=until - time.time() + HANG)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, 1, 2, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", choices=("dpctl", "dpnp"))
    parser.add_argument("log", type=lambda name: Path(name).resolve())
    parser.add_argument("--seconds", type=float, default=280)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=lambda name: Path(name).resolve())
    options = parser.parse_args()
    folder = Path(importlib.util.find_spec(options.package).origin).parent / "tests"
    files = sorted(folder.rglob("test_*.py"))
    if options.only:
        named = {name.split("::")[0].rsplit("/", 1)[-1] for name in options.only.read_text().splitlines()}
        files = [file for file in files if file.name in named]
    random.Random(options.seed).shuffle(files)
    until, at = time.time() + options.seconds, 0
    while at < len(files) and time.time() < until:
        before = len(results(options.log))
        # Without a further test in the log, the process ended before its first test.
        if run(files[at : at + FILES_AT_ONCE], options.log, until, options.only) or len(results(options.log)) == before:
            at += FILES_AT_ONCE
    found = results(options.log)
    print(min(at, len(files)), "of", len(files), "files begun:", dict(collections.Counter(outcome or "crashed" for outcome, _ in found.values())))
    for test, (outcome, reason) in found.items():
        if outcome in (None, "failed"):
            print(test, outcome or "crashed", reason)


if __name__ == "__main__":
    main()
