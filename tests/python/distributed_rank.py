# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rank of distributed_test.py: all calls of upsweep.distributed on random parts against the module's calls on the whole array.

    distributed_rank.py mpi|gloo|nccl calls|dies|sleeps
"""

import os
import random
import signal
import sys
import threading
import time
import warnings

import numpy
import upsweep
import upsweep.distributed as ud
from parts import SEED, TYPES, division, elements, finite_products, has_histogram, require_close, require_equal


def check_calls(comm, rank: int, size: int, rounds: int) -> None:
    rng = numpy.random.default_rng(SEED + size)
    for k in range(rounds):
        dtype = TYPES[int(rng.integers(len(TYPES)))]
        n = int(rng.choice([0, 1, size, 50, 3000]))
        x, lengths = elements(rng, n, dtype), division(rng, n, size)
        own = slice(sum(lengths[:rank]), sum(lengths[:rank + 1]))
        what = (dtype, n, lengths)
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _check_scans(comm, rng, x, own, what)
        _check_sorts(comm, rng, x, own, what, rank, size)
        _check_counts(comm, rng, x, own, what)


def _check_scans(comm, rng, x, own, what):
    op = str(rng.choice(["plus", "multiplies", "minimum", "maximum"]))
    x = finite_products(x, op)
    exclusive, reverse = (bool(each) for each in rng.integers(2, size=2))
    initial = 3 if exclusive and rng.integers(2) and x.dtype != bool else None
    require = require_close if x.dtype.kind == "f" else require_equal  # also minima, whose zeros have any sign
    how = dict(exclusive=exclusive, reverse=reverse, initial=initial)
    require(ud.scan(x[own], comm, op, **how), upsweep.scan(x, op, **how)[own], (what, op, how))
    wide = numpy.stack([x, x[::-1]], 1)
    require(ud.scan(wide[own], comm, op, reverse=reverse), upsweep.scan(wide, op, 0, reverse=reverse)[own], (what, op, reverse))
    if len(x):
        require(ud.reduce(x[own], comm, op), upsweep.reduce(x, op), (what, op))
    if x.dtype.kind == "i" and x.itemsize == 8:
        op = "b if b > 0 else a"  # does not commute
        require_equal(ud.scan(x[own], comm, op, reverse=reverse), upsweep.scan(x, op, reverse=reverse)[own], (what, op))
    if x.dtype == float:
        y = numpy.resize([1e16, 1.0, -1e16, 1.0], len(x))
        want = numpy.resize([1e16, 1e16, 1.0, 2.0], len(x)) + 2.0 * (numpy.arange(len(x)) // 4) if len(x) else y
        got = ud.cumsum(y[own], comm, compensated=True)
        require_equal(got[numpy.arange(own.start, own.stop) % 4 >= 2], want[own][numpy.arange(own.start, own.stop) % 4 >= 2], what)


def _check_sorts(comm, rng, x, own, what, rank, size):
    descending = bool(rng.integers(2))
    wanted = division(rng, len(x), size)
    part = slice(sum(wanted[:rank]), sum(wanted[:rank + 1]))
    require_equal(ud.sort(x[own], comm, descending=descending), upsweep.sort(x, descending=descending)[own], what)
    require_equal(ud.argsort(x[own], comm, descending=descending, part=wanted[rank]), upsweep.argsort(x, descending=descending)[part], what)
    require_equal(ud.rebalance(x[own], comm, part=wanted[rank]), x[part], what)
    a, b = upsweep.sort(x, descending=descending), upsweep.sort(x[::3], descending=descending)
    of_b, both = division(rng, len(b), size), division(rng, len(a) + len(b), size)
    own_b, part = (slice(sum(each[:rank]), sum(each[:rank + 1])) for each in (of_b, both))
    merged = upsweep.sort(numpy.concatenate([a, b]), descending=descending)
    require_equal(ud.merge(a[own], b[own_b], comm, descending=descending, part=both[rank]), merged[part], what)
    if len(x):
        n = int(rng.integers(-len(x), len(x)))
        require_equal(ud.nth_element(x[own], n, comm, descending=descending), upsweep.nth_element(x, n, descending=descending), (what, n))
    k = int(rng.integers(min(len(x), 20) + 1))
    for got, want in zip(ud.top_k(x[own], k, comm, largest=descending), upsweep.top_k(x, k, largest=descending)):
        require_equal(got, want, what)
    if len(x) and x.dtype != bool:
        finite = numpy.where(numpy.isinf(x), 1, x).astype(x.dtype)
        numpy.testing.assert_allclose(ud.quantile(finite[own], [0, 0.3, 1], comm).astype(float), numpy.quantile(finite.astype(float), [0, 0.3, 1]),
                                      rtol=1e-2 if x.dtype == numpy.float16 else 1e-6)


def _check_counts(comm, rng, x, own, what):
    mask = rng.integers(2, size=len(x)) == 0
    require_equal(ud.select(x[own], mask[own], comm), x[own][mask[own]], what)
    values, starts, inverse, counts = upsweep.unique(x, True, True, True)
    begins = (starts >= own.start) & (starts < own.stop)
    for got, want in zip(ud.unique(x[own], comm, True, True, True), (values[begins], starts[begins], inverse[own], counts[begins])):
        require_equal(got, want, what)
    finite = numpy.nan_to_num(x, posinf=5, neginf=-5)
    for how in ([dict()] if has_histogram(finite) else []) + [dict(bins=5, range=(-3, 3)), dict(bins=[-5, 0, 1])]:
        for got, want in zip(ud.histogram(finite[own], comm, **how), upsweep.histogram(finite, **how)):
            require_equal(got, want, what)


def main(engine: str, task: str) -> None:
    if engine == "mpi":
        from mpi4py import MPI

        comm, rank, size = MPI.COMM_WORLD, MPI.COMM_WORLD.Get_rank(), MPI.COMM_WORLD.Get_size()
    else:
        import torch
        import torch.distributed as comm

        if engine == "nccl":
            torch.cuda.set_device(int(os.environ["RANK"]) % torch.cuda.device_count())
        comm.init_process_group(engine)
        rank, size = comm.get_rank(), comm.get_world_size()
    if task == "calls":
        check_calls(comm, rank, size, 12)
        if engine == "mpi":
            pair = comm.Split(rank % 2)
            check_calls(pair, pair.Get_rank(), pair.Get_size(), 1)
        else:
            made = ud.sort(torch.tensor([3.0, 1.0], dtype=torch.float64) - rank, comm)
            assert type(made) is torch.Tensor and len(made) == 2
            assert type(ud.cumsum(torch.ones(2, dtype=torch.int64), comm, dtype=torch.float64)[0].item()) is float
            comm.destroy_process_group()
        print("all right", flush=True)
    elif task == "dies":
        ud.cumsum(numpy.ones(3), comm)  # all have begun
        if rank == size - 1:
            threading.Timer(random.uniform(0, 0.3), lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
        while True:
            ud.sort(numpy.arange(1000), comm)
    else:
        ud.set_time_limit(1)
        if rank == 1:
            time.sleep(3)
        try:
            ud.cumsum(numpy.ones(3), comm)
        except ud.RankError as error:
            print(error, flush=True)
            os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
