#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files larger than the memory of a verb, beside the disk, DuckDB, GNU sort and NumPy, as JSON: `external.py UPSWEEP FOLDER
[SCALE [TURNS [TABLES]]] > external.json`. SCALE divides the sizes; TABLES are some of sort, large, numbers, tables and streams.

Times are from the start of a process to the end of a sync of its output's file system, the best of TURNS (2) alternating runs. Where other
programs share the machine, the processors' time is the better figure: divided by their number, it is the time that the work alone needs. The
inputs are not in the page cache when a command starts. The disk's bound is measured before each row by direct transfers, which bypass the
cache. Memory is the largest resident memory of the process.
"""
import json
import os
import subprocess
import sys
import time
from typing import NamedTuple

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
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, status)
"""
PROCESSORS = len(os.sched_getaffinity(0))


class Cost(NamedTuple):
    seconds: float
    processor: float  # seconds of all processors
    mib: int


def measure(command):
    out = subprocess.run([sys.executable, "-c", MEASURE, *command], check=True, capture_output=True, text=True).stdout.split()
    assert out[3] == "0", command
    return Cost(float(out[0]), float(out[1]), int(out[2]))


# Takes all files from the page cache.
def evict():
    os.sync()
    for entry in os.scandir(folder):
        if entry.is_file():
            file = os.open(entry.path, os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def best(commands):
    results = {name: Cost(1e9, 1e9, 0) for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            evict()
            made = measure(command)
            results[name] = Cost(*map(min, results[name][:2], made[:2]), max(results[name].mib, made.mib))
            print(name, made, file=sys.stderr)
    return results


# Bytes a second by direct transfers.
def disk():
    name, count = place("disk"), 256
    rates = []
    for options in ([f"if=/dev/zero", f"of={name}", "oflag=direct"], [f"if={name}", "of=/dev/null", "iflag=direct"]):
        seconds = min(measure(["dd", *options, "bs=4M", f"count={count}", "status=none"]).seconds for _ in range(2))
        rates.append(count * (4 << 20) / seconds)
    os.remove(name)
    return rates


def save(name, kind, count, make):
    array = numpy.lib.format.open_memmap(place(name), "w+", kind, (count,))
    for begin in range(0, count, 1 << 24):
        array[begin : begin + (1 << 24)] = make(min(1 << 24, count - begin))
    array.flush()


def duck(query, memory):
    settings = f"SET memory_limit='{memory}'; SET temp_directory='{place('duck')}'; SET threads={PROCESSORS};"
    return [sys.executable, "-c", f"import duckdb, sys; duckdb.connect({place('duck.db')!r}).execute(sys.argv[1])", settings + query]


def sort_row(kind, count, memory, has_peer):
    random = numpy.random.default_rng(1)
    count //= scale
    save("in.npy", kind, count, lambda n: random.integers(0, 1 << 32 if kind == "uint32" else 1 << 62, n, kind))
    size = os.path.getsize(place("in.npy"))
    commands = {"upsweep": [upsweep, "sort", place("in.npy"), "--memory", memory, "-q", "--out", place("out.npy")]}
    if has_peer:
        if os.path.exists(place("duck.db")):
            os.remove(place("duck.db"))
        load_duck(numpy.load(place("in.npy"), mmap_mode="r"))
        commands["DuckDB"] = duck("CREATE OR REPLACE TABLE s AS SELECT x FROM t ORDER BY x;", memory)
    rates = disk()
    found = best(commands)
    bound = 2 * size / rates[0] + 2 * size / rates[1]
    own, peer = found["upsweep"], found.get("DuckDB")
    return [f"{count:,} {kind}", memory, f"{rates[0] / 1e6:.0f}, {rates[1] / 1e6:.0f}", f"{bound:.1f}", f"{own.processor / PROCESSORS:.1f}",
            f"{own.seconds:.1f}", f"{own.seconds / max(bound, own.processor / PROCESSORS):.2f}", str(own.mib), f"{peer.seconds:.1f}" if peer else "",
            f"{peer.processor / PROCESSORS:.1f}" if peer else "", f"{peer.seconds / own.seconds:.1f}" if peer else ""]


def sort_rows():
    return [sort_row("int64", 100_000_000, "500MB", True)]


def large_rows():
    return [sort_row("uint32", 1_000_000_000, "1GB", False)]


# The numbers of a file of text, a line for each.
def number_rows():
    count = 20_000_000 // scale
    random = numpy.random.default_rng(4)
    numbers = random.integers(0, 1 << 62, count)
    with open(place("in.txt"), "w") as file:
        for begin in range(0, count, 1 << 20):
            file.write("\n".join(map(str, numbers[begin : begin + (1 << 20)].tolist())) + "\n")
    found = best({"upsweep": [upsweep, "sort", place("in.txt"), "--memory", "100MB", "-q", "--out", place("out.txt")],
                  "sort -n": ["sort", "-n", "-S", "100M", f"--parallel={PROCESSORS}", "-T", folder, place("in.txt"), "-o", place("gnu.txt")]})
    with open(place("out.txt"), "rb") as own, open(place("gnu.txt"), "rb") as other:
        assert own.read() == other.read()
    own, gnu = found["upsweep"], found["sort -n"]
    return [[f"{count:,} numbers, a line each", "100MB", f"{own.seconds:.1f}", f"{own.processor / PROCESSORS:.1f}", str(own.mib), f"{gnu.seconds:.1f}",
             f"{gnu.processor / PROCESSORS:.1f}", f"{gnu.seconds / own.seconds:.1f}"]]


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
            "GNU sort": ["sort", "-s", "-t,", *gnu, "-S", "200M", f"--parallel={PROCESSORS}", "-T", folder, place("in.csv"), "-o", place("gnu.csv")],
            "DuckDB": duck(query.format(column), "200MB"),
        })
        own = found["upsweep"]
        rows.append([f"{count:,} rows by `{column}`", "200MB", f"{own.seconds:.1f}", str(own.mib), f"{found['GNU sort'].seconds:.1f}",
                     f"{found['DuckDB'].seconds:.1f}", f"{min(found['GNU sort'].seconds, found['DuckDB'].seconds) / own.seconds:.1f}"])
    return rows


def stream_rows():
    random = numpy.random.default_rng(3)
    count = 1_000_000_000 // scale
    save("in.npy", "float32", count, lambda n: random.random(n, "float32"))
    size = os.path.getsize(place("in.npy"))
    call = "import numpy; x = numpy.load({!r}, mmap_mode='r'); ".format(place("in.npy"))
    store = f"o = numpy.lib.format.open_memmap({place('out.npy')!r}, 'w+', 'float32', x.shape); "
    rows = []
    for verb, numpy_call, writes in ((["scan", "--out", place("out.npy")], store + "numpy.cumsum(x, out=o); o.flush()", 1), (["reduce", "--op", "max"], "x.max()", 0),
                                     (["histogram", "--range", "0,1"], "numpy.histogram(x, 256, (0, 1))", 0)):
        rates = disk()
        found = best({"upsweep": [upsweep, verb[0], place("in.npy"), *verb[1:], "--memory", "64MiB", "-q"], "NumPy": [sys.executable, "-c", call + numpy_call]})
        bound, own, peer = size / rates[1] + writes * size / rates[0], found["upsweep"], found["NumPy"]
        rows.append([f"`upsweep {verb[0]}`", f"{count:,}", "64MiB", f"{bound:.1f}", f"{own.processor / PROCESSORS:.1f}", f"{own.seconds:.1f}", str(own.mib),
                     f"{peer.seconds:.1f}", str(peer.mib)])
    return rows


SORT = ["elements", "`--memory`", "disk's writes, reads: MB/s", "disk's bound: s", "processors' bound: s", "upsweep: s", "× the greater bound", "MiB", "DuckDB: s",
        "of its processors", "× DuckDB"]
TABLES = {
    "sort": (sort_rows, SORT),
    "large": (large_rows, SORT),
    "numbers": (number_rows, ["file", "`--memory`", "upsweep: s", "of the processors", "MiB", "`sort -n`: s", "of the processors ", "× `sort -n`"]),
    "tables": (csv_rows, ["table", "`--memory`", "upsweep: s", "MiB", "GNU sort: s", "DuckDB: s", "× the faster"]),
    "streams": (stream_rows, ["command", "elements", "`--memory`", "disk's bound: s", "processors' bound: s", "upsweep: s", "MiB", "NumPy: s", "MiB "]),
}


def main():
    os.makedirs(folder, exist_ok=True)
    wanted = sys.argv[5].split(",") if len(sys.argv) > 5 else list(TABLES)
    tables = {name: {"columns": TABLES[name][1], "rows": TABLES[name][0]()} for name in wanted}
    device = (f"{PROCESSORS} processors with a load of {os.getloadavg()[1]:.0f} by other programs, DuckDB {duckdb.__version__}, NumPy {numpy.__version__}")
    print(json.dumps({"title": "files larger than memory", "command": "bench/external.py " + " ".join(map(str, ["upsweep", "FOLDER", scale, turns, *sys.argv[5:]])),
                      "date": time.strftime("%-d %B %Y"), "device": device, "tables": tables}, indent=1, ensure_ascii=False))


main()
