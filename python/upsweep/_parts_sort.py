# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stable sorts of an array in parts: sorted parts are divided at exact places, and the pieces are merged.

Each part shows some of its sorted elements. They bound each place to a range of values, of whose elements there are few. The parts then
show these elements, and the places are known. With about sqrt(2 n p) elements of each of p parts of n elements the second message is as
long as the first. Equal elements are in the order of parts, so that no two elements are alike.
"""

import math
from typing import NamedTuple, Optional

import numpy

from ._orders import argsort, sort

_BITS = {4: (numpy.uint32, 23), 8: (numpy.uint64, 52)}  # of floats: unsigned integers, and the bits of their mantissas


class Sorted(NamedTuple):
    """A part's sorted keys, and the index of each in the whole array, or None."""

    keys: numpy.ndarray
    indices: Optional[numpy.ndarray]


def sort_part(part, begin: Optional[int], descending: bool) -> Sorted:
    """The sorted part; its elements begin at index `begin` of the whole array. None: without indices."""
    part = numpy.asarray(part)
    if begin is None:
        return Sorted(sort(part, descending=descending), None)
    order = argsort(part, descending=descending)
    keys = part[order]
    order += begin
    return Sorted(keys, order)


def ordered(keys, descending: bool):
    """Integers in the order of the sort, which is total (upsweep/common/key_order.h): -0.0 is before 0.0, and NaNs are the largest."""
    keys = numpy.asarray(keys)
    if keys.dtype.kind == "f":
        unsigned, mantissa = _BITS[keys.itemsize]
        bits = numpy.ascontiguousarray(keys).view(unsigned)
        top, nans = unsigned(1 << 8 * keys.itemsize - 1), unsigned((1 << mantissa) - 1)
        made = numpy.where(bits >= top, ~bits, bits | top) - nans
    else:
        made = keys.view(numpy.uint8) if keys.dtype == bool else keys
    return ~made if descending else made


def restored(keys, dtype, descending: bool):
    """The elements of a type from their ordered() integers."""
    dtype = numpy.dtype(dtype)
    keys = ~keys if descending else keys
    if dtype.kind != "f":
        return keys.astype(dtype)
    unsigned, mantissa = _BITS[dtype.itemsize]
    top, nans = unsigned(1 << 8 * dtype.itemsize - 1), unsigned((1 << mantissa) - 1)
    bits = keys + nans
    return numpy.where(bits >= top, bits ^ top, ~bits).astype(unsigned).view(dtype)


def bounds_of(keys, values, descending: bool):
    """For each value: the numbers of sorted keys before it, and not behind it."""
    if descending:
        low, high = bounds_of(keys[::-1], values, False)
        return len(keys) - high, len(keys) - low
    low, high = numpy.searchsorted(keys, values, "left"), numpy.searchsorted(keys, values, "right")
    if keys.dtype.kind == "f":
        for alike in (values == 0, values != values):  # NumPy's search takes zeros, and NaNs, as equal
            if alike.any():
                begin, end = low[alike][0], high[alike][0]
                among, wanted = ordered(keys[begin:end], False), ordered(values[alike], False)
                low[alike], high[alike] = (begin + numpy.searchsorted(among, wanted, side) for side in ("left", "right"))
    return low, high


class Sample(NamedTuple):
    n: int
    keys: numpy.ndarray
    places: numpy.ndarray


def sample_of(of: Sorted, parts: int) -> Sample:
    """Elements at even distances, with the first and the last one."""
    n = len(of.keys)
    some = min(n, math.isqrt(2 * n * parts) + 2)
    places = numpy.arange(some) * (n - 1) // max(1, some - 1) if n else numpy.empty(0, numpy.int64)
    return Sample(n, of.keys[places], places)


class Range(NamedTuple):
    """The values between which each target lies; a rank's answer has the numbers of its elements before and behind them."""

    low: numpy.ndarray
    high: numpy.ndarray


def ranges_of(samples, targets, descending: bool) -> Range:
    """For each number of first elements of the sorted whole, the range of values that holds the division."""
    keys = numpy.concatenate([each.keys for each in samples])
    if len(keys) == 0:
        return Range(numpy.zeros(len(targets), keys.dtype), numpy.zeros(len(targets), keys.dtype))
    order = numpy.argsort(ordered(keys, descending), kind="stable")
    rank = ordered(keys, descending)[order]
    # For each sampled value: the least number of elements that are not behind it, and the greatest number of elements before it.
    least = numpy.concatenate([numpy.diff(each.places, prepend=-1) for each in samples])[order].cumsum()
    most = numpy.concatenate([numpy.diff(each.places, append=each.n) for each in samples])[order].cumsum()
    last = numpy.searchsorted(rank, rank, "right") - 1
    before = numpy.concatenate([[0], most])[numpy.searchsorted(rank, rank, "left")]
    high = numpy.searchsorted(least[last], targets, "left")
    low = numpy.searchsorted(before, targets, "right") - 1
    keys = keys[order]
    return Range(keys[numpy.minimum(low, high)], keys[high])


class Between(NamedTuple):
    """Of one part and each target: the numbers of elements before and not behind the range's ends, and the keys strictly between."""

    low: tuple
    high: tuple
    keys: list


def between(of: Sorted, ranges: Range, descending: bool) -> Between:
    low, high = bounds_of(of.keys, ranges.low, descending), bounds_of(of.keys, ranges.high, descending)
    return Between(low, high, [of.keys[a:b] for a, b in zip(low[1], high[0])])


def cuts_of(parts, targets, descending: bool):
    """cuts[part, target]: the number of each part's elements among the first `target` elements of the sorted whole."""
    cuts = numpy.empty((len(parts), len(targets)), numpy.int64)
    for t, target in enumerate(targets):
        for ends in ("low", "high"):
            low, high = (numpy.array([getattr(each, ends)[k][t] for each in parts]) for k in (0, 1))
            if ends == "low":
                behind_low = high
            if low.sum() <= target <= high.sum():  # equal elements are in the order of parts
                rest = target - low.sum() - numpy.concatenate([[0], (high - low).cumsum()[:-1]])
                cuts[:, t] = low + numpy.clip(rest, 0, high - low)
                break
        else:
            pieces = [each.keys[t] for each in parts]
            origin = numpy.repeat(numpy.arange(len(parts)), [len(each) for each in pieces])
            order = numpy.argsort(ordered(numpy.concatenate(pieces), descending), kind="stable")[:target - behind_low.sum()]
            cuts[:, t] = behind_low + numpy.bincount(origin[order], minlength=len(parts))
    return cuts




def merge_pieces(pieces, descending: bool) -> Sorted:
    """The pieces of a part of the result, merged in the order of parts."""
    indices = None if pieces[0].indices is None else numpy.concatenate([each.indices for each in pieces])
    return merge_received(numpy.concatenate([each.keys for each in pieces]), indices, [len(each.keys) for each in pieces], descending)


def merge_received(keys, indices, lengths, descending: bool) -> Sorted:
    """Joined pieces, merged. For more than three of them a radix sort takes less time than merges by pairs, and it knows -0.0 from 0.0."""
    if numpy.count_nonzero(lengths) <= 1:
        return Sorted(keys, indices)
    if indices is None:
        return Sorted(sort(keys, descending=descending, out=keys), None)
    order = argsort(keys, descending=descending)
    return Sorted(keys[order], indices[order])
