# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module beside NumPy, PyTorch and CuPy, as JSON: `python3 bench/python/scans.py > docs/benchmarks/data/python_MACHINE.json`.

Times are the least of TURNS turns. In each turn every peer is timed once, so that other work on the machine slows all of them.
GPUs are timed by the host's clock around calls that end with a synchronisation. The time of a small call is the host's time in
a loop of calls.
"""

import datetime
import importlib
import json
import os
import platform
import time

import numpy
import upsweep

TURNS = 7
SHAPES = [((1 << 10,), 0), ((1 << 20,), 0), ((1 << 26,), 0), ((1_000_000, 32), 0), ((32, 1_000_000), 1), ((4096, 4096), 0), ((4096, 4096), 1)]


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def least(functions, wait, repeats=1):
    """The least time of each function in milliseconds."""
    best = dict.fromkeys(functions, float("inf"))
    for function in functions.values():
        function()
    for _ in range(TURNS):
        for name, function in functions.items():
            wait()
            begin = time.perf_counter()
            for _ in range(repeats):
                function()
            wait()
            best[name] = min(best[name], (time.perf_counter() - begin) / repeats * 1e3)
    return best


def microseconds_of_calls(functions, wait, calls=1000, turns=TURNS):
    """The host's time of a call in a loop, without waits for the device."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(turns):
        for name, function in functions.items():
            function()
            wait()
            begin = time.perf_counter()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.perf_counter() - begin) / calls * 1e6)
            wait()
    return best


def on_cpu(rows, torch):
    for shape, axis in SHAPES:
        for dtype in ["float32", "int64"]:
            x = numpy.ones(shape, dtype)
            out = numpy.empty_like(x)
            peers = {"upsweep": lambda: upsweep.cumsum(x, axis, out=out), "numpy": lambda: numpy.cumsum(x, axis, out=out)}
            if torch:
                y, to = torch.from_numpy(x), torch.from_numpy(out)
                peers["torch"] = lambda: torch.cumsum(y, axis, out=to)
            times = least(peers, lambda: None, 1 if x.size > 1 << 16 else 1000)
            rows.append({"device": "cpu", "call": "cumsum", "shape": list(shape), "axis": axis, "type": dtype, "ms": times})
    random = numpy.random.default_rng(1)
    others_on_cpu(rows, random)
    small_on_cpu(rows, random)


