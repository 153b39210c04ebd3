#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slowdown of kernels by the kernel checker: bench/check_cost.py BUILD [--json FILE] [--only NAME] [--sets SETS].

Runs BUILD/bin/bench_kernels once for each set of checks, with one thread and by processor time, and prints the ratio of each
case to the unchecked run, with geometric means. `--sets` separates sets by spaces, such as "memory memory,race"."""

import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SETS = "memory barrier race memory,barrier,race"
# Launches and transfers measure the driver, not kernels.
SKIPPED = ("launch", "write buffer", "read buffer", "copy buffer", "fill buffer")


def measure(build, checks, arguments, folder):
    """Seconds by case, and the context of the run."""
    result = pathlib.Path(folder) / "result.json"
    environment = dict(os.environ, OCL_ICD_VENDORS=str(build / "vendors"), UPSWEEP_THREADS="1")
    environment.pop("UPSWEEP_CHECK", None)
    if checks:
        environment["UPSWEEP_CHECK"] = checks
    command = [build / "bin" / "bench_kernels", "--processor-time", "--peer", "Upsweep", "--samples", str(arguments.samples)]
    command += ["--only", arguments.only, "--json", result]
    try:
        found = subprocess.run(command, env=environment, check=True, stderr=subprocess.PIPE, text=True, timeout=arguments.limit).stderr
    except subprocess.TimeoutExpired as error:  # the results so far are stored
        found = error.stderr.decode() if error.stderr else ""
        print(f"{checks or 'unchecked'}: ended after {arguments.limit} s, in{found.rstrip().rsplit(chr(10), 1)[-1]}", file=sys.stderr)
    if "upsweep check:" in found:
        print(f"findings of {checks}:\n" + found[found.index("upsweep check:"):], file=sys.stderr)
    data = json.loads(result.read_text())
    seconds = {}
    for row in data["rows"]:
        ours = row["results"].get("Upsweep", {})
        if "median_seconds" in ours and not any(word in row["name"] for word in SKIPPED):
            seconds[f"{row['name']}, {row['variant']}"] = ours["median_seconds"]
        elif "error" in ours:
            print(f"{checks or 'unchecked'}: {row['name']}, {row['variant']}: {ours['error']}", file=sys.stderr)
    return seconds, data["context"]


def geometric_mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--limit", type=float, help="seconds for each set of checks; later cases are left out")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    sets = arguments.sets.split()
    with tempfile.TemporaryDirectory() as folder:
        unchecked, context = measure(build, "", arguments, folder)
        checked = {checks: measure(build, checks, arguments, folder)[0] for checks in sets}
    rows = {name: {checks: checked[checks][name] / seconds for checks in sets if name in checked[checks]}
            for name, seconds in unchecked.items()}
    print("| case | " + " | ".join(sets) + " |\n|---" + "|---" * len(sets) + "|")
    for name, ratios in rows.items():
        print(f"| {name} | " + " | ".join(f"{ratios[checks]:.2f}" if checks in ratios else "" for checks in sets) + " |")
    means = {}
    for checks in sets:
        ratios = [row[checks] for row in rows.values() if checks in row]
        means[checks] = {"mean": geometric_mean(ratios), "worst": max(ratios), "cases": len(ratios)}
    print("| **geometric mean** | " + " | ".join(f"{means[checks]['mean']:.2f}" for checks in sets) + " |")
    print("| **worst** | " + " | ".join(f"{means[checks]['worst']:.1f}" for checks in sets) + " |")
    if arguments.json:
        output = {"name": "check_cost", "date": datetime.date.today().isoformat(), "processor": context["processor"],
                  "samples": arguments.samples, "unchecked_seconds": unchecked, "ratios": rows, "summary": means}
        arguments.json.write_text(json.dumps(output, indent=1) + "\n")


if __name__ == "__main__":
    main()
