# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, selections of the first elements of a sort without sorting everything, and merges."""

from . import _host
from ._arguments import given, has_none, require_one_dimension, result_place, run, space_of, whole_number
from ._halves import of_halves
from ._library import CODES, Array, Merge, Ranks
from ._shapes import axis_of

INT64 = CODES["int64"]
FEW = 4096  # elements of a short array
_ndarray = _host.numpy.ndarray


def _rows_of(space, array, axis):
    """A copy without gaps whose last axis is `axis`, and the order of axes that transposes it back; None if the order is the
    array's."""
    if axis is None:
        array, axis = space.reshape(array, (-1,)), 0
    last = len(array.shape) - 1
    axis = axis_of(axis, last + 1, space.AxisError)
    if axis == last:
        return space.copy(array), None
    order = [k for k in range(last + 1) if k != axis] + [axis]
    return space.copy(space.transpose(array, order)), [order.index(k) for k in range(last + 1)]


def _count(shape) -> int:
    n = 1
    for length in shape:
        n *= length
    return n


def _sort(space, rows, keys, offsets, indices, size, descending) -> None:
    """Sorts each row of `size` elements, or `size` segments between offsets, and stores the result in `keys`. `indices` may be
    None."""
    device, stream = space.where(rows)
    call = Array(_count(rows.shape), space.pointer(rows), space.pointer(keys), 0 if offsets is None else space.pointer(offsets),
                 0 if indices is None else space.pointer(indices), size, space.code(rows), bool(descending), device, 0, stream)
    run(space.library.sort, call)


def _sorted(x, axis, descending, wants_indices, out):
    space = space_of(x)
    array = space.take(x)
    rows, back = _rows_of(space, array, axis)
    code = INT64 if wants_indices else space.code(array)
    target = result_place(space, [rows], rows.shape, code, out if back is None else None, not wants_indices and space.is_bool(array))
    keys = space.empty(array, rows.shape, space.code(array)) if wants_indices else target
    if not has_none(rows.shape):
        _sort(space, rows, keys, None, target if wants_indices else None, rows.shape[-1], descending)
    return given(space, target if back is None else space.transpose(target, back), code, out)


def sort_with_indices(x, axis, descending):
    """(keys, indices) of a stable sort along an axis."""
    space = space_of(x)
    rows, back = _rows_of(space, space.take(x), axis)
    made = space.empty(rows, rows.shape, space.code(rows), space.is_bool(rows)), space.empty(rows, rows.shape, INT64)
    if not has_none(rows.shape):
        _sort(space, rows, made[0], None, made[1], rows.shape[-1], descending)
    return made if back is None else tuple(space.transpose(each, back) for each in made)


def _sorted_few(x, descending):
    """A sorted copy of a short NumPy array in one dimension, or None for other arrays. The general way takes three times as long."""
    code = _host.codes.get(x.dtype) if type(x) is _ndarray and x.ndim == 1 and 0 < x.size <= FEW else None
    if code is None:
        return None
    made = x.copy()
    place = _host.pointer(made)
    run(_host.library.sort, Array(x.size, place, place, 0, 0, x.size, code, bool(descending), -1, 0, 0))
    return made


@of_halves("x")
def sort(x, axis=-1, *, descending=False, out=None):
    """A stable sort along an axis.

    x: array of any shape; integers of 8 to 64 bits, floats of 16 to 64, bools. NaNs are the largest, and -0.0 comes before 0.0.
    axis: an integer; None: the array is taken as one sequence in C's order.
    descending: from the largest to the smallest; equal elements keep their order here, too.
    out: array for the result, of its shape and dtype; it may be x itself.

    Returns an array of x's shape (axis None: of one dimension) and dtype, or `out`. Raises AxisError for an invalid axis, TypeError for
    other types, ValueError for an `out` of another shape.

    >>> upsweep.sort(numpy.array([3, 1, 2]), descending=True)
    array([3, 2, 1])
    """
    if out is None and type(axis) is int and axis == -1:
        few = _sorted_few(x, descending)
        if few is not None:
            return few
    return _sorted(x, axis, descending, False, out)


