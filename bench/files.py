#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verbs on files against NumPy on the same file of 1 GiB, alternately, as JSON: `files.py UPSWEEP FOLDER [TURNS] >
files.json`.

The times cover all work from opening the file to the end. The command's times include the start of its process; NumPy's times
exclude the start of Python and the import. NumPy maps the file (mmap_mode='r'), which is the faster of its two ways. The
folder's files are in the page cache.
"""
import json
import os
import subprocess
import sys
import time

import numpy

BYTES = 1 << 30
CASES = [  # the command, NumPy's call, the type, whether results are stored
    ("scan", "numpy.cumsum(x)", "float64", False),
    ("scan", "numpy.cumsum(x)", "float32", False),
    ("scan", "numpy.cumsum(x)", "float64", True),
    ("reduce", "x.sum()", "float32", False),
    ("select --where x>4", "x[x > 4]", "float32", False),
    ("histogram --bins 256", "numpy.histogram(x, 256)", "float32", False),
]
CHILD = "import numpy, time; t = time.perf_counter(); x = numpy.load({path!r}, mmap_mode='r'); y = {call}; {store}print(time.perf_counter() - t)"


def seconds(arguments):
    start = time.perf_counter()
    out = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - start, out


def numpy_seconds(path, call, result):
    store = f"numpy.save({result!r}, y); " if result else ""
    return float(seconds([sys.executable, "-c", CHILD.format(path=path, call=call, store=store)])[1])


def copy_seconds(path, result):
    start = time.perf_counter()
    subprocess.run(["cp", path, result], check=True)
    return time.perf_counter() - start


def main():
    upsweep, folder = sys.argv[1:3]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    path, result = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    rows = []
    for verb, call, kind, stores in CASES:
        numpy.save(path, (numpy.random.default_rng(1).random(BYTES // numpy.dtype(kind).itemsize) * 9).astype(kind))
        best = {"upsweep": 1e9, "numpy": 1e9, "cp": 1e9}
        name, *options = verb.split(" ", 1)
        options = options[0].split(" ") if options else []
        for _ in range(turns):
            out = ["--out", result] if stores else []
            best["upsweep"] = min(best["upsweep"], seconds([upsweep, name, path, *options, "-q", *out])[0])
            best["numpy"] = min(best["numpy"], numpy_seconds(path, call, result if stores else None))
            if stores:
                best["cp"] = min(best["cp"], copy_seconds(path, result))
        gigabytes = BYTES * (2 if stores else 1) * 1e-9
        row = ["`upsweep " + verb + (" --out`" if stores else "`"), "`" + call + ("`, `numpy.save`" if stores else "`"), kind,
               f"{best['upsweep']:.2f}", f"{gigabytes / best['upsweep']:.1f}", f"{best['numpy']:.2f}",
               f"{best['numpy'] / best['upsweep']:.1f}", f"{best['cp']:.2f}" if stores else ""]
        rows.append(row)
        print(row, file=sys.stderr)
    for file in (path, result):
        if os.path.exists(file):
            os.remove(file)
    columns = ["command", "NumPy", "type", "s", "GB/s", "NumPy: s", "× NumPy", "`cp`: s"]
    print(json.dumps({"title": "verbs on files beside NumPy", "command": "bench/files.py", "date": time.strftime("%-d %B %Y"),
                      "device": f"{len(os.sched_getaffinity(0))} processors, NumPy {numpy.__version__}",
                      "tables": {"verbs": {"columns": columns, "rows": rows}}}, indent=1, ensure_ascii=False))


main()
