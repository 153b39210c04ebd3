#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts in place of ten distributions of keys, beside NumPy and the libraries in LIBRARY, in turns; prints the columns and rows of a table.

    sorts.py LIBRARY[,LIBRARY...] [ROUNDS [SIZES [TYPES [DISTRIBUTIONS]]]]     sorts.py libbench_cpu_sort_peers.so 5 1000,1000000 uint32

The first LIBRARY has the sorts of Upsweep. A row has Upsweep's least wall time and processor time for uniform keys, and for each peer its
times divided by Upsweep's: the geometric means over the distributions of wall time and of processor time, and the least ratio of wall times.
Other programs lengthen wall times, and more so for calls with several threads; they hardly change processor times.
"""
import ctypes
import json
import math
import os
import sys
import time

import numpy as np

TYPES = ["uint32", "uint64", "float32", "float64"]
PEERS = {"numpy": "NumPy", "simd": "x86-simd-sort", "vqsort": "vqsort", "ips4o": "ips4o", "parlay": "parlaylib"}


def uniform(n, dtype, random):
    if dtype.kind == "f":
        return random.random(n, dtype=dtype)
    return random.integers(0, 1 << 8 * dtype.itemsize, n, dtype=dtype)


def almost_sorted(n, random):
    keys = np.arange(n, dtype=np.uint64)
    for k in random.integers(0, n - 1, math.isqrt(n)):
        keys[[k, k + 1]] = keys[[k + 1, k]]
    return keys


def power(index, exponent, n):
    """index ** exponent modulo n, without overflow for n up to 2^32."""
    result = index % np.uint64(n)
    for _ in range(exponent.bit_length() - 1):
        result = result * result % np.uint64(n)
    return result


DISTRIBUTIONS = {
    "exponential": lambda n, random: np.exp2(random.random(n) * math.log2(n)),
    "almost sorted": almost_sorted,
    "roots": lambda n, random: np.arange(n) % math.isqrt(n),
    "two duplicates": lambda n, random: (power(np.arange(n, dtype=np.uint64), 2, n) + np.uint64(n // 2)) % np.uint64(n),
    "eight duplicates": lambda n, random: (power(np.arange(n, dtype=np.uint64), 8, n) + np.uint64(n // 2)) % np.uint64(n),
    "Zipf": lambda n, random: np.floor(1e6 ** random.random(n)),
    "all equal": lambda n, random: np.full(n, 42),
    "sorted": lambda n, random: np.arange(n),
    "reversed": lambda n, random: n - np.arange(n),
}


def keys_of(name, n, dtype):
    random = np.random.default_rng(7)
    return uniform(n, dtype, random) if name == "uniform" else DISTRIBUTIONS[name](n, random).astype(dtype)


def sorts_of(libraries, kind, array):
    """The calls that sort the array in place, Upsweep's first."""
    calls = {}
    for library in libraries:
        for name in ["upsweep", *PEERS]:
            function = getattr(library, f"{name}_{kind}", None)
            if function is not None:
                function.restype = None
                arguments = ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(array.size)
                calls[name] = lambda f=function, a=arguments: f(*a)
    calls["numpy"] = array.sort
    return calls


def measure(keys, libraries, kind, rounds):
    """The least wall time and the least processor time of each call."""
    array = np.empty_like(keys)
    wanted = np.sort(keys)
    calls = sorts_of(libraries, kind, array)
    wall, processor = dict.fromkeys(calls, math.inf), dict.fromkeys(calls, math.inf)
    repeats = max(1, min(1000, 1_000_000 // keys.size))
    for _ in range(rounds):
        for name, call in calls.items():
            for _ in range(repeats):
                array[:] = keys
                start, used = time.perf_counter(), time.process_time()
                call()
                processor[name] = min(processor[name], time.process_time() - used)
                wall[name] = min(wall[name], time.perf_counter() - start)
            if not np.array_equal(array, wanted):
                raise SystemExit(f"{name} did not sort {keys.size} {kind}")
    return wall, processor


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratios_of(peer, times):
    walls = [(wall[peer] / wall["upsweep"], name) for name, wall, _ in times]
    least, name = min(walls)
    used = [processor[peer] / processor["upsweep"] for _, _, processor in times]
    return f"{mean([ratio for ratio, _ in walls]):.2f}, {mean(used):.2f}; {least:.2f} ({name})"


def main():
    libraries = [ctypes.CDLL(os.path.abspath(path)) for path in sys.argv[1].split(",")]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    sizes = [int(n) for n in sys.argv[3].split(",")] if len(sys.argv) > 3 else [1000, 10**6, 1 << 25, 10**8]
    kinds = sys.argv[4].split(",") if len(sys.argv) > 4 else TYPES
    names = sys.argv[5].split(",") if len(sys.argv) > 5 else ["uniform", *DISTRIBUTIONS]
    rows, found = [], []
    for n in sizes:
        for kind in kinds:
            times = []
            for name in names:
                wall, processor = measure(keys_of(name, n, np.dtype(kind)), libraries, kind, rounds)
                times.append((name, wall, processor))
                per_key = {call: [round(1e9 * each[call] / n, 2) for each in (wall, processor)] for call in wall}
                print(json.dumps({"n": n, "type": kind, "keys": name, "ns_per_key": per_key}), file=sys.stderr, flush=True)
            found = [peer for peer in PEERS if peer in times[0][1]]
            own = [f"{1e9 * each['upsweep'] / n:.2f}" for each in times[0][1:]]
            rows.append([str(n), kind, *own, *[ratios_of(peer, times) for peer in found]])
    columns = ["n", "type", "ns per key", "processor: ns", *[f"× {PEERS[peer]}" for peer in found]]
    print(json.dumps({"columns": columns, "rows": rows}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
