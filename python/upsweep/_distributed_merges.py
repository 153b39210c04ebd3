# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Merges over ranks, and elements at places of a sorted array that is not sorted."""

import numpy

from . import _parts_quantile as of_quantile
from . import _parts_sort as of_sort
from ._arguments import whole_number
from ._distributed_sorts import targets_of, wanted_part
from ._orders import sort as sort_rows
from ._ranks import Call
from ._ranks_arrays import given_back, line_of, widened


def merge(a, b, comm, *, descending=False, part=None):
    """Merges two sorted arrays, of each of which every rank has a part.

    a, b: this rank's parts, in one dimension, of any lengths and of one dtype. The ranks' parts of `a` together are sorted, and so are those of `b`.
        They are in the order of upsweep.sort(), in which -0.0 comes before 0.0. Order is not checked; for unsorted arrays the result's order
        is arbitrary. NaNs are the largest.
    comm: see upsweep.distributed.
    descending: as in upsweep.merge().
    part: the number of elements of the result that this rank gets; by default the length of both parts. The ranks' numbers add up to all elements.

    Returns an array in one dimension. Raises the errors of upsweep.merge(), ValueError for parts that do not add up, and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.merge(numpy.array([1, 4]) + 4 * rank.rank, [2 + rank.rank], rank).tolist())
    [[1, 2, 3], [4, 5, 8]]
    """
    call = Call(comm, "merge")
    arrays = None

    def sizes_of():
        nonlocal arrays
        arrays = line_of(a), line_of(b)
        sort_rows(arrays[0][:0])
        if arrays[0].dtype != arrays[1].dtype:
            raise TypeError(f"a has dtype {arrays[0].dtype}, but b {arrays[1].dtype}")
        own = len(arrays[0]), len(arrays[1])
        return own, wanted_part(part, sum(own))

    sizes = call.gather(sizes_of, lambda: (arrays[0].dtype.str, bool(descending)))
    own = targets = None

    # The merge is a sort whose parts are `a` of each rank in order, followed by `b` of each rank.
    def sample():
        nonlocal own, targets
        targets = targets_of([(sum(lengths), wanted) for lengths, wanted in sizes])
        own = [of_sort.Sorted(numpy.ascontiguousarray(widened(each)), None) for each in arrays]
        return [of_sort.sample_of(each, 2 * call.size) for each in own]

    samples = _a_then_b(call.gather(sample))
    between = _a_then_b(call.gather(lambda: [of_sort.between(each, of_sort.ranges_of(samples, targets, descending), descending) for each in own]))

    def divide():
        cuts = of_sort.cuts_of(between, targets, descending)
        ends = numpy.array(_a_then_b([lengths for lengths, _ in sizes]))[:, None]
        lengths = numpy.diff(numpy.concatenate([numpy.zeros_like(ends), cuts, ends], 1), axis=1)
        if (lengths < 0).any():
            raise ValueError("an array that is merged is not sorted")
        return numpy.split(lengths, 2)

    pieces, received = [], []
    for keys, lengths in zip(own, call.agree(divide)):
        received.append(lengths[:, call.rank])
        pieces.append(call.exchange(keys.keys, lengths[call.rank], received[-1]))
    made = call.agree(lambda: of_sort.merge_received(numpy.concatenate(pieces), None, numpy.concatenate(received), descending))
    return given_back(made.keys.astype(arrays[0].dtype, copy=False), a)


def _a_then_b(pairs) -> list:
    return [each[0] for each in pairs] + [each[1] for each in pairs]


def nth_element(x, n, comm, *, descending=False):
    """The element that a sort of the whole array puts at place n, without the sort; every rank gets it.

    x: this rank's part, in one dimension, of any length.
    n: an integer, the same on all ranks; a negative one counts from the end.
    comm: see upsweep.distributed.
    descending: as in upsweep.nth_element().

    Returns a NumPy number. Raises ValueError for an n beyond all elements, the errors of upsweep.nth_element(), and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: int(upsweep.distributed.nth_element(numpy.array([3, 9]) + 2 * rank.rank, 2, rank)))
    [9, 9]
    """
    call = Call(comm, "nth_element")
    array = keys = place = None

    def sample():
        nonlocal array, keys, place
        array, place = line_of(x), whole_number(n, "n")
        sort_rows(array[:0])
        keys = of_sort.ordered(widened(array), bool(descending))
        return of_quantile.sample_of(keys, call.rank)

    samples = call.gather(sample, lambda: (array.dtype.str, place, bool(descending)))

    def target():
        size = sum(each.n for each in samples)
        if not -size <= place < size:
            raise ValueError(f"n is {place}, but all parts together have {size} elements")
        return of_quantile.targets_of_places(samples, [place % size])

    targets = call.agree(target)
    counted = call.gather(lambda: of_quantile.count(keys, targets))
    found = call.agree(lambda: of_quantile.values_of(counted, targets))
    others = call.gather(lambda: of_quantile.missed(keys, targets, found))

    def element():
        value = of_quantile.values_at(targets, found, others)[targets.places[0]]
        return of_sort.restored(numpy.array([value], keys.dtype), widened(array[:0]).dtype, bool(descending)).astype(array.dtype)[0]

    return call.agree(element)
