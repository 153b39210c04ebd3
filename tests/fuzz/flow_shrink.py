#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a small kernel that fails as the kernel of a seed does: flow_shrink.py FLOW_FUZZ SEED [OPTION OF FLOW_FUZZ ...]"""
import subprocess
import sys

program, seed, *options = sys.argv[1:]


def run(edits, *more):
    command = [program, f"--seed={seed}", "--count=1", "--patience=3", *options, *more]
    if edits:
        command.append("--edits=" + ",".join(map(str, edits)))
    return subprocess.run(command, stdout=subprocess.PIPE, text=True)


def kind_of(output):
    """`differs` or `does not end`, whatever the values are."""
    return next((kind for kind in ("differs", "does not end", "does not build") if kind in output), None)


kind = kind_of(run([]).stdout)
if kind is None:
    sys.exit(f"the kernel of seed {seed} does not fail")
edits, number = [], 0
while True:
    outcome = run(edits + [number])
    if outcome.returncode == 4:
        break
    if kind_of(outcome.stdout) == kind:
        edits.append(number)
    else:
        number += 1
print(run(edits, "--print").stdout, end="")
