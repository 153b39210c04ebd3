# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, sorts, selections and counts of an array of which each rank has a part: processes of MPI (mpi4py), process groups of
torch.distributed, or threads of this process.

    scans       scan, cumsum, reduce
    orders      sort, argsort, merge, top_k, nth_element, quantile, rebalance
    selections  select, unique
    counts      histogram
    ranks       run_ranks, set_time_limit, RankError

All ranks make the same call, each with its part, of any length, and with `comm`: an mpi4py communicator, a process group of torch.distributed (or
torch.distributed itself, for all ranks), or a rank of run_ranks. The whole array is the ranks' parts, in the order of ranks. Other arguments and
results are those of upsweep's functions with the same names. Parts are NumPy arrays or PyTorch's tensors in host memory, and so are results.

A call raises on all ranks or on none: the rank with an error raises its own exception, and the others RankError. The next call works.
"""

from . import _ranks
from ._distributed_counts import histogram, select, unique
from ._distributed_merges import merge, nth_element
from ._distributed_scans import cumsum, reduce, scan
from ._distributed_sorts import argsort, quantile, rebalance, sort, top_k
from ._ranks import RankError
from ._ranks_threads import run_ranks

__all__ = ["scan", "cumsum", "reduce", "sort", "argsort", "merge", "top_k", "nth_element", "quantile", "rebalance", "select", "unique", "histogram",
           "run_ranks", "set_time_limit", "RankError"]


def set_time_limit(seconds) -> None:
    """The time that a rank of MPI waits for the others before it raises RankError: 600 s by default; None means without a limit. torch.distributed's
    groups and run_ranks have their own.

    seconds: a number above 0, or None. Raises ValueError for others.

    >>> upsweep.distributed.set_time_limit(600)
    """
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds is {seconds}, but must be above 0")
    _ranks.time_limit = seconds
