#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws defects into correct kernels, and tells which of them the kernel checker finds:
seeded_defects.py UPSWEEP [--count N] [--seed N] [--table] [--least SHARE].

UPSWEEP is the command line's path. The kernels are defects/kernels.cl, each with the options of its run. A defect is a change
of one place of the text. The unchanged kernels must have no finding."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

CHECKS = "memory,barrier,race,init"
# A kernel takes milliseconds; a changed loop may never end, and its findings until then count.
SECONDS = 8
FOLDER = pathlib.Path(__file__).resolve().parent / "defects"


def closing(text, opening):
    """The place of the bracket that closes text[opening]."""
    depth = 0
    for place in range(opening, len(text)):
        depth += text[place] in "([{"
        depth -= text[place] in ")]}"
        if depth == 0:
            return place
    raise ValueError("a bracket is open")


def index_defects(text):
    """An index one too large or one too small; not the sizes of arrays."""
    for found in re.finditer(r"\b(\w+)\[", text):
        line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        if re.search(r"\b(int|float|uint|Row)\s+(\w+(\[\d+\])*,\s*)*$", line):
            continue
        end = closing(text, found.end() - 1)
        for change in ("+ 1", "- 1"):
            yield "index", text[:found.end()] + "(" + text[found.end():end] + ") " + change + text[end:], found.start()


def bound_defects(text):
    """A comparison that also holds at its limit: the last iteration, or the last work-item."""
    for found in re.finditer(r" (<|>) (?=[\w-])", text):
        yield "bound", text[:found.start()] + f" {found[1]}= " + text[found.end():], found.start()


def barrier_defects(text):
    for found in re.finditer(r"\bbarrier\(([^)]*)\);", text):
        yield "barrier dropped", text[:found.start()] + ";" + text[found.end():], found.start()
        other = "CLK_GLOBAL_MEM_FENCE" if found[1] == "CLK_LOCAL_MEM_FENCE" else "CLK_LOCAL_MEM_FENCE"
        yield "barrier of another space", text[:found.start(1)] + other + text[found.end(1):], found.start()
        yield "barrier in a branch", text[:found.start()] + "if (get_local_id(0) != 3) " + text[found.start():], found.start()
    for found in re.finditer(r"\bwait_group_events\([^;]*;", text):
        yield "wait for a copy dropped", text[:found.start()] + ";" + text[found.end():], found.start()


def fence_defects(text):
    for found in re.finditer(r"\batomic_work_item_fence\([^;]*;", text):
        yield "fence dropped", text[:found.start()] + ";" + text[found.end():], found.start()
    for found in re.finditer(r"memory_order_(acq_rel|release|acquire)", text):
        yield "order weakened", text[:found.start()] + "memory_order_relaxed" + text[found.end():], found.start()
    for found in re.finditer(r"memory_scope_device", text):
        yield "scope weakened", text[:found.start()] + "memory_scope_work_group" + text[found.end():], found.start()


def atomic_defects(text):
    for found in re.finditer(r"\batomic_(inc|add|max)\(", text):
        end = closing(text, found.end() - 1)
        inside = text[found.end():end]
        parts = [inside, "1"] if found[1] == "inc" else inside.rsplit(", ", 1)
        place = parts[0].lstrip("&")
        new = f"max({place}, {parts[1]})" if found[1] == "max" else f"{place} + {parts[1]}"
        plain = f"({place} = {new}) - ({parts[1]})" if found[1] != "max" else f"{place} = {new}"
        yield "atomic made plain", text[:found.start()] + plain + text[end + 1:], found.start()


def initialisation_defects(text):
    """A private variable without its first value, and a local array without a store to it."""
    for found in re.finditer(r"(?m)^( *(?:const )?(?:int|uint|float|size_t|float4|int2) \w+) = [^;]*;", text):
        if "const " not in found[1]:
            yield "initialisation removed", text[:found.end(1)] + ";" + text[found.end():], found.start(1)
    for name in re.findall(r"\blocal \w+ (\w+)\[", text):
        for found in re.finditer(r"\b" + name + r"\[", text):
            end = closing(text, found.end() - 1) + 1
            store = re.match(r"(\[[^;=]*\])* = [^=;][^;]*;", text[end:])
            if store:
                yield "initialisation removed", text[:found.start()] + ";" + text[end + store.end():], found.start()


def kernels():
    """The common head, and for each kernel its name, options and text."""
    text = (FOLDER / "kernels.cl").read_text()
    head = "\n".join(line for line in text[:text.index("// run:")].splitlines() if line.startswith("#"))
    found = []
    for part in re.split(r"(?m)^(?=// run:)", text)[1:]:
        options, body = part.split("\n", 1)
        end = closing(body, body.index("{")) + 1
        found.append((re.search(r"kernel void (\w+)", body)[1], options[len("// run:"):].split(), body[:end]))
    declared = re.findall(r"(?ms)^typedef struct.*?^} \w+;|^constant [^\n]*", text)
    return head + "\n" + "\n".join(declared) + "\n", found


def run(upsweep, head, options, body):
    """The kinds of findings; None if the text does not compile, or does not end and has none."""
    with tempfile.TemporaryDirectory() as folder:
        source, log = pathlib.Path(folder) / "kernel.cl", pathlib.Path(folder) / "log.json"
        source.write_text(head + body)
        environment = dict(os.environ, UPSWEEP_CHECK=CHECKS, UPSWEEP_CHECK_LOG=str(log))
        try:
            done = subprocess.run([upsweep, "run", source, "--device", "cpu", *options], env=environment, capture_output=True, text=True, timeout=SECONDS)
            is_run, output = done.returncode == 0, done.stderr
        except subprocess.TimeoutExpired:
            is_run, output = False, "the kernel does not end"
        found = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        if not is_run and not found:
            return None, output
        return sorted({each["kind"] for each in found}), output


def all_defects(found):
    for name, options, body in found:
        for defects in (index_defects, bound_defects, barrier_defects, fence_defects, atomic_defects, initialisation_defects):
            for kind, text, place in defects(body):
                line = body.count("\n", 0, place)
                yield kind, name, options, text, body.splitlines()[line].strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("upsweep", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0, help="fail if a smaller share is found")
    parser.add_argument("--table", action="store_true", help="print a row for each kind")
    arguments = parser.parse_args()
    head, found = kernels()
    for name, options, body in found:
        kinds, output = run(arguments.upsweep, head, options, body)
        if kinds is None or kinds:
            sys.exit(f"{name}: the unchanged kernel has findings or does not run: {kinds}\n{output}")
    pool = list(all_defects(found))
    random.Random(arguments.seed).shuffle(pool)
    drawn, hits, missed = collections.Counter(), collections.Counter(), []
    for kind, name, options, text, line in pool:
        if sum(drawn.values()) == arguments.count:
            break
        kinds, output = run(arguments.upsweep, head, options, text)
        if kinds is None:
            print(f"left out, since it does not run: {name}: {kind}: {line}\n{output[:300]}", file=sys.stderr)
            continue
        drawn[kind] += 1
        hits[kind] += bool(kinds)
        if not kinds:
            missed.append(f"not found: {name}: {kind}: {line}")
    if arguments.table:
        print("| defect | drawn | found |\n|---|---|---|")
        for kind in sorted(drawn):
            print(f"| {kind} | {drawn[kind]} | {hits[kind]} |")
    print("\n".join(missed))
    total, count = sum(hits.values()), sum(drawn.values())
    print(f"{len(found)} kernels, {len(pool)} places of defects; {count} drawn, {total} found")
    sys.exit(total < arguments.least * count)


if __name__ == "__main__":
    main()
