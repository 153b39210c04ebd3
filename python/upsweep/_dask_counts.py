# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selections, runs and histograms of Dask arrays."""

import dask.array
import numpy

from . import _host
from . import _parts_histogram as of_histogram
from . import _parts_runs as of_runs
from ._dask_graph import alike, array_of, flat, indices, item, name_of, take, unknown, with_options
from ._runs import unique as unique_of
from ._selections import select as select_of


def select(x, mask):
    """upsweep.select of a Dask array: x[mask], the elements, in C's order, where the mask is true.

    x: Dask array of any shape and chunks; more than one dimension becomes one sequence, as in Dask's x[mask].
    mask: Dask array, or NumPy array, of bools of the same shape; its chunks are made x's.

    Returns a Dask array in one dimension whose blocks have unknown lengths; compute_chunk_sizes() finds them. Raises the errors of upsweep.select().

    >>> x = dask.array.from_array(numpy.array([5, 2, 8]), chunks=2)
    >>> upsweep.dask.select(x, x > 2).compute()
    array([5, 8])
    """
    x, mask = take(x), take(mask, "the mask")
    if mask.dtype != bool:
        raise TypeError(f"the mask has dtype {mask.dtype}, but must have bools: write mask != 0, or x[...] for indices")
    if x.ndim != mask.ndim or any(a != b and a == a and b == b for a, b in zip(x.shape, mask.shape)):
        raise ValueError(f"the mask has shape {mask.shape}, but the array has {x.shape}")
    select_of(numpy.empty(0, x.dtype), numpy.empty(0, bool))
    if not any(numpy.isnan(length) for length in (*x.shape, *mask.shape)):
        mask = alike(x, mask)
    elif x.numblocks != mask.numblocks:
        raise ValueError(f"the mask has {mask.numblocks} blocks of unknown lengths, but the array has {x.numblocks}")
    x, mask = flat(x), flat(mask)
    name = name_of("select", x, mask)
    tasks = {(name, i): (select_of, (x.name, i), (mask.name, i)) for i in range(x.npartitions)}
    return array_of(name, tasks, [x, mask], (unknown(x),), x.dtype)


def unique(x, return_index=False, return_inverse=False, return_counts=False):
    """upsweep.unique of a Dask array: the first element of each run of equal neighbours, also across blocks.

    x: Dask array of any shape and chunks, taken as one sequence in C's order. Of a sorted array each value is there once: unique(sort(x, None)).
    return_index, return_inverse, return_counts: as in upsweep.unique().

    Returns a Dask array in one dimension, or a tuple of them; values, indices and counts have blocks of unknown lengths, the inverse has x's shape.
    Raises the errors of upsweep.unique().

    >>> values, counts = upsweep.dask.unique(dask.array.from_array(numpy.array([1, 1, 2, 2, 2, 1]), chunks=2), return_counts=True)
    >>> values.compute(), counts.compute()
    (array([1, 2, 1]), array([2, 3, 1]))
    """
    x = take(x)
    unique_of(numpy.empty(0, x.dtype))
    if _host.is_half_dtype(x.dtype):
        results = unique(x.astype(numpy.float32), return_index, return_inverse, return_counts)
        return (results[0].astype(x.dtype), *results[1:]) if isinstance(results, tuple) else results.astype(x.dtype)
    shape, x = x.shape, flat(x)
    name = name_of("unique", x)
    needs_starts = return_index or return_counts
    tasks, blocks = {}, range(x.npartitions)
    runs = [(f"{name}-runs", i) for i in blocks]
    tasks[f"{name}-continuing"] = (of_runs.continuing, [(f"{name}-ends", i) for i in blocks])
    tasks[f"{name}-places"] = (of_runs.places, [(f"{name}-summary", i) for i in blocks])
    how = with_options(of_runs.runs_of, wants_starts=needs_starts, wants_inverse=return_inverse)
    for i in blocks:
        tasks[(f"{name}-ends", i)] = (of_runs.ends_of, (x.name, i))
        tasks[runs[i]] = (how, (x.name, i), (item, f"{name}-continuing", i))
        tasks[(f"{name}-summary", i)] = (of_runs.summary_of, runs[i])
        tasks[(f"{name}-values", i)] = (_values, runs[i])
    results = [array_of(f"{name}-values", dict(tasks), [x], (unknown(x),), x.dtype)]
    for wanted, function, chunks in ((return_index, of_runs.index_of, (unknown(x),)), (return_inverse, of_runs.inverse_of, x.chunks),
                                     (return_counts, of_runs.counts_of, (unknown(x),))):
        if wanted:
            of = f"{name}-{function.__name__}"
            more = {(of, i): (function, runs[i], (item, f"{name}-places", i)) for i in blocks}
            made = array_of(of, tasks | more, [x], chunks, numpy.int64)
            results.append(_shaped(made, shape) if function is of_runs.inverse_of and len(shape) != 1 else made)
    return results[0] if len(results) == 1 else tuple(results)


def _shaped(made, shape):
    return made.reshape(shape) if 0 not in shape else dask.array.from_array(numpy.empty(shape, made.dtype))


def _values(runs):
    return runs.values


def histogram(x, bins=10, range=None, density=False, weights=None):
    """upsweep.histogram of a Dask array: (counts, edges), with NumPy's edges.

    x: Dask array of any shape and chunks.
    bins, range, density: as in upsweep.histogram(), without rules for the number of bins. Without `range` a first reading finds the least and
        the greatest element.
    weights: Dask array of x's shape; its chunks are made x's. The blocks' sums are added up in their order.

    Returns two Dask arrays of one block each. Raises the errors of upsweep.histogram(), some of them when the result is computed, and
    NotImplementedError for rules.

    >>> counts, edges = upsweep.dask.histogram(dask.array.from_array(numpy.array([0.1, 0.2, 0.9]), chunks=2), bins=2, range=(0, 1))
    >>> counts.compute(), edges.compute()
    (array([2, 1]), array([0. , 0.5, 1. ]))
    """
    x = take(x)
    inputs = [x]
    if weights is not None:
        weights = take(weights, "the array of weights")
    counts, edges = of_histogram.types_of(x, weights, bins, range, density)
    if weights is not None:
        inputs.append(alike(x, weights))
    name = name_of("histogram", *inputs, bins, range, density)
    tasks, blocks = {}, list(indices(x))
    is_even = numpy.ndim(bins) == 0
    limits = f"{name}-limits"
    if is_even and range is None:
        for at in blocks:
            tasks[(f"{name}-least", *at)] = (of_histogram.limits_of, (x.name, *at))
        tasks[limits] = (with_options(of_histogram.all_limits, dtype=x.dtype), [(f"{name}-least", *at) for at in blocks])
        tasks[(f"{name}-edges", 0)] = (with_options(of_histogram.edges_between, bins=bins, dtype=x.dtype), limits)
    else:
        tasks[(f"{name}-edges", 0)] = (with_options(of_histogram.edges_given, bins=bins, range=range, dtype=x.dtype),)
    for at in blocks:
        tasks[(f"{name}-block", *at)] = (of_histogram.counts_of, (f"{name}-edges", 0), *((each.name, *at) for each in inputs))
    tasks[(f"{name}-counts", 0)] = (with_options(of_histogram.sum_of, density=density), [(f"{name}-block", *at) for at in blocks], (f"{name}-edges", 0))
    return tuple(array_of(f"{name}-{which}", tasks, inputs, ((len(made),),), made.dtype) for which, made in (("counts", counts), ("edges", edges)))
