# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common code of upsweep.dask: the argument as a Dask array, and graphs of tasks as a Dask array."""

import functools
import itertools

import numpy

try:
    import dask.array
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph
except ImportError as error:
    raise ImportError(f"upsweep.dask needs Dask: pip install 'upsweep[dask]' ({error})") from None

from . import _host
from ._shapes import axis_of


def take(x, what="the array"):
    """x as a Dask array of NumPy arrays."""
    if not isinstance(x, dask.array.Array):
        data = getattr(x, "data", None)
        if not isinstance(x, numpy.ndarray) and isinstance(data, dask.array.Array):
            raise TypeError(f"{what} is {type(x).__name__}; give its Dask array, {what}.data")
        x = dask.array.from_array(numpy.asarray(x), chunks="auto")
    if isinstance(x._meta, numpy.ma.MaskedArray):
        raise TypeError(f"{what} is masked, and its mask would be ignored; fill or compress it first")
    if not isinstance(x._meta, numpy.ndarray):
        raise TypeError(f"{what} has blocks of {type(x._meta).__module__}; upsweep.dask takes blocks of NumPy")
    return x


def taken_along(x, axis):
    """A Dask array and its axis. With axis None it is one sequence in C's order."""
    x = take(x)
    if axis is None or x.ndim == 0:
        if axis not in (None, -1, 0):
            raise _host.AxisError(f"axis {axis} is out of bounds for array of dimension 0")
        return flat(x), 0
    return x, axis_of(axis, x.ndim, _host.AxisError)


def flat(x):
    """All elements in C's order, in one dimension."""
    if x.ndim <= 1:
        return x if x.ndim else x.reshape(1)
    if 0 in x.shape:  # which Dask's ravel() refuses, as it does chunks of no elements
        return dask.array.from_array(numpy.empty(0, x.dtype))
    if any(0 in lengths for lengths in x.chunks):
        x = x.rechunk(tuple(tuple(length for length in lengths if length) for lengths in x.chunks))
    return x.ravel()


def require_one_dimension(x, what: str):
    if x.ndim != 1:
        raise ValueError(f"{what} has {x.ndim} dimensions, but must have one")


def unknown(x) -> tuple:
    """The chunks of a result in one dimension with a block for each of x's, whose lengths are known only when they are computed."""
    return (float("nan"),) * x.npartitions


def name_of(call: str, *arguments) -> str:
    return f"upsweep-{call}-{tokenize(call, *arguments)}"


def array_of(name: str, tasks: dict, inputs, chunks, dtype):
    """The Dask array whose blocks are the tasks (name, i, ...). `tasks` may have others, which these need."""
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=inputs)
    return dask.array.Array(graph, name, chunks, dtype=dtype)


def alike(x, other):
    """`other`, which has x's shape, with x's chunks."""
    if 0 in x.shape:  # whose chunks Dask does not change
        return dask.array.zeros(x.shape, chunks=x.chunks, dtype=other.dtype)
    return other if other.chunks == x.chunks else other.rechunk(x.chunks)


def indices(x):
    return itertools.product(*map(range, x.numblocks))


def lines(x, axis: int):
    """For each line of blocks along the axis: a function from the number of a block to the indices of the block."""
    for index in itertools.product(*(range(1) if k == axis else range(blocks) for k, blocks in enumerate(x.numblocks))):
        yield lambda i, index=index: (*index[:axis], i, *index[axis + 1:])


def with_options(function, **options):
    """A function for tasks; its options are no part of the graph."""
    return functools.partial(function, **options)


def item(of, i: int):
    """The task of a block's result for each i."""
    return of[i]


def whole_along(x, axis: int):
    """The array with one block along the axis; the other axes are divided further if the blocks become large."""
    if x.numblocks[axis] == 1:
        return x
    is_known = not any(numpy.isnan(length) for length in x.shape)
    others = {k: "auto" for k in range(x.ndim) if k != axis} if is_known and x.size else {}
    return x.rechunk({axis: -1, **others})
