# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans and reductions of Dask arrays.

A block is read for its totals, small tasks add these up from block to block, and another task scans the block after them. So a block is
scanned as soon as the totals before it are known, and no block waits for all others.
"""

import numpy

from . import _host
from ._dask_graph import array_of, lines, name_of, take, taken_along, with_options
from ._parts_scan import first_total, how_to_scan, join, scan_after, total
from ._shapes import axes_of


def scan(x, op="plus", axis=-1, *, exclusive=False, reverse=False, initial=None, dtype=None, compensated=False):
    """upsweep.scan of a Dask array: the totals of all elements up to each one along an axis.

    x: Dask array of any shape and chunks, also of unknown lengths.
    op, axis, exclusive, reverse, initial, dtype: as in upsweep.scan().
    compensated: sums of floats carry their rounding errors along, over all blocks, and are rounded once at the end.

    Returns a Dask array of x's shape and chunks (axis None: of one dimension). Raises the errors of upsweep.scan() at once, and TypeError for
    compensated sums of other types or operators.

    >>> x = dask.array.from_array(numpy.array([3, 1, 4, 1, 5]), chunks=2)
    >>> upsweep.dask.scan(x, "maximum").compute()
    array([3, 3, 4, 4, 5])
    """
    x, axis = taken_along(x, axis)
    how = how_to_scan(x.dtype, op, axis, exclusive, reverse, dtype, compensated)
    has_first = first_total(initial, how, ()) is not None
    name = name_of("scan", x, how, initial)
    totals, befores = f"{name}-total", f"{name}-before"
    total_of, join_two, scan_part = (with_options(each, how=how) for each in (total, join, scan_after))
    tasks = {}
    order = list(range(x.numblocks[axis]))
    if reverse:
        order.reverse()
    for at in lines(x, axis):
        for k, i in enumerate(order):
            block, before = (x.name, *at(i)), (befores, *at(i))
            if k == 0 and has_first:
                tasks[before] = (with_options(_first, initial=initial, how=how), block)
            elif k == 0:
                before = None
            else:
                earlier = at(order[k - 1])
                tasks[before] = (join_two, (befores, *earlier) if k > 1 or has_first else None, (totals, *earlier))
            if k + 1 < len(order):
                tasks[(totals, *at(i))] = (total_of, block)
            tasks[(name, *at(i))] = (scan_part, block, before)
    return array_of(name, tasks, [x], x.chunks, how.result)


def _first(block, initial, how):
    return first_total(initial, how, block.shape[:how.axis] + block.shape[how.axis + 1:])


def cumsum(x, axis=None, dtype=None, *, compensated=False):
    """upsweep.cumsum of a Dask array: numpy.cumsum, or with several axes the sums along one after the other.

    x: Dask array of any shape and chunks.
    axis, dtype: as in upsweep.cumsum().
    compensated: as in scan().

    Returns a Dask array of x's shape and chunks (axis None: of one dimension). Raises the errors of scan().

    >>> upsweep.dask.cumsum(dask.array.ones(5, chunks=2, dtype=int)).compute()
    array([1, 2, 3, 4, 5])
    """
    if not isinstance(axis, (tuple, list)):
        return scan(x, "plus", axis, dtype=dtype, compensated=compensated)
    made = take(x)
    for each in axes_of(axis, made.ndim, _host.AxisError):
        made = scan(made, "plus", each, dtype=dtype, compensated=compensated)
        dtype = made.dtype
    return made
