#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the JSON of docs/conformance/ of a run of Khronos's conformance tests: conformance.py RESULTS --device TEXT --date TEXT
--tests-commit TEXT --commit TEXT [--logs LOGS] > docs/conformance/cpu.json.

RESULTS is a folder of a JSON per suite: {"name", "wimpy", "tests": {NAME: {"status"}}}, where a status is "pass", "fail", "skip",
"TIMEOUT", "CAP", "CRASH(…)" or "NOTRUN". A test of images has its flags in its name ("2D read int small_images"), a test that failed beside
others and was run again may have a second status, "alone". LOGS holds what the tests printed, NAME.log of a suite or NAME/*.log of its tests:
tests that say there that they leave themselves out in short mode, and yet pass, are counted, and a test that was skipped says why."""
import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

# Suites that know no short mode.
WHOLE = """basic api compiler buffers allocations allocations_single events profiling computeinfo mem_host_flags multiple_device_context
device_partition device_timer svm generic_address_space atomics c11_atomics workgroups subgroups non_uniform_work_group printf
relationals commonfns geometrics select contractions""".split()
# The images that the flags of an image test stand for.
IMAGES = {"small_images": "small images", "use_pitches": "pitches", "max_images": "largest images", "local_samplers": "samplers in kernels",
          "test_mipmaps": "mipmaps"}
STATUS = {"TIMEOUT": "cut off", "CAP": "cut off", "CRASH": "crash", "NOTRUN": "not run"}
BEGIN = re.compile(r"^(\S+)\.\.\.$")
SKIPS = re.compile(r"skip.*wimpy|wimpy.*skip", re.I)
REASON = re.compile(r"not support|not available|no formats supported|requires|can't perform", re.I)


def status_of(result):
    if result.get("alone") == "pass":
        return "pass"
    word = re.split(r"[^A-Za-z]", result["status"])[0]
    return STATUS.get(word, word.lower() if word in ("pass", "fail", "skip") else "not run")


def mode_and_name(suite, is_short, test):
    if not suite.startswith("images_"):
        return ("whole" if suite in WHOLE else "short" if is_short else "full"), test
    words = test.split()
    modes = [IMAGES[word] for word in words if word in IMAGES]
    return (modes[0] if modes else "random sizes" if len(words) > 1 else "whole"), " ".join(word for word in words if word not in IMAGES and word != "plain")


def printed(logs, suite):
    """The lines of each test: of NAME.log, or of NAME/*.log, where each test had a process, by the log's name."""
    lines = defaultdict(list)
    for log in sorted(logs.glob(f"{suite}/*.log")):
        lines[log.stem] = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for log in logs.glob(f"{suite}.log"):
        current = None
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            begin = BEGIN.match(line)
            current = begin[1] if begin else current
            lines[current].append(line)
    return lines


def reason(lines, test):
    found = [line.strip() for line in lines if REASON.search(line) and not re.match(rf"{re.escape(test)} test not supported", line)]
    return re.sub(r"^(Note: |\S+ (?=skipped \())|[;.]? *[Ss]kipping.*$", "", found[-1]) if found else ""


def suites_of(file, logs):
    with open(file, encoding="utf-8") as opened:
        run = json.load(opened)
    name = run["name"]
    lines = printed(logs, name) if logs else {}
    suites = {}
    for test, result in sorted(run["tests"].items()):
        mode, short = mode_and_name(name, run["wimpy"], test)
        suite = suites.setdefault(mode, {"suite": name, "mode": mode, "tests": {}})
        status = suite["tests"][short] = status_of(result)
        if status == "pass" and result["status"] != "pass":
            suite.setdefault("passed_alone", []).append(short)
        said = lines.get(test) or lines.get(re.sub(r"\W+", "_", f"{name}/{test}"), [])
        if status == "skip":
            suite.setdefault("skipped", {})[short] = reason(said, test)
        if status == "pass" and run["wimpy"] and any(SKIPS.search(line) for line in said):
            suite["skip_themselves"] = suite.get("skip_themselves", 0) + 1
    return list(suites.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--logs", type=Path)
    for option in ("--device", "--date", "--tests-commit", "--commit"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    files = sorted(file for file in options.results.glob("*.json") if not re.search(r"\.raw\d+$", file.stem))
    suites = [suite for file in files for suite in suites_of(file, options.logs)]
    output = {"device": options.device, "date": options.date, "commit": options.commit,
              "tests": "[KhronosGroup/OpenCL-CTS](https://github.com/KhronosGroup/OpenCL-CTS)", "tests_commit": options.tests_commit,
              "suites": suites}
    print(json.dumps(output, indent=1))


if __name__ == "__main__":
    main()
