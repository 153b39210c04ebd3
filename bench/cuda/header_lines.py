#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of the library's headers that a translation unit with one call reads: prints a table of all public headers.

    bench/cuda/header_lines.py [--nvcc nvcc] [--include include] [--before OTHER/include]

nvcc lists the headers of a unit that includes one public header. With --before the table has the lines of another checkout as well.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"^cudaError_t (\w+)\(", re.M)


def headers_of(nvcc, include, header, folder):
    unit = folder / "unit.cu"
    unit.write_text(f"#include <upsweep/cuda/{header}>\n", encoding="utf-8")
    made = subprocess.run([nvcc, "-std=c++17", "-M", "-I", include, unit], capture_output=True, text=True, check=True).stdout
    own = str(include) + "/"
    return sorted({name for name in made.replace("\\\n", " ").split() if name.startswith(own)})


def lines_of(name):
    return pathlib.Path(name).read_text(encoding="utf-8").count("\n")


def measured(options, include, header, folder):
    if not (include / "upsweep/cuda" / header).exists():
        return None
    names = headers_of(options.nvcc, include, header, folder)
    return len(names), sum(lines_of(name) for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include")
    parser.add_argument("--before", type=pathlib.Path)
    options = parser.parse_args()
    includes = [path.resolve() for path in (options.before, options.include) if path]
    sums = [0] * len(includes)
    print("| header | calls | " + " | ".join(["headers", "lines"] * len(includes)) + " |\n|---|---:|" + "---:|" * (2 * len(includes)))
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted((includes[-1] / "upsweep/cuda").glob("*.cuh")):
            public = re.sub(r"namespace detail \{.*?\n\}  // namespace detail\n", "", path.read_text(encoding="utf-8"), flags=re.S)
            calls = len(set(CALL.findall(public)))
            if calls == 0:
                continue
            cells = []
            for i, include in enumerate(includes):
                files, lines = measured(options, include, path.name, pathlib.Path(scratch)) or ("", 0)
                sums[i] += lines
                cells += [str(files), str(lines)]
            print(f"| {path.name} | {calls} | " + " | ".join(cells) + " |", flush=True)
    print("| all | | " + " | ".join(f"| {total}" for total in sums) + " |")


if __name__ == "__main__":
    main()
