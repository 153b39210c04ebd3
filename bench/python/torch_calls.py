# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.torch beside PyTorch's own operators, as JSON: `python3 bench/python/torch_calls.py > docs/benchmarks/data/torch_MACHINE.json`.

The peer of recurrences is PyTorch's associative_scan. Times are the least of TURNS turns; in each turn every peer is timed once. With a gradient,
a turn is the call and the backward pass.
"""

import datetime
import json
import os
import platform
import time

import torch
import upsweep.torch as ours
from torch._higher_order_ops.associative_scan import associative_scan

TURNS = 7
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LENGTHS = [1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26]
STATES = [(8, 256, 1 << 10), (8, 1536, 1 << 11)]


def wait():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def least(functions, elements):
    """The least time of each function in milliseconds."""
    repeats = max(1, (1 << 18) // max(elements, 256))
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(TURNS):
        for name, function in functions.items():
            wait()
            begin = time.perf_counter()
            for _ in range(repeats):
                function()
            wait()
            best[name] = min(best[name], (time.perf_counter() - begin) / repeats * 1e3)
    return best


def row(call, shape, dim, dtype, mine, theirs):
    elements = 1
    for length in shape:
        elements *= length
    return {"device": DEVICE, "call": call, "shape": list(shape), "axis": dim, "type": str(dtype).partition(".")[2],
            "ms": least({"upsweep": mine, "torch": theirs}, elements)}


def with_gradient(function, *inputs):
    def call():
        torch.autograd.grad(function(*inputs).sum(), inputs)

    return call


def scans():
    for dtype in (torch.float32, torch.bfloat16):
        for shape, dim in [((n,), 0) for n in LENGTHS] + [((1_000_000, 32), 0), ((1_000_000, 32), 1), ((32, 1_000_000), 1)]:
            x = torch.randn(shape, device=DEVICE).to(dtype)
            yield row("cumsum", shape, dim, dtype, lambda: ours.cumsum(x, dim), lambda: torch.cumsum(x, dim))
    for shape, dim in [((1 << 22,), 0), ((1_000_000, 32), 0)]:
        x = torch.rand(shape, device=DEVICE)
        for name in ("cumprod", "cummax", "logcumsumexp"):
            mine, theirs = getattr(ours, name), getattr(torch, name)
            yield row(name, shape, dim, x.dtype, lambda: mine(x, dim), lambda: theirs(x, dim))
    x = torch.rand(1_000_000, 32, device=DEVICE, requires_grad=True)
    yield row("cumsum with its gradient", x.shape, 0, x.dtype, with_gradient(lambda x: ours.cumsum(x, 0), x),
              with_gradient(lambda x: torch.cumsum(x, 0), x))


def orders():
    for shape in [(1 << 10,), (1 << 18,), (1 << 24,), (4096, 4096)]:
        x = torch.randn(shape, device=DEVICE)
        yield row("sort", shape, -1, x.dtype, lambda: ours.sort(x), lambda: torch.sort(x, dim=-1, stable=True))
        yield row("topk of 100", shape, -1, x.dtype, lambda: ours.topk(x, 100), lambda: torch.topk(x, 100))
        yield row("masked_select of half", shape, -1, x.dtype, lambda: ours.masked_select(x, x > 0), lambda: torch.masked_select(x, x > 0))
    runs = torch.sort(torch.randint(0, 1 << 20, (1 << 24,), device=DEVICE)).values
    yield row("unique_consecutive", runs.shape, 0, runs.dtype, lambda: ours.unique_consecutive(runs), lambda: torch.unique_consecutive(runs))


def pairs(a, b):
    def combine(first, second):
        return first[0] * second[0], second[0] * first[1] + second[1]

    return associative_scan(combine, (a, b), -1, combine_mode="generic")[1]


def recurrences():
    for shape in STATES:
        for dtype in (torch.float32, torch.bfloat16):
            a, b = torch.rand(shape, device=DEVICE).to(dtype).requires_grad_(), torch.randn(shape, device=DEVICE).to(dtype).requires_grad_()
            with torch.no_grad():
                yield row("linear_recurrence", shape, 2, dtype, lambda: ours.linear_recurrence(a, b), lambda: pairs(a, b))
            yield row("linear_recurrence with its gradient", shape, 2, dtype, with_gradient(ours.linear_recurrence, a, b), with_gradient(pairs, a, b))


def main():
    with open("/proc/cpuinfo") as info:
        cpu = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    facts = [f"{len(os.sched_getaffinity(0))} processors of {cpu}", f"Python {platform.python_version()}", f"PyTorch {torch.__version__}"]
    if DEVICE == "cuda":
        facts.append(torch.cuda.get_device_name())
    rows = [each for part in (scans, orders, recurrences) for each in part()]
    print(json.dumps({"command": "python3 bench/python/torch_calls.py", "date": f"{datetime.date.today():%-d %B %Y}", "device": ", ".join(facts),
                      "turns": TURNS, "rows": rows}, indent=1))


main()
