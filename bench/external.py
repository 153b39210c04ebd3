#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files larger than the memory of a verb, beside the disk, DuckDB, GNU sort and NumPy, as JSON: `external.py UPSWEEP FOLDER
[SCALE [TURNS]] > external.json`. SCALE divides the sizes.

Times are from the start of a process to the end of a sync of its output's file system, the best of TURNS (2) alternating runs. The
inputs may be in the page cache, which a program without privileges cannot empty; the bound is measured by direct transfers, which
bypass it. Memory is the largest resident memory of the process.
"""
import json
import os
import subprocess
import sys
import time

import duckdb
import numpy

upsweep, folder = sys.argv[1:3]
scale = int(sys.argv[3]) if len(sys.argv) > 3 else 1
turns = int(sys.argv[4]) if len(sys.argv) > 4 else 2
place = lambda name: os.path.join(folder, name)
MEASURE = """
import os, subprocess, sys, time
start = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C"))
_, status, usage = os.wait4(child.pid, 0)
os.sync()
print(time.perf_counter() - start, usage.ru_maxrss >> 10, status)
"""


# Seconds and MiB of a command.
def measure(command):
    out = subprocess.run([sys.executable, "-c", MEASURE, *command], check=True, capture_output=True, text=True).stdout.split()
    assert out[2] == "0", command
    return float(out[0]), int(out[1])


def best(commands):
    results = {name: (1e9, 0) for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            os.sync()
            results[name] = min(results[name], measure(command))
            print(name, results[name], file=sys.stderr)
    return results


# Bytes a second by direct transfers.
def disk():
    name, count = place("disk"), 256
    rates = []
    for options in ([f"if=/dev/zero", f"of={name}", "oflag=direct"], [f"if={name}", "of=/dev/null", "iflag=direct"]):
        seconds = min(measure(["dd", *options, "bs=4M", f"count={count}", "status=none"])[0] for _ in range(3))
        rates.append(count * (4 << 20) / seconds)
    os.remove(name)
    return rates


def save(name, kind, count, make):
    array = numpy.lib.format.open_memmap(place(name), "w+", kind, (count,))
    for begin in range(0, count, 1 << 24):
        array[begin : begin + (1 << 24)] = make(min(1 << 24, count - begin))
    array.flush()


def duck(query, memory):
    settings = f"SET memory_limit='{memory}'; SET temp_directory='{place('duck')}'; SET threads={len(os.sched_getaffinity(0))};"
    return [sys.executable, "-c", f"import duckdb, sys; duckdb.connect({place('duck.db')!r}).execute(sys.argv[1])", settings + query]


def sort_rows(rates):
    rows = []
    random = numpy.random.default_rng(1)
    for kind, count, memory in (("int64", 100_000_000, "500MB"), ("uint32", 250_000_000, "500MB")):
        count //= scale
        save("in.npy", kind, count, lambda n: random.integers(0, 1 << 32 if kind == "uint32" else 1 << 62, n, kind))
        size = os.path.getsize(place("in.npy"))
        commands = {"upsweep": [upsweep, "sort", place("in.npy"), "--memory", memory, "-q", "--out", place("out.npy")]}
        if kind == "int64":
            values = numpy.load(place("in.npy"), mmap_mode="r")
            if os.path.exists(place("duck.db")):
                os.remove(place("duck.db"))
            load_duck(values)
            commands["DuckDB"] = duck("CREATE OR REPLACE TABLE s AS SELECT x FROM t ORDER BY x;", memory)
        found = best(commands)
        bound = 2 * size / rates[0] + 2 * size / rates[1]
        seconds, mib = found["upsweep"]
        peer = found.get("DuckDB")
        rows.append([f"{count:,} {kind}", memory, f"{bound:.1f}", f"{seconds:.1f}", f"{seconds / bound:.2f}",
                     str(mib), f"{peer[0]:.1f}" if peer else "", f"{peer[0] / seconds:.1f}" if peer else ""])
    return rows


def load_duck(values):
    connection = duckdb.connect(place("duck.db"))
    connection.execute("CREATE TABLE t (x BIGINT)")
    for begin in range(0, len(values), 1 << 24):
        piece = {"x": numpy.array(values[begin : begin + (1 << 24)])}
        connection.register("piece", piece)
        connection.execute("INSERT INTO t SELECT x FROM piece")
        connection.unregister("piece")
    connection.close()


def csv_rows():
    random = numpy.random.default_rng(2)
    count = 10_000_000 // scale
    with open(place("in.csv"), "w") as file:
        file.write("name,amount,day\n")
        for begin in range(0, count, 1 << 20):
            n = min(1 << 20, count - begin)
            amounts, days = random.integers(0, 1 << 40, n), random.integers(0, 365, n)
            file.write("".join(f"customer {amount % 99991},{amount},{day}\n" for amount, day in zip(amounts.tolist(), days.tolist())))
    query = (f"COPY (SELECT * FROM read_csv('{place('in.csv')}', header=true) ORDER BY {{0}}) TO '{place('duck.csv')}' (HEADER);")
    rows = []
    for column, gnu in (("amount", ["-k2,2n"]), ("name", ["-k1,1"])):
        found = best({
            "upsweep": [upsweep, "sort", place("in.csv"), "--column", column, "--memory", "200MB", "-q", "--out", place("out.csv")],
            "GNU sort": ["sort", "-s", "-t,", *gnu, "-S", "200M", f"--parallel={len(os.sched_getaffinity(0))}", "-T", folder, place("in.csv"), "-o", place("gnu.csv")],
            "DuckDB": duck(query.format(column), "200MB"),
        })
        seconds, mib = found["upsweep"]
        rows.append([f"{count:,} rows by `{column}`", "200MB", f"{seconds:.1f}", str(mib), f"{found['GNU sort'][0]:.1f}", f"{found['DuckDB'][0]:.1f}",
                     f"{min(found['GNU sort'][0], found['DuckDB'][0]) / seconds:.1f}"])
    return rows


def stream_rows(rates):
    random = numpy.random.default_rng(3)
    count = 250_000_000 // scale
    save("in.npy", "float32", count, lambda n: random.random(n, "float32"))
    size = os.path.getsize(place("in.npy"))
    call = "import numpy; x = numpy.load({!r}, mmap_mode='r'); ".format(place("in.npy"))
    store = f"o = numpy.lib.format.open_memmap({place('out.npy')!r}, 'w+', 'float32', x.shape); "
    rows = []
    for verb, numpy_call, writes in ((["scan", "--out", place("out.npy")], store + "numpy.cumsum(x, out=o); o.flush()", 1), (["reduce", "--op", "max"], "x.max()", 0),
                                     (["histogram", "--range", "0,1"], "numpy.histogram(x, 256, (0, 1))", 0)):
        found = best({"upsweep": [upsweep, verb[0], place("in.npy"), *verb[1:], "--memory", "64MiB", "-q"], "NumPy": [sys.executable, "-c", call + numpy_call]})
        bound = size / rates[1] + writes * size / rates[0]
        rows.append([f"`upsweep {verb[0]}`", "64MiB", f"{bound:.1f}", f"{found['upsweep'][0]:.1f}", str(found["upsweep"][1]), f"{found['NumPy'][0]:.1f}",
                     str(found["NumPy"][1])])
    return rows


def main():
    os.makedirs(folder, exist_ok=True)
    rates = disk()
    print(rates, file=sys.stderr)
    tables = {
        "sort": {"columns": ["elements", "`--memory`", "bound: s", "upsweep: s", "× bound", "MiB", "DuckDB: s", "× DuckDB"], "rows": sort_rows(rates)},
        "tables": {"columns": ["table", "`--memory`", "upsweep: s", "MiB", "GNU sort: s", "DuckDB: s", "× the faster"], "rows": csv_rows()},
        "streams": {"columns": ["command", "`--memory`", "bound: s", "upsweep: s", "MiB", "NumPy: s", "MiB"], "rows": stream_rows(rates)},
    }
    device = (f"{len(os.sched_getaffinity(0))} processors, DuckDB {duckdb.__version__}, NumPy {numpy.__version__}; direct writes {rates[0] / 1e6:.0f} MB/s, "
              f"direct reads {rates[1] / 1e6:.0f} MB/s")
    print(json.dumps({"title": "files larger than memory", "command": "bench/external.py " + " ".join(map(str, ["upsweep", "FOLDER", scale])),
                      "date": time.strftime("%-d %B %Y"), "device": device, "tables": tables}, indent=1, ensure_ascii=False))


main()