def others_on_cpu(rows, random):
    """Large arrays; peers use NumPy's functions for the same result."""
    x = random.integers(0, 1 << 32, 1 << 24, numpy.uint32)
    out, half = numpy.empty_like(x), numpy.sort(x[:1 << 23])
    table = random.uniform(0, 1, (1 << 19, 32)).astype(numpy.float32)
    mask, image = x > 1 << 31, random.uniform(0, 1, (4096, 4096)).astype(numpy.float32)
    to = numpy.empty_like(image)

    def last_ones():
        part = numpy.argpartition(x, x.size - 100)[-100:]
        return part[numpy.argsort(x[part])]

    calls = [
        ("sum", x, lambda: upsweep.reduce(x), lambda: numpy.sum(x)),
        ("sort", x, lambda: upsweep.sort(x, out=out), lambda: numpy.sort(x)),
        ("argsort", x, lambda: upsweep.argsort(x), lambda: numpy.argsort(x, kind="stable")),
        ("sort of rows", table, lambda: upsweep.sort(table), lambda: numpy.sort(table)),
        ("the 100 largest", x, lambda: upsweep.top_k(x, 100), last_ones),
        ("median", x, lambda: upsweep.nth_element(x, x.size // 2), lambda: numpy.partition(x, x.size // 2)[x.size // 2]),
        ("merge of halves", x, lambda: upsweep.merge(half, half, out=out), lambda: numpy.sort(numpy.concatenate([half, half]), kind="stable")),
        ("selection of half", x, lambda: upsweep.select(x, mask), lambda: x[mask]),
        ("histogram of 256 bins", x, lambda: upsweep.histogram(x, 256, (0, 1 << 32)), lambda: numpy.histogram(x, 256, (0, 1 << 32))),
        ("summed-area table", image, lambda: upsweep.summed_area_table(image, out=to), lambda: image.cumsum(0).cumsum(1)),
    ]
    for name, array, own, numpys in calls:
        rows.append({"device": "cpu", "call": name, "shape": list(array.shape), "axis": array.ndim - 1, "type": str(array.dtype),
                     "ms": least({"upsweep": own, "numpy": numpys}, lambda: None)})


def small_on_cpu(rows, random):
    """A call's time without its work: the least of many short loops, since a loop of 1000 calls is longer than a machine stays
    idle."""
    x, y, keys = numpy.ones(16), random.permutation(16).astype(float), numpy.arange(16) // 4
    out = numpy.empty_like(x)
    rising = numpy.sort(y)
    calls = {
        "cumsum": (lambda: upsweep.cumsum(x), lambda: numpy.cumsum(x)),
        "cumsum with out": (lambda: upsweep.cumsum(x, out=out), lambda: numpy.cumsum(x, out=out)),
        "sum": (lambda: upsweep.reduce(x), lambda: numpy.sum(x)),
        "scan by key": (lambda: upsweep.scan_by_key(keys, x), None),
        "sort": (lambda: upsweep.sort(y), lambda: numpy.sort(y)),
        "argsort": (lambda: upsweep.argsort(y), lambda: numpy.argsort(y, kind="stable")),
        "top_k": (lambda: upsweep.top_k(y, 3), None),
        "merge": (lambda: upsweep.merge(rising, rising), lambda: numpy.sort(numpy.concatenate([rising, rising]), kind="stable")),
        "select": (lambda: upsweep.select(x, x > 0), lambda: x[x > 0]),
        "unique": (lambda: upsweep.unique(rising), lambda: numpy.unique(rising)),
        "histogram": (lambda: upsweep.histogram(y, 10, (0, 16)), lambda: numpy.histogram(y, 10, (0, 16))),
    }
    for name, (own, numpys) in calls.items():
        peers = {"upsweep": own} | ({"numpy": numpys} if numpys else {})
        rows.append({"device": "cpu", "call": f"{name} of 16 doubles, one call", "us": microseconds_of_calls(peers, lambda: None, 200, 100)})


def on_gpu(rows, torch, cupy):
    wait = torch.cuda.synchronize
    for shape, axis in SHAPES + [((1 << 28,), 0)]:
        for dtype in ["float32", "int64"]:
            x = torch.ones(shape, dtype=getattr(torch, dtype), device="cuda")
            out = torch.empty_like(x)
            peers = {"upsweep": lambda: upsweep.cumsum(x, axis, out=out), "torch": lambda: torch.cumsum(x, axis, out=out)}
            if cupy:
                y, to = cupy.asarray(x), cupy.asarray(out)
                peers |= {"upsweep on cupy": lambda: upsweep.cumsum(y, axis, out=to), "cupy": lambda: cupy.cumsum(y, axis, out=to)}
            times = least(peers, wait)
            bytes_moved = 2 * x.numel() * x.element_size()
            rows.append({"device": "gpu", "call": "cumsum", "shape": list(shape), "axis": axis, "type": dtype, "ms": times,
                         "upsweep_gb_per_s": bytes_moved / times["upsweep"] / 1e6})
    for n in [1 << 16, 1 << 24, 1 << 27]:
        x = torch.randint(-(1 << 31), 1 << 31, (n,), dtype=torch.int32, device="cuda")
        rows.append({"device": "gpu", "call": "sort", "shape": [n], "axis": 0, "type": "int32",
                     "ms": least({"upsweep": lambda: upsweep.sort(x), "torch": lambda: torch.sort(x)}, wait)})
    x = torch.ones(1024, device="cuda")
    out = torch.empty_like(x)
    peers = {"upsweep": lambda: upsweep.cumsum(x, 0), "upsweep, out": lambda: upsweep.cumsum(x, 0, out=out), "torch": lambda: torch.cumsum(x, 0)}
    if cupy:
        y = cupy.asarray(x)
        peers |= {"upsweep on cupy": lambda: upsweep.cumsum(y, 0), "cupy": lambda: cupy.cumsum(y)}
    rows.append({"device": "gpu", "call": "cumsum of 1024 floats, one call", "us": microseconds_of_calls(peers, wait)})


def main():
    torch, cupy, rows = optional("torch"), optional("cupy"), []
    with open("/proc/cpuinfo") as info:
        cpu = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    facts = [f"{len(os.sched_getaffinity(0))} processors of {cpu}", f"Python {platform.python_version()}", f"NumPy {numpy.__version__}"]
    on_cpu(rows, torch)
    if torch and torch.cuda.is_available():
        facts += [torch.cuda.get_device_name(), f"PyTorch {torch.__version__}"] + ([f"CuPy {cupy.__version__}"] if cupy else [])
        on_gpu(rows, torch, cupy)
    print(json.dumps({"command": "python3 bench/python/scans.py", "date": f"{datetime.date.today():%-d %B %Y}", "device": ", ".join(facts),
                      "turns": TURNS, "rows": rows}, indent=1))


main()
