# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Histograms with NumPy's edges."""

import math

import numpy

from . import _host
from ._arguments import run, space_of
from ._halves import widen
from ._library import CODES, TYPES, Half, Histogram
from ._scans import reduce

_float16 = numpy.dtype(numpy.float16)
_dtypes = [numpy.dtype(name) for name in TYPES]
_float64 = _dtypes[-1]
_NUMBERS = (int, float, numpy.integer)  # that linspace takes as doubles


def histogram(x, bins=10, range=None, density=False, weights=None):
    """numpy.histogram: (counts, edges), the number of elements in each bin, and the edges of the bins.

    x: array of any shape; integers of 8 to 64 bits, floats of 16 to 64, bools (as 0 and 1).
    bins: the number of bins of equal width, or non-decreasing edges in one dimension, or the name of a rule for the number: "auto",
        "fd", "doane", "scott", "stone", "rice", "sturges" or "sqrt" (see numpy.histogram_bin_edges; only for NumPy arrays).
    range: (low, high) of all bins; by default the least and the greatest element. With edges it is ignored.
    density: True gives the density of a distribution, whose integral over all bins is 1.
    weights: for NumPy arrays, an array of x's shape: an element counts as much as its weight; weights are added as doubles.

    A bin includes its lower edge, and the last bin its upper edge as well. Elements outside of the edges and NaNs are not counted.

    Returns counts (int64; with weights their dtype; with density float64) and the edges, a NumPy array of the type that NumPy gives them.
    Raises ValueError for less than one bin, decreasing edges, a range that is not finite (NaNs or infinities in x, and no `range`) or too small
    for the number of bins; TypeError for other types; NotImplementedError for weights and rules with arrays of GPUs.

    >>> upsweep.histogram(numpy.array([0.1, 0.2, 0.9]), bins=2, range=(0, 1))
    (array([2, 1]), array([0. , 0.5, 1. ]))
    """
    space = space_of(x)
    try:
        given = space.take(x)
        dtype = _dtypes[space.code(given)]
    except Half:
        given, dtype = space.take(widen(x)), _float16
    array = space.copy(given if len(given.shape) == 1 else space.reshape(given, (-1,)))
    if space is not _host and (weights is not None or isinstance(bins, str)):
        raise NotImplementedError("weights, and rules for the number of bins, need a NumPy array")
    if isinstance(bins, str):
        edges = numpy.histogram_bin_edges(array.astype(dtype, copy=False), bins, range, None if weights is None else numpy.ravel(weights))
    elif isinstance(bins, int) or numpy.ndim(bins) == 0:
        bins = _number_of_bins(bins)
        edges = _even_edges(array, dtype, bins, range)
    else:
        edges = _edges_of(bins)
        if len(edges) < 2 or edges.dtype.itemsize > 8 or (edges != edges).any():  # NumPy decides what these mean
            if space is not _host:
                raise ValueError("edges must be two or more numbers, none of them NaN")
            return numpy.histogram(x, edges, None, density, weights)
    of_elements = None if weights is None else _take_weights(weights, tuple(given.shape))
    counts = _count(space, array, edges, of_elements)
    if range is None and dtype.kind == "f" and isinstance(bins, int) and _has_nan(space, array, counts, of_elements):
        raise ValueError("autodetected range of [nan, nan] is not finite")
    if density:
        counts = counts / space.doubles(array, numpy.diff(edges).astype(_float64)) / counts.sum()
    return space.give(counts), edges


def _number_of_bins(bins) -> int:
    try:
        bins = bins.__index__()
    except AttributeError:
        raise TypeError("bins must be an integer, the name of a rule, or an array of edges") from None
    if bins < 1:
        raise ValueError("bins must be 1 or more")
    return bins


def _even_edges(array, dtype, bins: int, span):
    if span is None and array.shape[0]:
        number = float if dtype.kind == "f" else int
        low, high = dtype.type(number(reduce(array, "minimum"))), dtype.type(number(reduce(array, "maximum")))
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    else:
        low, high = span if span is not None else (0.0, 1.0)
    if (dtype is _float64 or dtype.kind != "f") and isinstance(low, _NUMBERS) and isinstance(high, _NUMBERS):
        low_end, high_end = float(low), float(high)
        if math.isfinite(low_end) and math.isfinite(high_end) and low_end < high_end:
            edges = numpy.arange(bins + 1.0) * ((high_end - low_end) / bins) + low_end  # the bits of numpy.linspace in a third of its time
            edges[-1] = high_end
            if numpy.logical_and.reduce(edges[1:] > edges[:-1]):
                return edges
    edges = numpy.histogram_bin_edges(numpy.empty(0, dtype), bins, (low, high))
    if (edges[1:] <= edges[:-1]).any():  # NumPy 2 raises this error itself, NumPy 1 returns the edges
        raise ValueError(f"the range from {low} to {high} is too small for {bins} bins")
    return edges


def _edges_of(bins):
    edges = numpy.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("edges must have one dimension")
    if edges.dtype.kind not in "biuf":
        raise TypeError(f"edges have dtype {edges.dtype}, but must be numbers")
    if (edges[:-1] > edges[1:]).any():
        raise ValueError("edges must not fall")
    return edges


def _take_weights(weights, shape):
    weights = numpy.asarray(weights)
    if weights.shape != shape:
        raise ValueError(f"weights have shape {weights.shape}, but the array has {shape}")
    if weights.dtype.kind not in "biufc":
        raise TypeError(f"weights have dtype {weights.dtype}, but must be numbers")
    return weights.reshape(-1)


def _count(space, array, edges, weights):
    if weights is None:
        return _call(space, array, edges, None, CODES["int64"])
    if weights.dtype.kind == "c":
        return (_call(space, array, edges, weights.real, CODES["float64"]) + 1j * _call(space, array, edges, weights.imag, CODES["float64"])).astype(
            weights.dtype)
    return _call(space, array, edges, weights, CODES["float64"]).astype(weights.dtype)


def _call(space, array, edges, weights, code: int):
    counts = space.empty(array, (len(edges) - 1,), code)
    space.fill(counts, 0)
    if array.shape[0]:
        # Integers of 64 bits are compared with edges as NumPy does: exactly with integers of the same signedness, otherwise as
        # doubles.
        own = None if space is not _host or space.is_bool(array) else array.dtype
        are_exact = own is not None and own.kind in "iu" and own.itemsize == 8 and edges.dtype.kind in "iu" and (
            numpy.result_type(own, edges.dtype) == own)
        at = numpy.ascontiguousarray(edges, own) if are_exact else space.doubles(array, edges)
        of_elements = None if weights is None else numpy.ascontiguousarray(weights, _float64)
        device, stream = space.where(array)
        run(space.library.histogram,
            Histogram(array.shape[0], len(edges) - 1, space.pointer(array), space.pointer(at), 0 if weights is None else space.pointer(of_elements),
                      space.pointer(counts), space.code(array), are_exact, device, 0, stream))
    return counts


def _has_nan(space, array, counts, weights) -> bool:
    """Whether the array contains a NaN; all other elements are in bins."""
    if weights is not None:
        return bool(numpy.isnan(array).any())
    return int(numpy.add.reduce(counts) if space is _host else counts.sum()) < array.shape[0]
