# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Histograms of an array in parts, with the edges that upsweep.histogram gives the whole."""

import numpy

from ._histogram import histogram
from ._scans import reduce


def types_of(part, weights, bins, range, density):
    """Counts and edges of an element, for their types and lengths; raises the errors of the call."""
    if isinstance(bins, str):
        raise NotImplementedError("rules for the number of bins need all elements; give the number")
    if weights is not None and weights.shape != part.shape:
        raise ValueError(f"weights have shape {weights.shape}, but the array has {part.shape}")
    return histogram(numpy.zeros(1, part.dtype), bins, range, density, None if weights is None else numpy.ones(1, weights.dtype))


def limits_of(block):
    """The least and the greatest element, or nothing; a NaN makes them NaN."""
    if block.size == 0:
        return None
    if block.dtype.kind == "f" and numpy.isnan(block).any():
        return numpy.nan, numpy.nan
    return reduce(block, "minimum"), reduce(block, "maximum")


def all_limits(limits, dtype):
    known = [each for each in limits if each is not None]
    if not known:
        return None
    both = numpy.array(known, dtype)
    return both[:, 0].min(), both[:, 1].max()


def edges_given(bins, range, dtype):
    return histogram(numpy.empty(0, dtype), bins, range)[1]


def edges_between(limits, bins, dtype):
    """The edges that upsweep.histogram gives an array with these limits."""
    return histogram(numpy.array(() if limits is None else limits, dtype), bins)[1]


def counts_of(edges, block, weights=None):
    return histogram(block, edges, weights=weights)[0]


def sum_of(counts, edges, density):
    made = counts[0].copy()
    for each in counts[1:]:
        made += each
    if density:
        with numpy.errstate(invalid="ignore"):  # of no elements
            return made / numpy.diff(edges).astype(numpy.float64) / made.sum()
    return made