@of_halves("x")
def argsort(x, axis=-1, *, descending=False, out=None):
    """The indices that sort an array stably along an axis.

    x, axis, descending: as in sort().
    out: array of int64 for the result.

    Returns an array of int64 of x's shape (axis None: of one dimension), or `out`. Raises the errors of sort().

    >>> upsweep.argsort(numpy.array([3, 1, 2]), descending=True)
    array([0, 2, 1])
    """
    return _sorted(x, axis, descending, True, out)


def _require_same_shape(keys, values):
    if tuple(keys.shape) != tuple(values.shape):
        raise ValueError(f"the values have shape {tuple(values.shape)}, but the keys have {tuple(keys.shape)}")


def _pairs(keys, values, axis, indices_of):
    """(keys, values) along an axis at the indices that indices_of(space, rows of keys) gives with the keys."""
    space = space_of(keys)
    keys, values = space.take(keys, "the array"), space.take_any(values)
    _require_same_shape(keys, values)
    rows, back = _rows_of(space, keys, axis)
    moved = _rows_of(space, values, axis)[0]
    made, indices = indices_of(space, rows)
    results = made, space.take_along(moved, indices)
    return tuple(space.give(each if back is None else space.transpose(each, back)) for each in results)


@of_halves("keys")
def sort_pairs(keys, values, axis=-1, *, descending=False):
    """(keys, values): the keys in the order of a stable sort along an axis, and the value of each.

    keys, axis, descending: as x in sort().
    values: array of the keys' shape; of NumPy of any type.

    Returns two arrays. Raises ValueError for arrays of different shapes, and the errors of sort().

    >>> upsweep.sort_pairs(numpy.array([3, 1, 2]), ["c", "a", "b"])
    (array([1, 2, 3]), array(['a', 'b', 'c'], dtype='<U1'))
    """

    return _pairs(keys, values, axis, lambda space, rows: sort_with_indices(rows, -1, descending))


def _sorted_segments(x, offsets, descending, wants_indices, out):
    space = space_of(x)
    array = space.take(x)
    require_one_dimension(array, "the array")
    array = space.copy(array)
    code = INT64 if wants_indices else space.code(array)
    bounds = space.bounds_of_offsets(array, offsets)
    n = array.shape[0]
    made = space.numbers(array, n) if wants_indices else result_place(space, [array], (n,), code, out, space.is_bool(array))
    keys = space.empty(array, (n,), space.code(array)) if wants_indices else made
    if n:
        _sort(space, array, keys, bounds, made if wants_indices else None, bounds.shape[0] - 1, descending)
    return given(space, made, code, out)


@of_halves("x")
def segmented_sort(x, offsets, *, descending=False, out=None):
    """Stable sorts of the parts of an array, where a part begins at each offset.

    x: array in one dimension; integers of 8 to 64 bits, floats of 16 to 64, bools. NaNs are the largest.
    offsets: integers in one dimension, 0 to len(x), in any order.
    descending: from the largest to the smallest.
    out: array for the result, of its shape and dtype.

    Returns an array of x's length and dtype, or `out`. Raises ValueError for offsets that the array does not have and for more dimensions,
    TypeError for offsets that are no integers.

    >>> upsweep.segmented_sort(numpy.array([3, 1, 2, 9, 8]), [3])
    array([1, 2, 3, 8, 9])
    """
    return _sorted_segments(x, offsets, descending, False, out)


