# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first k elements of a sort of an array in parts: the first k of each part are candidates."""

import numpy

from ._arguments import whole_number
from ._orders import top_k


def wanted(k) -> int:
    k = whole_number(k, "k")
    if k < 0:
        raise ValueError(f"k is {k}, but must not be negative")
    return k


def candidates(part, begin: int, k: int, axis: int, largest: bool):
    """(values, indices in the whole array) of at most k elements of a part that begins at index `begin` along the axis."""
    part = numpy.asarray(part)
    values, at = top_k(part, min(k, part.shape[axis]), axis, largest=largest)
    return numpy.ascontiguousarray(values), at + begin


def best(parts, k: int, axis: int, largest: bool, is_last: bool):
    """The candidates of several parts, which are in order. The last call requires k of them."""
    values = numpy.concatenate([each[0] for each in parts], axis)
    indices = numpy.concatenate([each[1] for each in parts], axis)
    there = values.shape[axis]
    if is_last and there < k:
        raise ValueError(f"k is {k}, but there are {there} elements along the axis")
    kept, at = top_k(values, min(k, there), axis, largest=largest)
    return numpy.ascontiguousarray(kept), numpy.take_along_axis(indices, numpy.asarray(at), axis)
