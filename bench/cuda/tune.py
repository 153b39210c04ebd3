#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the numbers of include/upsweep/cuda/device/tuning_*.cuh that are fastest on the card at hand (docs/cuda-tuning.md).

    bench/cuda/tune.py build FOLDER [--arch sm_90a] [--only scan]    libraries with other numbers, and bench_cuda_tune
    bench/cuda/tune.py run FOLDER [--bits 20,24,28]                  measures them: FOLDER/*.json
    bench/cuda/tune.py report FOLDER                                 prints JSON: each number's gain, best first

Each library is tune_cases.cu with another header of tuning, in which one number differs. `report` needs no GPU. Gains are of times, the
geometric mean over all cases and lengths; `worst` is the least of them.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "bench" / "cuda"

# family: header.member: the values to try beside today's; the header is device/tuning_<header>.cuh
KNOBS = {
    "scan": {
        "scan.kScan[0].vectors": [5, 9],
        "scan.kScan[0].most_warps": [6, 8],
        "pipeline.kTileBytes": ["25 * 1024", "33 * 1024"],
        "pipeline.kLoadsAhead": [2, 4],
        "scan.kFewThreads": [256],
        "scan.kFewRows": [2],
        "scan.kLongerRows": [6],
        "scan.kOneRowBlocks": [48, 129],
        "scan.kReadingBlocks": [2, 6],
    },
    "large": {"scan.kScan[1].vectors": [5, 9], "scan.kScan[1].most_warps": [5, 7]},
    "bytes": {"scan.kScan[0].vectors": [5, 9], "scan.kScan[0].most_warps": [6, 8]},
    "compact": {
        "compact.kWarps": [5, 7],
        "compact.kWarpBytes": [3072, 6144],
        "compact.kFewThreads": [256],
        "compact.kMoreRows": [8, 24],
        "compact.kCombineWarps": [7, 9],
        "compact.kCombineWarpBytes": [1024, 3072],
        "compact.kFewestBulkBytes": [128, 512],
    },
    "reduce": {
        "reduce.kVectors": [2, 8],
        "reduce.kBlocks": [264],
        "segmented_reduce.kItems": [8],
        "segmented_reduce.kBlocks": [264, 528],
    },
    "recurrence": {
        "recurrence.kVectors": [5, 9],
        "recurrence.kWarps": [5, 7],
        "columns.kEnough": ["1 << 14", "1 << 16"],
        "recurrence.kMostRows": [16],
    },
    "axis": {
        "axis.kTileBytes": ["24 * 1024", "40 * 1024"],
        "axis.kWideBoxBytes": ["32 * 1024", "64 * 1024"],
        "axis.kMembersInTurn": [8, 40],
        "axis.kStepsAhead": [1, 3],
        "axis_rows.kFewestPreferredBytes": ["16 << 20", "64 << 20"],
        "axis.kFewestBusy": [0.6, 0.9],
    },
}


def tuning(header):
    return f"upsweep/cuda/device/tuning_{header}.cuh"


def replaced(text, member, value):
    """A header of tuning with another value: of `kName`, or of `kName[row].field`."""
    name, row, field = re.fullmatch(r"(\w+)(?:\[(\d+)\]\.(\w+))?", member).groups()
    line = re.search(rf"^ *static constexpr \S+ {name}(?:\[\d\])? = (.*?);", text, re.M | re.S)
    if line is None:
        sys.exit(f"the header has no {name}")
    old = new = line.group(1)
    if field is None:
        new = str(value)
    else:
        record = re.search(rf"\b(\w+) {name}\[\d\]", text).group(1)
        fields = re.findall(r"\b(\w+);", re.search(rf"struct {record} {{(.*?)}};", text, re.S).group(1))
        rows = re.findall(r"{([^{}]*)}", old)
        values = rows[int(row)].split(",")
        values[fields.index(field)] = f" {value}"
        rows[int(row)] = ",".join(values)
        new = "{{" + "}, {".join(rows) + "}}"
    return text[: line.start(1)] + new + text[line.end(1) :]


def build(options):
    flags = ["-std=c++17", "-O3", f"-arch={options.arch}", "-I", ROOT / "include"]
    options.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([options.nvcc, *flags, "-o", options.folder / "bench_cuda_tune", HERE / "tune.cu", "-ldl"], check=True)
    for family, members in KNOBS.items():
        if options.only not in family:
            continue
        variants = {"base": None}
        for knob, values in members.items():
            header, member = knob.split(".", 1)
            text = (ROOT / "include" / tuning(header)).read_text()
            variants.update({f"{knob}={value}": (tuning(header), replaced(text, member, value)) for value in values})
        for name, variant in variants.items():
            library = options.folder / family / (name.replace(" ", "").replace("/", "") + ".so")
            if library.exists():
                continue
            library.parent.mkdir(parents=True, exist_ok=True)
            if variant is not None:
                path, text = variant
                header = library.with_suffix("") / path
                header.parent.mkdir(parents=True, exist_ok=True)
                header.write_text(text)
            compile_library(options, flags, family, library)


def compile_library(options, flags, family, library):
    """The folder of the library's own header of tuning is looked at first. Libraries of one process share no names."""
    hidden = ["-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden,-fno-gnu-unique", "-Xlinker", "-Bsymbolic,-s"]
    done = subprocess.run([options.nvcc, "-I", library.with_suffix(""), *flags, *hidden, f"-DUPSWEEP_TUNE=UPSWEEP_TUNE_{family.upper()}",
                           "-o", library, HERE / "tune_cases.cu"], capture_output=True, text=True)
    print(library, "" if done.returncode == 0 else "is left out: " + done.stderr.strip().splitlines()[0], file=sys.stderr)


def run(options):
    for folder in sorted(path for path in options.folder.iterdir() if path.is_dir() and options.only in path.name):
        libraries = sorted(folder.glob("*.so"), key=lambda path: (path.stem != "base", path.stem))
        bits = ["--bits", options.bits] if options.bits else []
        with open(options.folder / f"{folder.name}.json", "w") as results:
            subprocess.run([options.folder / "bench_cuda_tune", *bits, *libraries], stdout=results, check=True)


def report(options):
    numbers = []
    origin = {}
    for path in sorted(options.folder.glob("*.json")):
        table = json.loads(path.read_text())
        origin = {key: table[key] for key in ("date", "device", "driver", "cuda")}
        base = {(row["case"], row["n"]): row for row in table["rows"] if row["library"] == "base"}
        for library in sorted({row["library"] for row in table["rows"]} - {"base"}):
            rows = [row for row in table["rows"] if row["library"] == library]
            gains = {(row["case"], row["n"]): base[row["case"], row["n"]]["median_us"] / row["median_us"] - 1 for row in rows}
            worst, best = min(gains, key=gains.get), max(gains, key=gains.get)
            numbers.append({"family": path.stem, "number": library,
                            "gain": round(math.exp(sum(math.log1p(gain) for gain in gains.values()) / len(gains)) - 1, 4),
                            "best": round(gains[best], 4), "best_of": f"{best[0]}, {best[1]}",
                            "worst": round(gains[worst], 4), "worst_of": f"{worst[0]}, {worst[1]}",
                            "is_right": all(row["is_right"] for row in rows)})
    numbers.sort(key=lambda number: (number["family"], -number["gain"]))
    print(json.dumps({"title": "Other numbers of device/tuning_*.cuh", **origin, "rows": numbers}, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["build", "run", "report"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nvcc", default=os.environ.get("NVCC", "nvcc"))
    parser.add_argument("--arch", default="native")
    parser.add_argument("--only", default="", help="families with this in their name")
    parser.add_argument("--bits", default="", help="lengths, as powers of two")
    options = parser.parse_args()
    {"build": build, "run": run, "report": report}[options.step](options)


if __name__ == "__main__":
    main()
