# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selections, distinct elements, and histograms."""

import math

import numpy

from ._arguments import run, space_of, whole_number
from ._library import CODES, Array
from ._scans import reduce


def _compact(space, array, function, other, out):
    """What a function of the library keeps of an array in one dimension; `out` needs room for all elements that are kept."""
    n = array.shape[0]
    boolean = space.is_bool(array)
    target = space.empty(array, (n,), space.code(array), boolean)
    place, read = space.count(array)
    device, stream = space.where(array)
    if n:
        call = Array(n, space.pointer(array), space.pointer(target), other, place, 0, space.code(array), 0, device, 0, stream)
        run(function, call)
    kept = target[:read() if n else 0]
    if out is not None:
        space.assign(space.take_out(out, kept.shape, space.code(array)), kept)
        return out
    return space.give(kept)


def select(x, mask, *, out=None):
    """x[mask]: the elements, in C's order, where the mask is true."""
    space = space_of(x)
    array, mask = space.take(x), space.take(mask, "the mask")
    if tuple(mask.shape) != tuple(array.shape):
        raise ValueError(f"there is a mask of shape {tuple(mask.shape)} for elements of shape {tuple(array.shape)}")
    flags = space.bytes_from(space.reshape(mask, (-1,)))
    return _compact(space, space.copy(space.reshape(array, (-1,))), space.library.select, space.pointer(flags), out)


def unique(x, *, out=None):
    """The first element of each run of equal ones. Of a sorted array: each value once."""
    space = space_of(x)
    array = space.take(x)
    return _compact(space, space.copy(space.reshape(array, (-1,))), space.library.unique, 0, out)


def histogram(x, bins=10, range=None):
    """numpy.histogram: the numbers of elements in each bin, and the bins' edges."""
    space = space_of(x)
    array = space.copy(space.reshape(space.take(x), (-1,)))
    edges = _edges(space, array, bins, range)
    counts = space.empty(array, (len(edges) - 1,), CODES["int64"])
    space.fill(counts, 0)
    if array.shape[0]:
        device, stream = space.where(array)
        at = space.doubles(array, edges)
        call = Array(array.shape[0], space.pointer(array), 0, space.pointer(at), space.pointer(counts), len(edges) - 1, space.code(array),
                     0, device, 0, stream)
        run(space.library.histogram, call)
    return space.give(counts), edges


def _edges(space, array, bins, span):
    if isinstance(bins, int) or numpy.ndim(bins) == 0:
        bins = whole_number(bins, "the number of bins, if it is no array of edges,")
        if bins < 1:
            raise ValueError("there must be one bin or more")
        if span is None and array.shape[0]:
            span = float(reduce(array, "minimum")), float(reduce(array, "maximum"))
        low, high = (float(end) for end in (span or (0.0, 1.0)))
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"the range from {low} to {high} is not finite")
        if low > high:
            raise ValueError("the range ends before it begins")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = numpy.arange(bins + 1.0) * ((high - low) / bins) + low  # numpy.linspace in a third of its time, with its bits
        edges[-1] = high
        if not _rises(edges):
            raise ValueError(f"there are no {bins} bins between {low} and {high}")
        return edges
    edges = numpy.asarray(bins, numpy.float64)
    if edges.ndim != 1 or len(edges) < 2 or not _rises(edges):
        raise ValueError("edges are two or more rising numbers in one dimension")
    return edges


def _rises(edges) -> bool:
    return numpy.logical_and.reduce(edges[1:] > edges[:-1])
