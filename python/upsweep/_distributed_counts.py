# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selections, runs and histograms over ranks."""

import numpy

from . import _parts_histogram as of_histogram
from . import _parts_runs as of_runs
from ._ranks import Call
from ._ranks_arrays import given_back, line_of, part_of, widened
from ._runs import unique as unique_of
from ._selections import select as select_of


def select(x, mask, comm):
    """upsweep.select of each part: the kept elements stay on their rank; rebalance() divides them anew.

    x: this rank's part, of any shape.
    mask: bools of the same shape.
    comm: see upsweep.distributed.

    Returns an array in one dimension of x's dtype. Raises the errors of upsweep.select() on all ranks, and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.select(numpy.array([5, 8]), numpy.array([rank.rank > 0, True]), rank).tolist())
    [[8], [5, 8]]
    """
    call = Call(comm, "select")
    return given_back(call.agree(lambda: select_of(part_of(x), part_of(mask, "the mask"))), x)


def unique(x, comm, return_index=False, return_inverse=False, return_counts=False):
    """upsweep.unique of the whole array: a run of equal neighbours belongs to the rank where it begins.

    x: this rank's part, in one dimension, of any length.
    comm: see upsweep.distributed.
    return_index, return_inverse, return_counts: as in upsweep.unique(); indices, numbers of runs and counts are those of the whole array.

    Returns the first elements of the runs that begin in this part, or a tuple of them and the other arrays; the inverse has the part's length. Raises
    the errors of upsweep.unique(), and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.unique(numpy.array([1, 2]) + rank.rank, rank).tolist())
    [[1, 2], [3]]
    """
    call = Call(comm, "unique")
    array = None

    def own_ends():
        nonlocal array
        array = widened(line_of(x))
        unique_of(array[:0])
        return of_runs.ends_of(array)

    wanted = bool(return_index), bool(return_inverse), bool(return_counts)
    ends = call.gather(own_ends, lambda: (array.dtype.str, wanted))
    runs = None

    def own_runs():
        nonlocal runs
        runs = of_runs.runs_of(array, of_runs.continuing(ends)[call.rank], wanted[0] or wanted[2], wanted[1])
        return of_runs.summary_of(runs)

    summaries = call.gather(own_runs)

    def results():
        place = of_runs.places(summaries)[call.rank]
        made = [runs.values.astype(part_of(x).dtype, copy=False)]
        made += [function(runs, place) for is_wanted, function in zip(wanted, (of_runs.index_of, of_runs.inverse_of, of_runs.counts_of)) if is_wanted]
        return made

    made = [given_back(each, x) for each in call.agree(results)]
    return made[0] if len(made) == 1 else tuple(made)


def histogram(x, comm, bins=10, range=None, density=False, weights=None):
    """upsweep.histogram of the whole array; every rank gets the result.

    x: this rank's part, of any shape and length.
    comm: see upsweep.distributed.
    bins, range, density: as in upsweep.histogram(), without rules for the number of bins.
    weights: for this part, an array of x's shape; the ranks' sums are added up in their order.

    Returns counts and edges. Raises the errors of upsweep.histogram(), NotImplementedError for rules, and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.histogram(numpy.array([0.1, 0.9]), rank, bins=2, range=(0, 1))[0].tolist())
    [[2, 2], [2, 2]]
    """
    call = Call(comm, "histogram")
    array = own_weights = limits = None
    is_even = not isinstance(bins, str) and numpy.ndim(bins) == 0 and range is None

    def own_limits():
        nonlocal array, own_weights
        array, own_weights = part_of(x), None if weights is None else part_of(weights, "the array of weights")
        of_histogram.types_of(array, own_weights, bins, range, density)
        return of_histogram.limits_of(array) if is_even else None

    every = call.gather(own_limits, lambda: (array.dtype.str, numpy.asarray(bins).tolist(), range, bool(density), weights is None or own_weights.dtype.str))
    edges = call.agree(lambda: of_histogram.edges_between(of_histogram.all_limits(every, array.dtype), bins, array.dtype) if is_even
                       else of_histogram.edges_given(bins, range, array.dtype))
    counts = call.gather(lambda: of_histogram.counts_of(edges, array, own_weights))
    return call.agree(lambda: given_back(of_histogram.sum_of(counts, edges, density), x)), edges
