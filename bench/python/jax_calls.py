# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.jax beside JAX's own functions on CPUs, as JSON: `python3 bench/python/jax_calls.py > docs/benchmarks/data/jax_MACHINE.json`.

Each function is compiled by jax.jit. Times are the least of TURNS turns; in each turn every peer is timed once. With a gradient, a turn is
jax.grad of the result's sum.
"""

import datetime
import json
import os
import platform
import time

import jax
import jax.numpy as jnp
import numpy
import upsweep.jax as ours

TURNS = 7
LENGTHS = [1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26]
STATES = [(8, 256, 1 << 10), (8, 1536, 1 << 11)]
random = numpy.random.default_rng(1)


def row(call, arrays, axis, peers):
    repeats = max(1, (1 << 18) // max(arrays[0].size, 256))
    best = dict.fromkeys(peers, float("inf"))
    compiled = {name: jax.jit(function) for name, function in peers.items()}
    for function in compiled.values():
        jax.block_until_ready(function(*arrays))
    for _ in range(TURNS):
        for name, function in compiled.items():
            begin = time.perf_counter()
            for _ in range(repeats):
                jax.block_until_ready(function(*arrays))
            best[name] = min(best[name], (time.perf_counter() - begin) / repeats * 1e3)
    return {"device": "cpu", "call": call, "shape": list(arrays[0].shape), "axis": axis, "type": arrays[0].dtype.name, "ms": best}


def normal(shape):
    return jnp.asarray(random.normal(size=shape).astype(numpy.float32))


def scans():
    for shape, axis in [((n,), 0) for n in LENGTHS] + [((1_000_000, 32), 0), ((32, 1_000_000), 1)]:
        yield row("cumsum", [normal(shape)], axis, {"upsweep": lambda x: ours.cumsum(x, axis), "jax": lambda x: jax.lax.cumsum(x, axis)})
    for name in ("cumprod", "cummax", "cumlogsumexp"):
        yield row(name, [normal((1 << 22,))], 0, {"upsweep": getattr(ours, name), "jax": getattr(jax.lax, name)})
    yield row("associative_scan of add", [normal((1 << 22,))], 0,
              {"upsweep": lambda x: ours.associative_scan("add", x), "jax": lambda x: jax.lax.associative_scan(jnp.add, x)})


def orders():
    for shape in [(1 << 10,), (1 << 18,), (1 << 22,), (2048, 2048)]:
        x = normal(shape)
        yield row("sort", [x], -1, {"upsweep": ours.sort, "jax": jnp.sort})
        yield row("argsort", [x], -1, {"upsweep": ours.argsort, "jax": jnp.argsort})
        yield row("top_k of 100", [x], -1, {"upsweep": lambda x: ours.top_k(x, 100), "jax": lambda x: jax.lax.top_k(x, 100)})


def pairs(a, b):
    return jax.lax.associative_scan(lambda f, s: (f[0] * s[0], s[0] * f[1] + s[1]), (a, b), axis=-1)[1]


def steps(a, b):
    def step(state, of):
        state = of[0] * state + of[1]
        return state, state

    moved = (jnp.moveaxis(a, -1, 0), jnp.moveaxis(b, -1, 0))
    return jnp.moveaxis(jax.lax.scan(step, jnp.zeros(a.shape[:-1], b.dtype), moved)[1], 0, -1)


def recurrences():
    peers = {"upsweep": ours.linear_recurrence, "jax": pairs, "jax_scan": steps}
    for shape in STATES:
        arrays = [jnp.abs(normal(shape)) % 1, normal(shape)]
        yield row("linear_recurrence", arrays, 2, peers)
        yield row("linear_recurrence with its gradient", arrays, 2,
                  {name: jax.value_and_grad(lambda a, b, f=function: f(a, b).sum(), (0, 1)) for name, function in peers.items()})


def main():
    with open("/proc/cpuinfo") as info:
        cpu = next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    facts = [f"{len(os.sched_getaffinity(0))} processors of {cpu}", f"Python {platform.python_version()}", f"JAX {jax.__version__}"]
    rows = [each for part in (scans, orders, recurrences) for each in part()]
    print(json.dumps({"command": "python3 bench/python/jax_calls.py", "date": f"{datetime.date.today():%-d %B %Y}", "device": ", ".join(facts),
                      "turns": TURNS, "rows": rows}, indent=1))


main()
