# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts over ranks and other divisions of their array, the first elements of a sort, and quantiles."""

import numpy

from . import _parts_quantile as of_quantile
from . import _parts_sort as of_sort
from . import _parts_top as of_top
from ._arguments import whole_number
from ._orders import sort as sort_rows
from ._ranks import Call
from ._ranks_arrays import given_back, line_of, part_of, widened


def sort(x, comm, *, descending=False, part=None):
    """A stable sort of the whole array: rank 0 gets its first elements, rank 1 the next ones, and so on.

    x: this rank's part, in one dimension, of any length.
    comm: see upsweep.distributed.
    descending: as in upsweep.sort().
    part: the number of elements of the result that this rank gets; by default the length of x. The ranks' numbers add up to all elements.

    Each rank sorts its part, three small messages find the exact places that divide the parts, and each element is sent once.

    Returns an array in one dimension of x's dtype. Raises the errors of upsweep.sort(), ValueError for parts that do not add up, and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.sort(numpy.array([5, 1]) - rank.rank, rank).tolist())
    [[0, 1], [4, 5]]
    """
    return given_back(_sorted(x, comm, bool(descending), part, "sort"), x)


def argsort(x, comm, *, descending=False, part=None):
    """The indices in the whole array, int64, that sort it stably.

    x, comm, descending, part: as in sort().

    Returns an array of int64. Raises the errors of sort().

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.argsort(numpy.array([5, 1]) - rank.rank, rank).tolist())
    [[3, 1], [2, 0]]
    """
    return given_back(_sorted(x, comm, bool(descending), part, "argsort"), x)


def wanted_part(part, n: int) -> int:
    wanted = n if part is None else whole_number(part, "part")
    if wanted < 0:
        raise ValueError(f"part is {wanted}, but must not be negative")
    return wanted


def targets_of(sizes):
    """The begins of all parts of the result but the first."""
    if sum(wanted for _, wanted in sizes) != sum(n for n, _ in sizes):
        raise ValueError(f"the ranks want {sum(wanted for _, wanted in sizes)} elements, but there are {sum(n for n, _ in sizes)}")
    return numpy.cumsum([wanted for _, wanted in sizes])[:-1]


def _sorted(x, comm, descending: bool, part, name: str):
    call = Call(comm, name)
    array = None

    def sizes_of():
        nonlocal array
        array = line_of(x)
        sort_rows(array[:0])
        return len(array), wanted_part(part, len(array))

    sizes = call.gather(sizes_of, lambda: (array.dtype.str, descending))
    own = targets = None

    def sample():
        nonlocal own, targets
        targets = targets_of(sizes)
        begin = sum(n for n, _ in sizes[:call.rank]) if name == "argsort" else None
        own = of_sort.sort_part(widened(array), begin, descending)
        return of_sort.sample_of(own, call.size)

    samples = call.gather(sample)
    between = call.gather(lambda: of_sort.between(own, of_sort.ranges_of(samples, targets, descending), descending))

    def divide():
        cuts = of_sort.cuts_of(between, targets, descending)
        zeros, ends = numpy.zeros((call.size, 1), numpy.int64), numpy.array([[n] for n, _ in sizes])
        lengths = numpy.diff(numpy.concatenate([zeros, cuts, ends], 1), axis=1)
        if (lengths < 0).any():
            raise RuntimeError("the parts changed while they were sorted")
        return lengths[call.rank], lengths[:, call.rank]

    send, receive = call.agree(divide)
    keys = call.exchange(own.keys, send, receive)
    indices = call.exchange(own.indices, send, receive) if own.indices is not None else None
    own = None
    made = call.agree(lambda: of_sort.merge_received(keys, indices, receive, descending))
    return (made.keys if indices is None else made.indices).astype(array.dtype if indices is None else numpy.int64, copy=False)


