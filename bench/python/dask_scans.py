# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.dask beside Dask's own calls and NumPy's on the whole array, as JSON: `python3 bench/python/dask_scans.py [LOG2_OF_ELEMENTS] >
docs/benchmarks/data/dask_MACHINE.json`.

Blocks are in memory, as are results; Dask's threaded scheduler has a thread for each processor. Times are the least of TURNS turns, in each of
which every peer is timed once, so that other work on the machine slows all of them. Results are compared before anything is timed.
"""

import datetime
import json
import os
import platform
import sys
import time

import dask
import dask.array
import numpy
import upsweep
import upsweep.dask

TURNS = 5


def least(functions):
    """The least time of each function in milliseconds."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(TURNS):
        for name, function in functions.items():
            begin = time.perf_counter()
            function()
            best[name] = min(best[name], (time.perf_counter() - begin) * 1e3)
    return best


def require_close(name, functions):
    """All peers have the same last elements."""
    made = {key: numpy.asarray(function()).reshape(-1)[-100:] for key, function in functions.items()}
    for key, got in made.items():
        if not numpy.allclose(got, made["upsweep"], rtol=1e-3):
            sys.exit(f"{name}: {key} differs")


def cases(n, chunk):
    rng = numpy.random.default_rng(1)
    own = upsweep.dask
    for dtype in ("float32", "int64"):
        x = rng.random(n, dtype=dtype) if dtype == "float32" else rng.integers(-(1 << 40), 1 << 40, n)
        d = dask.array.from_array(x, chunks=chunk).persist()

        def all_of(y):
            return y.persist()

        yield f"cumsum, {dtype}", [n], {"upsweep": lambda: all_of(own.cumsum(d, 0)), "dask": lambda: all_of(d.cumsum(0)),
                                         "blelloch": lambda: all_of(d.cumsum(0, method="blelloch"))}
        if dtype == "float32":
            yield "compensated cumsum, float32", [n], {"upsweep": lambda: all_of(own.cumsum(d, 0, compensated=True)),
                                                       "dask": lambda: all_of(d.cumsum(0, dtype="float64").astype("float32")),
                                                       "blelloch": lambda: all_of(d.cumsum(0, dtype="float64", method="blelloch").astype("float32"))}
        rows, columns = n >> 12, 1 << 12
        wide = d.reshape(rows, columns).persist()
        for axis in (0, 1):
            tall = wide.rechunk((1 << 10, 1 << 12) if axis == 0 else (1 << 13, 1 << 9)).persist()
            yield f"cumsum along axis {axis}, {dtype}", [rows, columns], {
                "upsweep": lambda: all_of(own.cumsum(tall, axis)), "dask": lambda: all_of(tall.cumsum(axis)),
                "blelloch": lambda: all_of(tall.cumsum(axis, method="blelloch"))}
        span = (0, 1) if dtype == "float32" else (-(1 << 40), 1 << 40)
        yield f"the 100 largest, {dtype}", [n], {"upsweep": lambda: own.top_k(d, 100)[0].compute(), "dask": lambda: dask.array.topk(d, 100).compute()}
        yield f"histogram of 256 bins, {dtype}", [n], {"upsweep": lambda: own.histogram(d, 256, span)[0].compute(),
                                                        "dask": lambda: dask.array.histogram(d, 256, span)[0].compute()}
        mask = (d > 0.5 if dtype == "float32" else d > 0).persist()
        yield f"selection of half, {dtype}", [n], {"upsweep": lambda: all_of(own.select(d, mask)), "dask": lambda: all_of(d[mask])}
        yield f"sort, {dtype}", [n], {"upsweep": lambda: all_of(own.sort(d)), "numpy": lambda: numpy.sort(x)}
        yield f"median, {dtype}", [n], {"upsweep": lambda: own.quantile(d, 0.5).compute(), "numpy": lambda: numpy.median(x)}


def main():
    log = int(sys.argv[1]) if len(sys.argv) > 1 else 27
    n, chunk = 1 << log, 1 << max(10, log - 5)
    dask.config.set(scheduler="threads")
    rows = []
    for call, shape, functions in cases(n, chunk):
        require_close(call, functions)
        rows.append({"device": "cpu", "call": f"{call}, {' × '.join(map(str, shape))}", "ms": least(functions)})
        print(rows[-1], file=sys.stderr, flush=True)
    with open("/proc/cpuinfo") as info:
        cpu = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    facts = [f"{len(os.sched_getaffinity(0))} processors of {cpu} with a load of {os.getloadavg()[1]:.0f} by other programs",
             f"Python {platform.python_version()}", f"NumPy {numpy.__version__}", f"Dask {dask.__version__}", f"blocks of {chunk} elements"]
    print(json.dumps({"command": f"python3 bench/python/dask_scans.py {log}", "date": f"{datetime.date.today():%-d %B %Y}", "device": ", ".join(facts),
                      "turns": TURNS, "rows": rows}, indent=1))


main()