@of_halves("x")
def segmented_argsort(x, offsets, *, descending=False, out=None):
    """The indices in the array that sort its parts stably: x[segmented_argsort(x, offsets)] is segmented_sort(x, offsets).

    x, offsets, descending: as in segmented_sort().
    out: array of int64 for the result.

    Returns an array of int64 of x's length, or `out`. Raises the errors of segmented_sort().

    >>> upsweep.segmented_argsort(numpy.array([3, 1, 2, 9, 8]), [3])
    array([1, 2, 0, 4, 3])
    """
    return _sorted_segments(x, offsets, descending, True, out)


def _ranks(space, rows, first: int, count: int, descending):
    """The keys at places first to first + count - 1 of a stable sort of each row, and their indices; one key where first is not 0."""
    shape = (*rows.shape[:-1], count)
    keys, indices = space.empty(rows, shape, space.code(rows), space.is_bool(rows)), space.empty(rows, shape, INT64)
    if not has_none(shape):
        device, stream = space.where(rows)
        call = Ranks(_count(rows.shape[:-1]), rows.shape[-1], first, count, space.pointer(rows), space.pointer(keys), space.pointer(indices),
                     space.code(rows), bool(descending), device, 0, stream)
        run(space.library.ranks, call)
    return keys, indices


def _wanted(k, rows) -> int:
    k, length = whole_number(k, "k"), rows.shape[-1]
    if not 0 <= k <= length:
        raise ValueError(f"k is {k}, but there are {length} elements along the axis")
    return k


@of_halves("x")
def top_k(x, k, axis=-1, *, largest=True):
    """(values, indices) of the k largest or smallest elements along an axis, in order, like torch.topk.

    x, axis: as in sort(). The elements are read a few times, and only k of them are sorted.
    k: an integer, 0 to the length of the axis.
    largest: False selects the smallest. Among equal elements the first ones are selected, and come first.

    Returns the elements, of x's dtype, and their indices, int64, of x's shape but for the axis, whose length is k. Raises ValueError for a k
    beyond the axis, and the errors of sort().

    >>> upsweep.top_k(numpy.array([3, 9, 1, 9, 5]), 3)
    (array([9, 9, 5]), array([1, 3, 4]))
    """
    space = space_of(x)
    rows, back = _rows_of(space, space.take(x), axis)
    results = _ranks(space, rows, 0, _wanted(k, rows), largest)
    return tuple(space.give(each if back is None else space.transpose(each, back)) for each in results)


@of_halves("keys")
def top_k_pairs(keys, values, k, axis=-1, *, largest=True):
    """(keys, values) of the k largest or smallest keys along an axis, in order.

    keys, k, axis, largest: as in top_k().
    values: array of the keys' shape; of NumPy of any type.

    Returns two arrays. Raises ValueError for arrays of different shapes, and the errors of top_k().

    >>> upsweep.top_k_pairs(numpy.array([3, 9, 1]), ["c", "i", "a"], 2, largest=False)
    (array([1, 3]), array(['a', 'c'], dtype='<U1'))
    """
    return _pairs(keys, values, axis, lambda space, rows: _ranks(space, rows, 0, _wanted(k, rows), largest))


def _nth(x, n, axis, descending, wants_index):
    space = space_of(x)
    rows, _ = _rows_of(space, space.take(x), axis)
    place, length = whole_number(n, "n"), rows.shape[-1]
    if not -length <= place < length:
        raise ValueError(f"n is {place}, but there are {length} elements along the axis")
    made = _ranks(space, rows, place % length, 1, descending)[wants_index]
    made = space.reshape(made, tuple(rows.shape[:-1]))
    return space.give(made if made.shape else space.scalar(made))


@of_halves("x")
def nth_element(x, n, axis=-1, *, descending=False):
    """The element that a sort along an axis puts at place n, without the sort: numpy.partition(x, n, axis)[n]. A median is the middle one.

    x, axis, descending: as in sort().
    n: an integer within the axis; a negative one counts from the end.

    Returns an array without the axis; for a NumPy array of one row a NumPy number. Raises ValueError for an n beyond the axis, and the errors
    of sort().

    >>> int(upsweep.nth_element(numpy.array([3, 9, 1, 9, 5]), 2))
    5
    """
    return _nth(x, n, axis, descending, False)


