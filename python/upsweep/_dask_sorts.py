# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, selections of the first elements, and quantiles of Dask arrays.

A sort of several blocks sorts each, finds exact places that divide them (_parts_sort.py), and merges the pieces: an element moves once, to its
place. Blocks of the result have the lengths of x's blocks.
"""

import numpy

from . import _host
from . import _parts_quantile as of_quantile
from . import _parts_sort as of_sort
from . import _parts_top as of_top
from ._dask_graph import array_of, flat, indices, item, lines, name_of, take, taken_along, whole_along, with_options
from ._orders import argsort as argsort_rows
from ._orders import nth_element
from ._orders import sort as sort_rows
from ._shapes import axis_of


def sort(x, axis=-1, *, descending=False):
    """upsweep.sort of a Dask array: a stable sort along an axis.

    x: Dask array of any shape and chunks, also of unknown lengths.
    axis, descending: as in upsweep.sort().

    An array in one dimension is sorted block by block, and each element moves once; with b blocks the graph has b * b small tasks, so a few
    hundred large blocks are better than thousands. In more dimensions, lines of the axis are moved to one block first.

    Returns a Dask array of x's shape (axis None: of one dimension), dtype and, in one dimension, chunks. Raises the errors of upsweep.sort().

    >>> upsweep.dask.sort(dask.array.from_array(numpy.array([3, 1, 2]), chunks=2), descending=True).compute()
    array([3, 2, 1])
    """
    return _sorted(x, axis, bool(descending), False)


def argsort(x, axis=-1, *, descending=False):
    """upsweep.argsort of a Dask array: the indices, int64, that sort it stably along an axis.

    x, axis, descending: as in sort().

    Returns a Dask array as sort() does. Raises the errors of sort().

    >>> upsweep.dask.argsort(dask.array.from_array(numpy.array([3, 1, 2]), chunks=2)).compute()
    array([1, 2, 0])
    """
    return _sorted(x, axis, bool(descending), True)


def _sorted(x, axis, descending: bool, wants_indices: bool):
    x, axis = taken_along(x, axis)
    dtype = numpy.dtype(numpy.int64) if wants_indices else x.dtype
    sort_rows(numpy.empty(0, x.dtype))  # raises the error of a type
    if x.ndim > 1 or x.numblocks[axis] == 1:
        x = whole_along(x, axis)
        function = with_options(argsort_rows if wants_indices else sort_rows, axis=axis, descending=descending)
        return x.map_blocks(function, dtype=dtype, meta=numpy.empty((0,) * x.ndim, dtype))
    made = _sorted_blocks(x.astype(numpy.float32) if _host.is_half_dtype(x.dtype) else x, descending, wants_indices)
    return made if made.dtype == dtype else made.astype(dtype)


def begins_of(lengths) -> list:
    return [sum(lengths[:i]) for i in range(len(lengths))]


def begin_tasks(x, axis: int, at, name: str, tasks: dict) -> list:
    """Of each block of a line: the index at which it begins along the axis, or the task that gives it."""
    lengths = x.chunks[axis]
    if not any(numpy.isnan(length) for length in lengths):
        return [int(begin) for begin in begins_of(lengths)]
    keys = [(f"{name}-begin", *at(i)) for i in range(len(lengths))]
    for i, key in enumerate(keys):
        tasks[(f"{name}-length", *at(i))] = (with_options(_length, axis=axis), (x.name, *at(i)))
        tasks[key] = (_add, keys[i - 1], (f"{name}-length", *at(i - 1))) if i else (int, 0)
    return keys


def _length(block, axis: int) -> int:
    return int(block.shape[axis])


def _add(a: int, b: int) -> int:
    return a + b


def _sorted_blocks(x, descending: bool, wants_indices: bool):
    name = name_of("argsort" if wants_indices else "sort", x, descending)
    blocks, order = x.npartitions, {"descending": descending}
    tasks = {}
    begins = begin_tasks(x, 0, lambda i: (i,), name, tasks) if wants_indices else [None] * blocks

    def keys(step):
        return [(f"{name}-{step}", i) for i in range(blocks)]

    ordered, samples, between = keys("block"), keys("sample"), keys("between")
    ranges, cuts = f"{name}-ranges", f"{name}-cuts"
    for i in range(blocks):
        tasks[ordered[i]] = (with_options(of_sort.sort_part, **order), (x.name, i), begins[i])
        tasks[samples[i]] = (with_options(of_sort.sample_of, parts=blocks), ordered[i])
        tasks[between[i]] = (with_options(_between, **order), ordered[i], ranges)
        tasks[(f"{name}-cut", i)] = (item, cuts, i)
    tasks[ranges] = (with_options(_ranges, **order), samples)
    tasks[cuts] = (with_options(_cuts, **order), between, ranges)
    for j in range(blocks):
        for i in range(blocks):
            tasks[(f"{name}-piece", i, j)] = (with_options(_piece, j=j), ordered[i], (f"{name}-cut", i))
        tasks[(name, j)] = (with_options(_merged, wants_indices=wants_indices, **order), [(f"{name}-piece", i, j) for i in range(blocks)])
    return array_of(name, tasks, [x], x.chunks, numpy.int64 if wants_indices else x.dtype)


def _ranges(samples, descending: bool):
    targets = numpy.cumsum([each.n for each in samples])[:-1]
    return targets, of_sort.ranges_of(samples, targets, descending)


def _between(ordered, ranges, descending: bool):
    return of_sort.between(ordered, ranges[1], descending)


def _cuts(parts, ranges, descending: bool):
    return of_sort.cuts_of(parts, ranges[0], descending)


def _piece(ordered, cut, j: int):
    begin, end = 0 if j == 0 else cut[j - 1], cut[j] if j < len(cut) else len(ordered.keys)
    return of_sort.Sorted(ordered.keys[begin:end], None if ordered.indices is None else ordered.indices[begin:end])


def _merged(pieces, descending: bool, wants_indices: bool):
    made = of_sort.merge_pieces(pieces, descending)
    return made.indices if wants_indices else made.keys


def top_k(x, k, axis=-1, *, largest=True):
    """upsweep.top_k of a Dask array: (values, indices) of the k largest or smallest elements along an axis, in order.

    x: Dask array of any shape and chunks, also of unknown lengths. Each block gives k candidates.
    k, axis, largest: as in upsweep.top_k().

    Returns two Dask arrays of x's shape but for the axis, whose length is k. Raises ValueError for a k beyond the axis (of unknown lengths when it is
    computed), and the errors of upsweep.top_k().

    >>> values, indices = upsweep.dask.top_k(dask.array.from_array(numpy.array([3, 9, 1, 9, 5]), chunks=2), 3)
    >>> values.compute(), indices.compute()
    (array([9, 9, 5]), array([1, 3, 4]))
    """
    if axis is None:
        x = flat(take(x))
    x, axis = taken_along(x, axis)
    k = of_top.wanted(k)
    sort_rows(numpy.empty(0, x.dtype))
    if not numpy.isnan(x.shape[axis]) and k > x.shape[axis]:
        raise ValueError(f"k is {k}, but there are {x.shape[axis]} elements along the axis")
    name, tasks, options = name_of("top", x, k, axis, largest), {}, {"k": k, "axis": axis, "largest": bool(largest)}
    for at in lines(x, axis):
        level = [(f"{name}-block", *at(i)) for i in range(x.numblocks[axis])]
        begins = begin_tasks(x, axis, at, name, tasks)
        for i, key in enumerate(level):
            tasks[key] = (with_options(of_top.candidates, **options), (x.name, *at(i)), begins[i])
        last = (f"{name}-best", *at(0))
        _tree(tasks, level, last, with_options(of_top.best, **options))
        for which in (0, 1):
            tasks[(f"{name}-{which}", *at(0))] = (item, last, which)
    chunks = (*x.chunks[:axis], (k,), *x.chunks[axis + 1:])
    return tuple(array_of(f"{name}-{which}", tasks, [x], chunks, dtype) for which, dtype in enumerate((x.dtype, numpy.int64)))


def _tree(tasks: dict, level: list, last, combine, fan=16) -> None:
    """combine([results of neighbours], is_last=...) until one result, `last`, is left."""
    depth = 0
    while len(level) > fan:
        keys = [(*last, depth, i) for i in range(-(-len(level) // fan))]
        for i, key in enumerate(keys):
            tasks[key] = (with_options(combine, is_last=False), level[i * fan:(i + 1) * fan])
        level, depth = keys, depth + 1
    tasks[last] = (with_options(combine, is_last=True), level)


def quantile(x, q, axis=None, *, method="linear"):
    """numpy.quantile of a Dask array, exactly and without a sort.

    x: Dask array of any shape and chunks, also of unknown lengths. Its blocks are read twice, by a rare chance three times.
    q: a number from 0 to 1, or an array of them.
    axis: None: of all elements; an integer: along this axis, whose lines are moved to one block.
    method: "linear", "lower", "higher", "nearest" or "midpoint", as NumPy's.

    Returns a Dask array of q's shape, with an axis then followed by the shape of the other axes. NaNs give NaN. Raises ValueError for a q outside of
    0 to 1 and for another method; of no elements when it is computed; and the errors of upsweep.sort().

    >>> upsweep.dask.quantile(dask.array.from_array(numpy.array([3.0, 1, 2, 5]), chunks=2), [0.5, 1]).compute()
    array([2.5, 5. ])
    """
    x = take(x)
    q, dtype = of_quantile.checked(x.dtype, q, method)
    if axis is not None:
        axis = axis_of(axis, x.ndim, _host.AxisError)
        x = whole_along(x, axis)
        chunks = tuple((length,) for length in q.shape) + x.chunks[:axis] + x.chunks[axis + 1:]
        function = with_options(_quantile_of_lines, q=q, axis=axis, method=method, dtype=dtype)
        name = name_of("quantile", x, q, axis, method)
        tasks = {(name, *(0,) * q.ndim, *at[:axis], *at[axis + 1:]): (function, (x.name, *at)) for at in indices(x)}
        return array_of(name, tasks, [x], chunks, dtype)
    made = _quantile_of_all(x.astype(numpy.float32) if _host.is_half_dtype(x.dtype) else x, q, method, dtype)
    return made.reshape(q.shape)


def _quantile_of_lines(block, q, axis: int, method: str, dtype):
    block = numpy.moveaxis(block, axis, -1)
    made = numpy.empty((q.size, *block.shape[:-1]), dtype)
    n = block.shape[-1]
    if n == 0:
        raise ValueError("a quantile of no elements has no value")
    for i, each in enumerate(q.reshape(-1)):
        low, high, weight = of_quantile.places_of(float(each), n, method)
        pair = numpy.stack([numpy.asarray(nth_element(block, place), dtype) for place in (low, high)])
        made[i] = pair[0] if low == high else of_quantile.between(pair, weight)
    if block.dtype.kind == "f":
        made[:, numpy.isnan(block).any(-1)] = numpy.nan
    return made.reshape(*q.shape, *block.shape[:-1])


def _quantile_of_all(x, q, method: str, dtype):
    name = name_of("quantile", x, q, method)
    flat_q = tuple(float(each) for each in q.reshape(-1))
    options = {"q": flat_q, "method": method}
    targets, found, tasks = f"{name}-targets", f"{name}-found", {}
    samples, counted, missed = [], [], []
    for number, at in enumerate(indices(x)):
        block = (x.name, *at)
        for keys, step, task in ((samples, "sample", (with_options(of_quantile.sample_of, number=number), block)),
                                 (counted, "count", (of_quantile.count, block, targets)),
                                 (missed, "missed", (of_quantile.missed, block, targets, found))):
            keys.append((f"{name}-{step}", *at))
            tasks[keys[-1]] = task
    tasks[targets] = (with_options(of_quantile.targets_of, **options), samples)
    tasks[found] = (of_quantile.values_of, counted, targets)
    tasks[(name, 0)] = (with_options(of_quantile.quantiles, dtype=dtype, **options), targets, found, missed)
    return array_of(name, tasks, [x], ((len(flat_q),),), dtype)