def rebalance(x, comm, *, part=None):
    """Divides the whole array anew; its order stays.

    x: this rank's part, in one dimension, of any dtype without objects.
    comm: see upsweep.distributed.
    part: the number of elements that this rank gets; by default all ranks get equally many, the first ones one more.

    Returns an array in one dimension. Raises ValueError for parts that do not add up, TypeError for objects, and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.rebalance(numpy.arange(4 * rank.rank), rank).tolist())
    [[0, 1], [2, 3]]
    """
    call = Call(comm, "rebalance")
    array = None

    def sizes_of():
        nonlocal array
        array = line_of(x)
        if array.dtype.hasobject:
            raise TypeError(f"the part has dtype {array.dtype}, whose elements cannot be sent")
        return len(array), None if part is None else wanted_part(part, 0)

    sizes = call.gather(sizes_of, lambda: (array.dtype.str, part is None))

    def lengths():
        given = numpy.array([n for n, _ in sizes])
        all_, ranks = int(given.sum()), numpy.arange(call.size)
        wanted = all_ // call.size + (ranks < all_ % call.size) if part is None else numpy.array([size for _, size in sizes])
        targets_of(list(zip(given, wanted)))
        return _common(given, wanted, call.rank), _common(wanted, given, call.rank)

    return given_back(call.exchange(array, *call.agree(lengths)), x)


def _common(own, others, rank: int):
    """The numbers of elements that part `rank` of one division has in common with each part of another one."""
    end, ends = own[:rank + 1].sum(), others.cumsum()
    return numpy.maximum(0, numpy.minimum(end, ends) - numpy.maximum(end - own[rank], ends - others))


def top_k(x, k, comm, *, largest=True):
    """upsweep.top_k of the whole array: every rank gets the k largest or smallest elements in order, and their indices in the whole array.

    x: this rank's part, in one dimension, of any length.
    k: an integer, 0 to the number of all elements.
    comm: see upsweep.distributed.
    largest: as in upsweep.top_k().

    Returns the elements and their indices, int64. Raises ValueError for a k beyond all elements, the errors of upsweep.top_k(), and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: upsweep.distributed.top_k(numpy.array([3, 9]) + rank.rank, 2, rank)[0].tolist())
    [[10, 9], [10, 9]]
    """
    call = Call(comm, "top_k")
    array = number = None

    def own():
        nonlocal array, number
        array, number = line_of(x), of_top.wanted(k)
        return len(array), of_top.candidates(array, 0, number, 0, largest)

    parts = call.gather(own, lambda: (array.dtype.str, number, bool(largest)))

    def joined():
        begins = numpy.cumsum([0] + [n for n, _ in parts])
        moved = [(values, indices + begin) for (_, (values, indices)), begin in zip(parts, begins)]
        return of_top.best(moved, number, 0, largest, True)

    return tuple(given_back(each, x) for each in call.agree(joined))


def quantile(x, q, comm, *, method="linear"):
    """numpy.quantile of all elements of the whole array, exactly and without a sort; every rank gets the result.

    x: this rank's part, of any shape and length.
    q: a number from 0 to 1, or an array of them, the same on all ranks.
    comm: see upsweep.distributed.
    method: "linear", "lower", "higher", "nearest" or "midpoint", as NumPy's.

    Returns an array of q's shape; for a number q a NumPy number. NaNs give NaN. Raises ValueError for a q outside of 0 to 1, another method, or no
    elements; the errors of upsweep.sort(); and RankError.

    >>> upsweep.distributed.run_ranks(2, lambda rank: float(upsweep.distributed.quantile(numpy.array([3.0, 1]) + rank.rank, 0.5, rank)))
    [2.5, 2.5]
    """
    call = Call(comm, "quantile")
    array = wanted = dtype = None

    def sample():
        nonlocal array, wanted, dtype
        array = part_of(x)
        wanted, dtype = of_quantile.checked(array.dtype, q, method)
        array = widened(array).reshape(-1)
        return of_quantile.sample_of(array, call.rank)

    samples = call.gather(sample, lambda: (array.dtype.str, wanted.tolist(), method))
    flat_q = [float(each) for each in wanted.reshape(-1)]
    targets = call.agree(lambda: of_quantile.targets_of(samples, flat_q, method))
    counted = call.gather(lambda: of_quantile.count(array, targets))
    found = call.agree(lambda: of_quantile.values_of(counted, targets))
    others = call.gather(lambda: of_quantile.missed(array, targets, found))
    return call.agree(lambda: of_quantile.quantiles(targets, found, others, flat_q, method, dtype).reshape(wanted.shape)[()])
