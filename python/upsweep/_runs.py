# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of equal neighbours: their first elements, their lengths and their totals."""

from ._arguments import require_one_dimension, run, space_of
from ._halves import of_halves
from ._library import CODES, Array
from ._scans import scan_of_heads

INT64 = CODES["int64"]


def compact(space, array, function, other, out=None):
    """The elements of an array in one dimension that a function of the library keeps; `out` needs room for all of them."""
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
        space.assign(space.take_out(out, kept.shape, space.code(array), boolean), kept)
        return out
    return kept


def _starts(space, heads):
    """The indices, int64, at which runs begin."""
    return compact(space, space.numbers(heads, heads.shape[0]), space.library.select, space.pointer(heads))


def _lengths(space, starts, n: int):
    made = space.empty(starts, starts.shape, INT64)
    if starts.shape[0]:
        made[:-1] = starts[1:] - starts[:-1]
        made[-1:] = n - starts[-1:]
    return made


@of_halves("x")
def unique(x, return_index=False, return_inverse=False, return_counts=False, *, out=None):
    """The first element of each run of equal neighbours; in a sorted array, each value once, in order.

    x: array of any shape, taken as one sequence in C's order; integers of 8 to 64 bits, floats of 16 to 64, bools. It need not be sorted: like
        the command uniq, and unlike numpy.unique, this compares only neighbours. A NaN is a run of its own.
    return_index: also the index, int64, at which each run begins.
    return_inverse: also the number of each element's run, int64, in x's shape: values[inverse] is x.
    return_counts: also the length of each run, int64.
    out: for the values; its length must be the number of runs.

    Returns the values, in one dimension, or a tuple of them and the other arrays in the order of the options. Raises TypeError for other types,
    ValueError for an `out` of another shape.

    >>> upsweep.unique(numpy.array([1, 1, 2, 2, 2, 1]), return_counts=True)
    (array([1, 2, 1]), array([2, 3, 1]))
    """
    space = space_of(x)
    array = space.take(x)
    shape = tuple(array.shape)
    array = space.copy(space.reshape(array, (-1,)))
    values = compact(space, array, space.library.unique, 0, out)
    results = [values if out is not None else space.give(values)]
    if not (return_index or return_inverse or return_counts):
        return results[0]
    heads = space.heads_of_keys(array)
    starts = _starts(space, heads)
    if return_index:
        results.append(space.give(starts))
    if return_inverse:
        runs = scan_of_heads(space, space.convert(heads, INT64), None, "plus", False, None, None, None)
        runs -= 1
        results.append(space.give(space.reshape(runs, shape)))
    if return_counts:
        results.append(space.give(_lengths(space, starts, array.shape[0])))
    return tuple(results)


@of_halves("x")
def run_length_encode(x):
    """(values, lengths) of the runs of equal neighbours: numpy.repeat(values, lengths) is x.

    x: array of any shape, taken as one sequence in C's order; integers of 8 to 64 bits, floats of 16 to 64, bools. A NaN is a run of its own.

    Returns the first element of each run, of x's dtype, and the lengths, int64, each in one dimension. Raises TypeError for other types.

    >>> upsweep.run_length_encode(numpy.array([7, 7, 7, 0, 0, 7]))
    (array([7, 0, 7]), array([3, 2, 1]))
    """
    return unique(x, return_counts=True)


@of_halves("x", place=1)
def reduce_by_key(keys, x, op="plus", *, dtype=None):
    """(keys, totals): the key of each run of equal neighbouring keys, and the total of its elements.

    keys: array in one dimension. NumPy keys may have any type that can be compared, such as text; a NaN is a run of its own. Sort first
        (sort_pairs) for one total of each key.
    x: array of the keys' length; integers of 8 to 64 bits, floats of 16 to 64, bools.
    op: as in scan().
    dtype: type of the totals; by default sums and products of integers have 64 bits.

    Returns two arrays in one dimension. Raises ValueError for arrays of different shapes or more dimensions, or an unknown operator; TypeError
    for other types. On GPUs `op` is "plus".

    >>> upsweep.reduce_by_key(numpy.array(["a", "a", "b", "a"]), numpy.array([1, 2, 3, 4]))
    (array(['a', 'b', 'a'], dtype='<U1'), array([3, 3, 4]))
    """
    space = space_of(x)
    array, keys = space.take(x), space.take_keys(keys)
    require_one_dimension(array, "the array")
    if tuple(keys.shape) != tuple(array.shape):
        raise ValueError(f"the keys have shape {tuple(keys.shape)}, but the array has {tuple(array.shape)}")
    heads = space.heads_of_keys(keys)
    totals = scan_of_heads(space, array, heads, op, False, None, dtype, None)
    ends = space.ones_of_bytes(array, heads.shape[0])
    ends[:-1] = heads[1:]
    kept = compact(space, space.copy(totals), space.library.select, space.pointer(ends))
    return space.give(space.take_along(keys, _starts(space, heads))), space.give(kept)
