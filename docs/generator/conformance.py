#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the JSON of docs/conformance/ of a run of Khronos's conformance tests: conformance.py RESULTS --device TEXT --date TEXT
--tests-commit TEXT [--logs LOGS] > docs/conformance/cpu.json.

RESULTS is a folder of a JSON per suite: {"name", "wimpy", "tests": {NAME: {"status"}}}, where a status is "pass", "fail", "skip",
"TIMEOUT", "CAP", "CRASH(…)" or "NOTRUN". LOGS is a folder of what the suites printed, NAME.log; tests that say there that they leave
themselves out in short mode, and yet pass, are counted."""
import argparse
import json
import re
from pathlib import Path

# Suites that know no short mode.
WHOLE = """basic api compiler buffers allocations events profiling computeinfo mem_host_flags multiple_device_context
device_partition device_timer svm generic_address_space atomics c11_atomics workgroups subgroups non_uniform_work_group printf
relationals commonfns geometrics select contractions""".split()
STATUS = {"TIMEOUT": "cut off", "CAP": "cut off", "CRASH": "crash", "NOTRUN": "not run"}
BEGIN = re.compile(r"^(\S+)\.\.\.$")
SKIPS = re.compile(r"skip.*wimpy|wimpy.*skip", re.I)


def status_of(text):
    word = re.split(r"[^A-Za-z]", text)[0]
    return STATUS.get(word, word.lower() if word in ("pass", "fail", "skip") else "not run")


def skip_themselves(log, tests):
    """How many tests passed by leaving themselves out."""
    current, found = None, set()
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        begin = BEGIN.match(line)
        if begin and begin[1] in tests:
            current = begin[1]
        elif SKIPS.search(line) and tests.get(current) == "pass":
            found.add(current)
    return len(found)


def suite_of(file, logs):
    with open(file, encoding="utf-8") as opened:
        run = json.load(opened)
    name = run["name"]
    tests = {test: status_of(result["status"]) for test, result in sorted(run["tests"].items())}
    suite = {"suite": name, "mode": "whole" if name in WHOLE else "short" if run["wimpy"] else "full", "tests": tests}
    log = logs and logs / f"{name}.log"
    if log and log.exists() and run["wimpy"]:
        count = skip_themselves(log, tests)
        if count:
            suite["skip_themselves"] = count
    return suite


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--logs", type=Path)
    for option in ("--device", "--date", "--tests-commit"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    files = sorted(file for file in options.results.glob("*.json") if not re.search(r"\.raw\d+$", file.stem))
    suites = [suite_of(file, options.logs) for file in files]
    output = {"device": options.device, "date": options.date,
              "tests": "[KhronosGroup/OpenCL-CTS](https://github.com/KhronosGroup/OpenCL-CTS)", "tests_commit": options.tests_commit,
              "suites": suites}
    print(json.dumps(output, indent=1))


if __name__ == "__main__":
    main()
