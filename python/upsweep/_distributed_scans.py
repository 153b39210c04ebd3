# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans and reductions over ranks: a part is read for its totals, which all ranks gather, and then scanned after them."""

import numpy

from . import _parts_scan as of_scan
from ._ranks import Call
from ._ranks_arrays import given_back, part_of, type_of
from ._threads import get_num_threads


def scan(x, comm, op="plus", *, exclusive=False, reverse=False, initial=None, dtype=None, compensated=False):
    """upsweep.scan of the whole array along its first axis.

    x: this rank's part, of any length; in more dimensions the parts are joined along the first axis, and each line along it is scanned. Without
        `dtype` all parts, also empty ones, have one dtype.
    comm: see upsweep.distributed.
    op, exclusive, reverse, initial, dtype: as in upsweep.scan().
    compensated: sums of floats carry their rounding errors along, over all ranks, and are rounded once at the end.

    Returns an array of the part's shape. Raises the errors of upsweep.scan(), TypeError for compensated sums of other types or operators, and
    RankError if another rank has an error or has ended.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.scan(numpy.array([1, 5, 2]) + rank.rank, rank, "maximum").tolist())
    [[1, 5, 5], [5, 6, 6]]
    """
    call = Call(comm, "scan")
    part = how = None

    def own_total():
        nonlocal part, how
        part = _lines(x)
        how = of_scan.how_to_scan(part.dtype, op, 0, exclusive, reverse, type_of(dtype), compensated)
        of_scan.first_total(initial, how, part.shape[1:])
        return of_scan.total(part, how, of_scan.PIECE * get_num_threads())

    totals = call.gather(own_total, lambda: (how, part.shape[1:], initial))

    def own_scan():
        before = of_scan.first_total(initial, how, part.shape[1:])
        earlier = reversed(totals[call.rank + 1:]) if reverse else totals[:call.rank]
        for each in earlier:
            before = of_scan.join(before, each, how)
        return of_scan.scan_after(part, before, how, of_scan.PIECE * get_num_threads())

    return given_back(call.agree(own_scan), x)


def _lines(x):
    part = part_of(x)
    if part.ndim == 0:
        raise ValueError("the part has no dimension, but must have one or more")
    return part


def cumsum(x, comm, dtype=None, *, compensated=False):
    """upsweep.cumsum of the whole array along its first axis.

    x, comm, dtype, compensated: as in scan().

    Returns an array of the part's shape. Raises the errors of scan().

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.cumsum(numpy.ones(2, int), rank).tolist())
    [[1, 2], [3, 4]]
    """
    return scan(x, comm, dtype=dtype, compensated=compensated)


def reduce(x, comm, op="plus", *, initial=None, dtype=None, compensated=False):
    """upsweep.reduce of all elements of the whole array; every rank gets the result.

    x: this rank's part, of any shape and length.
    comm: see upsweep.distributed.
    op, initial, dtype: as in upsweep.reduce().
    compensated: as in scan().

    Returns a NumPy number. Raises the errors of upsweep.reduce(), also where all parts together have no element; and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: int(upsweep.distributed.reduce(numpy.array([3, rank.rank]), rank, "maximum")))
    [3, 3]
    """
    call = Call(comm, "reduce")
    how = first = None

    def own_total():
        nonlocal how, first
        part = part_of(x).reshape(-1)
        how = of_scan.how_to_scan(part.dtype, op, 0, False, False, type_of(dtype), compensated)
        if initial is not None:
            first = of_scan.first_total(initial, how._replace(exclusive=True), ())
        return of_scan.total(part, how, of_scan.PIECE * get_num_threads())

    totals = call.gather(own_total, lambda: (how, initial))

    def joined():
        made = first
        for each in totals:
            made = of_scan.join(made, each, how)
        if made is None:
            made = of_scan.total_of_nothing(how)
        return of_scan.rounded(made, how)

    return call.agree(joined)
