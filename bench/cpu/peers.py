#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums, sorts and summed-area tables against NumPy and OpenCV, alternately; prints rows of JSON with the least times.

    peers.py LIBRARY [ROUNDS]     LIBRARY: bench_cpu_peers_library as a shared library; without OpenCV its rows are left out
"""
import ctypes
import json
import os
import sys
import time

import numpy as np

try:
    import cv2
except ImportError:
    cv2 = None


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def aligned(n, kind):
    """Zeros that begin at a cache line, as the copy needs."""
    memory = np.zeros(n * np.dtype(kind).itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + n * np.dtype(kind).itemsize].view(kind)


def measure(operation, kind, n, calls, rounds):
    least = {name: float("inf") for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            least[name] = min(least[name], time.perf_counter() - start)
    row = {"operation": operation, "type": kind, "n": n, "threads": len(os.sched_getaffinity(0))}
    row.update({f"{name}_us": round(1e6 * seconds, 1) for name, seconds in least.items()})
    print("  " + json.dumps(row) + ",", flush=True)


def main():
    library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    long = ctypes.c_uint64
    n = 1 << 27
    values, out = aligned(n, np.float32), aligned(n, np.float32)
    np.random.default_rng(1).random(out=values, dtype=np.float32)
    out[:] = 1  # touched before it is measured
    copy = lambda: library.peer_copy(pointer(values), pointer(out), long(4 * n))
    measure("sum", "f32", n, {"copy": copy, "upsweep": lambda: library.peer_sum(pointer(values), pointer(out), long(n)),
                              "numpy": lambda: np.cumsum(values, out=out)}, rounds)
    side = 8192
    square, square_out = values[: side * side].reshape(side, side), out[: side * side].reshape(side, side)
    half_copy = lambda: library.peer_copy(pointer(values), pointer(out), long(4 * side * side))
    for axis, (batches, length, inner) in enumerate([(1, side, side), (side, side, 1)]):
        call = lambda b=batches, l=length, i=inner: library.peer_axis(pointer(square), pointer(square_out), long(b), long(l), long(i))
        measure(f"sum along axis {axis} of {side} x {side}", "f32", side * side,
                {"copy": half_copy, "upsweep": call, "numpy": lambda a=axis: np.cumsum(square, axis=a, out=square_out)}, rounds)
    keys = np.random.default_rng(2).integers(0, 1 << 32, 1 << 25, dtype=np.uint32)
    sorted_keys = np.zeros_like(keys)
    measure("sort", "u32", keys.size, {"upsweep": lambda: library.peer_sort(pointer(keys), pointer(sorted_keys), long(keys.size)),
                                       "numpy": lambda: np.sort(keys)}, rounds)
    if cv2 is None:
        return
    cv2.setNumThreads(len(os.sched_getaffinity(0)))
    table = np.zeros((side + 1, side + 1), np.float64)
    measure("exclusive summed-area table of 8192 x 8192", "f32 to f64", side * side,
            {"upsweep": lambda: library.peer_table_f32(pointer(square), pointer(table), long(side), long(side)),
             "opencv": lambda: cv2.integral(square, table, cv2.CV_64F)}, rounds)
    picture = np.random.default_rng(3).integers(0, 256, (side, side, 3), dtype=np.uint8)
    sums = np.zeros((side + 1, side + 1, 3), np.int32)
    measure("exclusive summed-area table of 8192 x 8192", "RGB8 to i32", 3 * side * side,
            {"upsweep": lambda: library.peer_table_rgb8(pointer(picture), pointer(sums), long(side), long(side)),
             "opencv": lambda: cv2.integral(picture, sums, cv2.CV_32S)}, rounds)


if __name__ == "__main__":
    main()
