#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the times of a benchmark's JSON over the number of elements, and their share of a copy's speed (needs matplotlib).

    docs/generator/plots.py docs/benchmarks/data/cuda_scan_lengths_h200.json --out build/plots

makes a file for each operation and type that was measured at three lengths or more: on the left the time in microseconds, on the
right copy_us / time, of every column that ends in _us. Further columns of text (the keys of a sort) tell cases apart as well.
--match TEXT draws the cases whose names contain it alone; --format is svg or png.
"""
import argparse
import json
import re
import sys
from pathlib import Path

LEAST_LENGTHS = 3


def cases_of(rows):
    """{name: rows by length}; a case is all that is text in a row, or a number that is no measurement."""
    cases = {}
    for row in rows:
        if "n" not in row:
            continue
        labels = [str(row[key]) for key in row if isinstance(row[key], str) and key != "goal"]
        if "threads" in row:
            labels.append(f"{row['threads']} threads")
        cases.setdefault(", ".join(labels), {})[row["n"]] = row
    return {name: [rows[n] for n in sorted(rows)] for name, rows in cases.items() if len(rows) >= LEAST_LENGTHS}


def series_of(rows):
    """{column: (lengths, times)} of the columns of times."""
    columns = {key: None for row in rows for key in row if key.endswith("_us") and key != "empty_kernel_us"}
    found = {}
    for column in columns:
        points = [(row["n"], row[column]) for row in rows if isinstance(row.get(column), (int, float)) and row[column] > 0]
        if points:
            found[column] = tuple(zip(*points))
    return found


def draw(plt, origin, versions, name, rows, path):
    copies = {row["n"]: row["copy_us"] for row in rows if row.get("copy_us")}
    figure, (times, shares) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for column, (lengths, values) in series_of(rows).items():
        peer = column.removesuffix("_us")
        label = f"CUB {versions[peer]}" if peer in versions else peer.replace("_", " ")
        (line,) = times.plot(lengths, values, marker=".", label=label)
        if column != "copy_us":
            points = [(n, copies[n] / value) for n, value in zip(lengths, values) if n in copies]
            if points:
                shares.plot(*zip(*points), marker=".", label=label, color=line.get_color())
    times.set(xscale="log", yscale="log", xlabel="elements", ylabel="µs")
    shares.set(xscale="log", xlabel="elements", ylabel="of a copy's speed", ylim=(0, None))
    for axes in (times, shares):
        axes.set_xscale("log", base=2)
        axes.grid(True, alpha=0.3)
    times.legend()
    figure.suptitle(f"{name}\n{origin}", fontsize=10)
    figure.savefig(path)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/plots"))
    parser.add_argument("--match", default="")
    parser.add_argument("--format", choices=("svg", "png"), default="svg")
    arguments = parser.parse_args()
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        sys.exit("plots.py: needs matplotlib (Debian: python3-matplotlib)")
    data = json.loads(arguments.file.read_text(encoding="utf-8"))
    origin = ", ".join(str(data[key]) for key in ("title", "device", "date") if key in data)
    versions = {column: data[column] for column in ("cub", "other_cub") if column in data}
    cases = {name: rows for name, rows in cases_of(data["rows"]).items() if arguments.match in name}
    if not cases:
        sys.exit(f"plots.py: {arguments.file} has no such case of {LEAST_LENGTHS} lengths or more")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, rows in cases.items():
        path = arguments.out / f"{arguments.file.stem}_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}.{arguments.format}"
        draw(plt, origin, versions, name, rows, path)
        print(path)


if __name__ == "__main__":
    main()