@of_halves("x")
def arg_nth_element(x, n, axis=-1, *, descending=False):
    """The index of the element that a stable sort along an axis puts at place n: argsort(x, axis)[n].

    x, n, axis, descending: as in nth_element().

    Returns an array of int64 without the axis; for a NumPy array of one row a NumPy number. Raises the errors of nth_element().

    >>> int(upsweep.arg_nth_element(numpy.array([3, 9, 1, 9, 5]), 2))
    4
    """
    return _nth(x, n, axis, descending, True)


def _merge(space, a, b, values, result, values_result, descending) -> None:
    """`values` are int64, first those of `a`, then those of `b`, or None."""
    counts = a.shape[0], b.shape[0]
    if sum(counts):
        device, stream = space.where(a)
        of_a, of_b, to = (0, 0, 0) if values is None else (space.pointer(values), space.pointer(values) + 8 * counts[0], space.pointer(values_result))
        call = Merge(*counts, space.pointer(a), space.pointer(b), space.pointer(result), of_a, of_b, to, space.code(a), bool(descending),
                     device, 0, stream)
        run(space.library.merge, call)


def _take_ranges(a, b):
    space = space_of(a)
    a, b = space.take(a), space.take(b)
    for each, what in [(a, "the first array"), (b, "the second array")]:
        require_one_dimension(each, what)
    if a.dtype != b.dtype:
        raise TypeError(f"the arrays have dtypes {a.dtype} and {b.dtype}; convert one of them first")
    return space, space.copy(a), space.copy(b)


@of_halves("a", "b", alike=True)
def merge(a, b, *, descending=False, out=None):
    """Merges two sorted arrays.

    a, b: sorted arrays in one dimension of the same dtype; integers of 8 to 64 bits, floats of 16 to 64, bools.
        Order is not checked; for unsorted arrays the result's order is arbitrary. Equal elements of `a` come first; NaNs are the largest.
    descending: whether both are sorted from the largest to the smallest, as the result is.
    out: array for the result, of its length and dtype.

    Returns an array of len(a) + len(b) elements, or `out`. Raises TypeError for different dtypes, ValueError for more dimensions.

    >>> upsweep.merge(numpy.array([1, 4]), numpy.array([2, 3, 9]))
    array([1, 2, 3, 4, 9])
    """
    space, a, b = _take_ranges(a, b)
    shape, code = (a.shape[0] + b.shape[0],), space.code(a)
    made = result_place(space, [a, b], shape, code, out, space.is_bool(a))
    _merge(space, a, b, None, made, None, descending)
    return given(space, made, code, out)


@of_halves("a_keys", "b_keys", alike=True)
def merge_pairs(a_keys, a_values, b_keys, b_values, *, descending=False):
    """(keys, values) of two arrays of sorted keys and the values of each.

    a_keys, b_keys, descending: as a and b in merge().
    a_values, b_values: arrays of the keys' lengths; of NumPy of any type.

    Returns two arrays. Raises ValueError for arrays of different shapes, and the errors of merge().

    >>> upsweep.merge_pairs(numpy.array([1, 4]), ["a", "d"], numpy.array([2]), ["b"])
    (array([1, 2, 4]), array(['a', 'b', 'd'], dtype='<U1'))
    """
    space, a, b = _take_ranges(a_keys, b_keys)
    a_values, b_values = space.take_any(a_values), space.take_any(b_values)
    _require_same_shape(a, a_values)
    _require_same_shape(b, b_values)
    n = a.shape[0] + b.shape[0]
    made, indices = space.empty(a, (n,), space.code(a), space.is_bool(a)), space.empty(a, (n,), INT64)
    _merge(space, a, b, space.numbers(a, n), made, indices, descending)
    return space.give(made), space.give(space.take_along(space.join(a_values, b_values), indices))
