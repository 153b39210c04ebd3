#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times calls of dpnp, NumPy's functions on SYCL devices, on OpenCL drivers beside each other:

    dpnp_calls.py --driver NAME=FOLDER --driver NAME=FOLDER [--sizes 1000,1000000] [--rounds 3] [--out FILE.json] [--calls NAME,…]

FOLDER has the .icd file of the driver (OCL_ICD_VENDORS). The interpreter needs dpnp (docs/howto/sycl.md). A process per driver has
the arrays of one size. The drivers take turns call by call, and the result is the least time of all rounds. With --out the results
of the file are kept, so that rounds may run one after the other. A call is complete when its queue is empty. The processor time
has all threads of the process, and suits machines that run other programs at the same time."""
import argparse
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

# Each call with its arrays: f and g are float32, i and j int32, m is bool, t is a matrix of 1,000 columns, s a small square matrix.
CALLS = {
    "add": "f + g", "add of a row": "t + t[0]", "multiply by a number": "f * 3.5", "divide": "f / g", "sqrt": "d.sqrt(g)", "exp": "d.exp(f)", "log": "d.log(g)",
    "sin": "d.sin(f)", "tanh": "d.tanh(f)", "power": "d.power(g, f)", "maximum": "d.maximum(f, g)", "floor": "d.floor(f)",
    "less": "f < g", "logical_and": "d.logical_and(m, f)", "clip": "d.clip(f, -0.5, 0.5)", "int32 remainder": "i % 7", "astype float64": "f.astype(d.float64)",
    "sum": "f.sum()", "sum of columns": "t.sum(axis=0)", "sum of rows": "t.sum(axis=1)", "mean": "f.mean()", "max": "f.max()", "argmax": "f.argmax()",
    "std": "f.std()", "all": "m.all()", "count_nonzero": "d.count_nonzero(i)",
    "cumsum": "d.cumsum(f)", "cumsum int32": "d.cumsum(i)", "cumsum of rows": "d.cumsum(t, axis=1)",
    "sort": "d.sort(f)", "sort int32": "d.sort(i)", "argsort": "d.argsort(f)", "unique": "d.unique(j)", "searchsorted": "d.searchsorted(o, f)",
    "matmul": "s @ s", "boolean index": "f[m]", "nonzero": "d.nonzero(m)", "take": "d.take(f, p)", "where": "d.where(m, f, g)",
    "every second": "d.copy(f[::2])", "transpose": "d.ascontiguousarray(t.T)", "concatenate": "d.concatenate((f, g))",
}
SECONDS = 0.05  # of measuring in a round, at least; and three repetitions
LONG = 1.0  # seconds after which a call is not repeated in its round


def arrays(count):
    import dpnp
    import numpy

    draw = numpy.random.default_rng(1)
    f = draw.standard_normal(count, dtype=numpy.float32)
    names = {
        "f": f, "g": numpy.abs(f[::-1]) + numpy.float32(0.1), "i": draw.integers(-1000, 1000, count, dtype=numpy.int32),
        "j": draw.integers(0, 100, count, dtype=numpy.int32), "m": draw.random(count) < 0.5, "o": numpy.sort(f),
        "p": draw.integers(0, count, count, dtype=numpy.int64), "t": f[: count // 1000 * 1000].reshape(-1, 1000),
        "s": draw.standard_normal((64, 64), dtype=numpy.float32),
    }
    return {"d": dpnp, **{name: dpnp.asarray(numpy.ascontiguousarray(value)) for name, value in names.items()}}


def least_seconds(code, names, queue, warm):
    """The least time of a call, and the least processor time of all threads."""

    def once():
        start, processor = time.perf_counter(), time.process_time()
        eval(code, names)
        queue.wait()
        return time.perf_counter() - start, time.process_time() - processor

    for _ in range(0 if warm else 2):  # compiles the kernels; the second call has their times and sizes
        if once()[0] > LONG:
            break
    times, end = [], time.perf_counter() + SECONDS
    while len(times) < 3 or time.perf_counter() < end:
        times.append(once())
        if times[-1][0] > LONG:
            break
    return {"us": min(time[0] for time in times) * 1e6, "processor_us": min(time[1] for time in times) * 1e6}


def serve(count):
    """Measures the calls whose names are the lines of the input."""
    names = arrays(count)
    queue = names["f"].sycl_queue
    print(json.dumps({"driver": queue.sycl_device.driver_version, "device": queue.sycl_device.name}), flush=True)
    warm = set()
    for line in sys.stdin:
        call = line.strip()
        print(json.dumps(least_seconds(compile(CALLS[call], call, "eval"), names, queue, call in warm)), flush=True)
        warm.add(call)


class Server:
    """A process that has the arrays and measures calls on one driver."""

    def __init__(self, folder, count):
        environment = {**os.environ, "OCL_ICD_VENDORS": folder, "ONEAPI_DEVICE_SELECTOR": "opencl:cpu"}
        self.folder = folder
        self.process = subprocess.Popen([sys.executable, __file__, "--serve", str(count)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.about = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.folder}: the process ended with status {self.process.wait()}")
        return json.loads(line)

    def times(self, call):
        print(call, file=self.process.stdin, flush=True)
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def merge(rows, driver, count, call, times):
    row = next((row for row in rows if row["call"] == call and row["elements"] == count), None)
    if row is None:
        rows.append(row := {"call": call, "elements": count, **{kind: {} for kind in times}})
    for kind, value in times.items():
        row[kind][driver] = round(min(row[kind].get(driver, math.inf), value), 2)


def measure(result, drivers, count, calls, rounds, write):
    servers = {driver: Server(folder, count) for driver, folder in drivers.items()}
    for driver, server in servers.items():
        result["versions"][driver], result["machine"]["cpu"] = server.about["driver"], server.about["device"]
    for call in calls:
        for _ in range(rounds):
            for driver, server in servers.items():
                merge(result["rows"], driver, count, call, server.times(call))
        write()
    for server in servers.values():
        server.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--driver", action="append", default=[])
    parser.add_argument("--sizes", default="1000,1000000,10000000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", default=",".join(CALLS))
    parser.add_argument("--out")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve)
    calls = options.calls.split(",")
    drivers = dict(driver.split("=", 1) for driver in options.driver)
    result = {"command": "bench/python/dpnp_calls.py " + " ".join(f"--driver {name}=FOLDER" for name in drivers), "date": f"{datetime.date.today():%-d %B %Y}",
              "machine": {"cpu": "", "processors": os.cpu_count(), "python": platform.python_version()}, "versions": {}, "rows": []}
    if options.out and Path(options.out).exists():
        result["rows"] = json.loads(Path(options.out).read_text())["rows"]

    def write():
        if options.out:
            Path(options.out).write_text(json.dumps(result, indent=1) + "\n")

    for count in map(int, options.sizes.split(",")):
        measure(result, drivers, count, calls, options.rounds, write)
    if len(drivers) == 2:
        ours, peer = drivers
        for row in result["rows"]:
            if row["call"] in calls:
                print(f'{row["call"]:22} {row["elements"]:9}', *(f"{row[kind][ours]:12.1f} {row[kind][peer]:12.1f} {row[kind][peer] / row[kind][ours]:6.2f}"
                                                               for kind in ("us", "processor_us")))


if __name__ == "__main__":
    main()
