# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, along an axis and by segments, and reductions."""

import ctypes

import numpy

from . import _expression, _host
from ._arguments import has_none, initial_of, operator_of, own_strides, prepare, require_one_dimension, run, run_by, space_of
from ._halves import of_halves
from ._library import MAXIMUM, MINIMUM, Scan
from ._shapes import axes_of, axis_of, decompose


def _empty_like(space, array, code: int, boolean: bool):
    """A new array with the memory layout of `array`."""
    shape = array.shape
    if len(shape) <= 1 or space.is_dense(array):
        return space.empty(array, shape, code, boolean)
    strides = space.strides(array)
    order = sorted(range(len(shape)), key=lambda k: (-abs(strides[k]), k))
    made = space.empty(array, [shape[k] for k in order], code, boolean)
    return space.transpose(made, [order.index(k) for k in range(len(shape))])


def _scan_along(space, array, target, axis: int, code: int, op: int, exclusive, reverse, initial, is_wide, flags=None) -> None:
    """Fills `target`, which has the array's shape."""
    if len(array.shape) == 1 and space.is_dense(array) and space.is_dense(target):
        n = array.shape[0]
        places = (1, n, 1, n, 1, n, 1)
    else:
        array, strides = own_strides(space, array)
        places = decompose(array.shape, strides, space.strides(target), axis)
        if places is None:
            array = space.copy(array)
            places = decompose(array.shape, space.strides(array), space.strides(target), axis)
        if places is not None and space.is_narrow(places):
            _scan_as_rows(space, array, target, axis, code, op, exclusive, reverse, initial, is_wide, flags)
            return
    if places is None:  # of the target
        made = space.empty(array, array.shape, code)
        _scan_along(space, array, made, axis, code, op, exclusive, reverse, initial, is_wide, flags)
        space.assign(target, made)
        return
    device, stream = space.where(array)
    first = 0 if initial is None else ctypes.addressof(initial)
    call = Scan(*places, space.pointer(array), space.pointer(target), first, 0 if flags is None else space.pointer(flags),
                space.code(array), op, exclusive, reverse, is_wide, device, stream)
    if op >= 0:
        run(space.library.scan, call)
    else:
        run_by(space.library.scan_by, call, op, code)


def _scan_as_rows(space, array, target, axis: int, code: int, op: int, *how) -> None:
    """Scans a copy without gaps whose last axis is the scanned axis."""
    order = [k for k in range(len(array.shape)) if k != axis] + [axis]
    rows, moved = space.copy(space.transpose(array, order)), space.transpose(target, order)
    made = moved if space.is_dense(moved) else space.empty(array, rows.shape, code)
    _scan_along(space, rows, made, len(order) - 1, code, op, *how)
    if made is not moved:
        space.assign(moved, made)


def _scan(space, array, op: int, axis: int, exclusive, reverse, initial, dtype, out, flags=None):
    if initial is not None and not exclusive:
        raise ValueError("initial is an argument of exclusive scans; combine the result of an inclusive scan with it")
    if exclusive and initial is None and op < 0:
        raise ValueError("an exclusive scan by an expression needs initial, since its identity is unknown")
    array, code, op, is_wide, is_bool = prepare(space, array, op, dtype, out)
    if is_wide and flags is not None and not space.sums_segments_wide:
        array, is_wide = space.convert(array, code), False
    if reverse and not space.scans_backward(op, exclusive):
        made = space.flip(_scan(space, space.flip(array, axis), op, axis, exclusive, False, initial, dtype or array.dtype, None), axis)
        if out is None:
            return made
        space.assign(space.take_out(out, array.shape, code, is_bool), made)
        return out
    first = initial_of(initial, code, op, is_bool)
    if out is not None:
        target = space.take_out(out, array.shape, code, is_bool)
        if space.overlaps(array, target):
            array = space.copy(array) if not space.is_dense(array) else space.convert(array, space.code(array))
    else:
        target = _empty_like(space, array, code, is_bool)
    if not has_none(array.shape):
        _scan_along(space, array, target, axis, code, op, bool(exclusive), bool(reverse), first, is_wide, flags)
    return target if out is None else out


@of_halves("x")
def scan(x, op="plus", axis=-1, *, exclusive=False, reverse=False, initial=None, dtype=None, out=None):
    """The totals of all elements up to each one along an axis: prefix sums, running maxima and the like.

    x: array of any shape and layout; integers of 8 to 64 bits, floats of 16 to 64, bools.
    op: a name of upsweep.operators ("plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor", and NumPy's names for them), a
        NumPy function such as numpy.maximum, or an expression of a (the total so far) and b (the next element), such as "a * b % 7". It must be
        associative. minimum and maximum of a number and a NaN are the number.
    axis: an integer; None: the array is taken as one sequence in C's order.
    exclusive: element i is the total of the elements before i; the first is `initial`, by default the operator's identity.
    reverse: from the last element to the first.
    initial: for exclusive scans only, a number of the result's type; expressions need it.
    dtype: type of the totals and the result. By default sums and products of integers and bools have 64 bits, like NumPy's, and other
        results have x's type. Integers wrap. With bool "plus" is "or" and "multiplies" is "and".
    out: array for the result, of its shape and dtype; it may be x itself or overlap it.

    Returns an array of x's shape (axis None: of one dimension), of the same library as x, or `out`. Raises ValueError for unknown operators, bad
    expressions and shapes; TypeError for types that do not fit; AxisError (a ValueError and an IndexError) for an invalid axis;
    ZeroDivisionError for expressions that divide integers by 0; NotImplementedError for expressions of arrays of GPUs.

    >>> upsweep.scan(numpy.array([3, 1, 4, 1, 5]), "maximum")
    array([3, 3, 4, 4, 5])
    >>> upsweep.scan(numpy.array([3, 1, 4]), exclusive=True, initial=100)
    array([100, 103, 104])
    """
    space = space_of(x)
    array = space.take(x)
    code = operator_of(op, space)
    if axis is None or len(array.shape) == 0:
        if axis not in (None, -1, 0):
            raise space.AxisError(f"axis {axis} is out of bounds for array of dimension 0")
        array, axis = space.reshape(array, (-1,)), 0
    else:
        axis = axis_of(axis, len(array.shape), space.AxisError)
    made = _scan(space, array, code, axis, exclusive, reverse, initial, dtype, out)
    return made if out is not None else space.give(made)


def cumsum(x, axis=None, dtype=None, out=None):
    """numpy.cumsum: the sums of all elements up to each one along an axis, or along several.

    x: array of any shape; integers of 8 to 64 bits, floats of 16 to 64, bools.
    axis: an integer; None: the array is taken as one sequence in C's order; a tuple of integers: the sums along the first of these axes are
        added up along the next one, and so on. (0, 1) of a matrix gives its summed-area table.
    dtype: type of the sums; by default 64-bit integers for integers and bools. Integers wrap.
    out: array for the result, of its shape and dtype.

    Returns an array of x's shape (axis None: of one dimension), or `out`. Raises AxisError for an invalid axis,
    ValueError for no axes or repeated ones, and the errors of scan().

    >>> upsweep.cumsum(numpy.array([[1, 2, 3], [4, 5, 6]]), axis=0)
    array([[1, 2, 3],
           [5, 7, 9]])
    >>> upsweep.cumsum(numpy.array([[1, 2, 3], [4, 5, 6]]), axis=(0, 1))
    array([[ 1,  3,  6],
           [ 5, 12, 21]])
    """
    if not isinstance(axis, (tuple, list)):
        return scan(x, "plus", axis, dtype=dtype, out=out)
    space = space_of(x)
    axes = axes_of(axis, numpy.ndim(x) if space is _host else len(x.shape), space.AxisError)
    made = scan(x, "plus", axes[0], dtype=dtype, out=out)
    for each in axes[1:]:
        made = scan(made, "plus", each, dtype=made.dtype, out=out if out is not None or space is not _host else made)
    return made


def scan_of_heads(space, array, heads, op, exclusive, initial, dtype, out):
    """A scan that starts again where a byte of `heads` is 1; heads may be None."""
    return _scan(space, space.copy(array), operator_of(op, space), 0, exclusive, False, initial, dtype, out, heads)


@of_halves("x")
def segmented_scan(x, offsets, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again at each offset.

    x: array in one dimension; integers of 8 to 64 bits, floats of 16 to 64, bools.
    offsets: integers in one dimension, 0 to len(x), at which segments begin, in any order.
    op, exclusive, initial, dtype, out: as in scan(); on GPUs `op` is "plus".

    Returns an array of x's length, or `out`. Raises ValueError for offsets that the array does not have (on GPUs they are moved into it) and
    for more dimensions, TypeError for offsets that are no integers, and the errors of scan().

    >>> upsweep.segmented_scan(numpy.array([1, 2, 3, 4, 5, 6]), [0, 2, 5])
    array([ 1,  3,  3,  7, 12,  6])
    """
    space = space_of(x)
    array = space.take(x)
    require_one_dimension(array, "the array")
    made = scan_of_heads(space, array, space.heads_of_offsets(array, offsets), op, exclusive, initial, dtype, out)
    return made if out is not None else space.give(made)


@of_halves("x", "keys")
def scan_by_key(keys, x, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again at each key that differs from its predecessor.

    keys: array in one dimension. NumPy keys may have any type that can be compared, such as text; a NaN differs from all.
    x: array of the keys' length; integers of 8 to 64 bits, floats of 16 to 64, bools.
    op, exclusive, initial, dtype, out: as in scan(); on GPUs `op` is "plus".

    Returns an array of x's length, or `out`. Raises ValueError for arrays of different shapes or more dimensions, and the errors of scan().

    >>> upsweep.scan_by_key(numpy.array([7, 7, 8, 8, 8, 7]), numpy.array([1, 2, 3, 4, 5, 6]))
    array([ 1,  3,  3,  7, 12,  6])
    """
    space = space_of(x)
    array = space.take(x)
    keys = space.take_keys(keys)
    require_one_dimension(array, "the array")
    if tuple(keys.shape) != tuple(array.shape):
        raise ValueError(f"the keys have shape {tuple(keys.shape)}, but the array has {tuple(array.shape)}")
    made = scan_of_heads(space, array, space.heads_of_keys(keys), op, exclusive, initial, dtype, out)
    return made if out is not None else space.give(made)


@of_halves("x")
def reduce(x, op="plus", axis=None, *, initial=None, dtype=None, out=None, keepdims=False):
    """The total of all elements, or of the elements along one or several axes.

    x: array of any shape and layout; integers of 8 to 64 bits, floats of 16 to 64, bools.
    op: as in scan(). minimum and maximum of a number and a NaN are the number.
    axis: an integer, a tuple of them, or None: all elements.
    initial: a number of the result's type that comes before all elements; without it a minimum, a maximum and an expression of no element raise
        ValueError, and other totals of no element are the operator's identity.
    dtype: type in which totals are taken; without it sums and products of integers and bools are of 64 bits. Integers wrap.
    out: array for the result, of its shape and dtype.
    keepdims: axes that are reduced stay, with length 1.

    Returns an array without these axes; for all elements of a NumPy array a NumPy number; or `out`. Raises AxisError for an invalid
    axis, and the errors of scan().

    >>> upsweep.reduce(numpy.array([[1, 2, 3], [4, 5, 6]]), "maximum", axis=1)
    array([3, 6])
    >>> int(upsweep.reduce(numpy.array([1, 2, 3])))
    6
    """
    space = space_of(x)
    array = space.take(x)
    code_of_op = operator_of(op, space)
    shape = tuple(array.shape)
    if isinstance(axis, (tuple, list)):
        axes = axes_of(axis, len(shape), space.AxisError)
        others = [k for k in range(len(shape)) if k not in axes]
        result_shape = tuple(1 if k in axes else shape[k] for k in range(len(shape)) if keepdims or k not in axes)
        together = 1
        for k in axes:
            together *= shape[k]
        array = space.reshape(space.transpose(array, others + axes), tuple(shape[k] for k in others) + (together,))
        axis = len(others)
    elif axis is None:
        result_shape = (1,) * len(shape) if keepdims else ()
        array, axis = space.reshape(array, (-1,)), 0
    else:
        axis = axis_of(axis, len(shape), space.AxisError)
        result_shape = shape[:axis] + ((1,) if keepdims else ()) + shape[axis + 1:]
    array, code, taken_as, is_wide, is_bool = prepare(space, array, code_of_op, dtype, out)
    if array.shape[axis] == 0 and initial is None and code_of_op in (MINIMUM, MAXIMUM, _expression.EXPRESSION) and not has_none(result_shape):
        raise ValueError(f"{op} of no elements has no value; give initial")
    first = initial_of(initial, code, taken_as, is_bool)
    result = space.empty(array, result_shape, code, is_bool)
    if not has_none(result_shape):
        _reduce_to(space, array, result, axis, taken_as, first, is_wide)
    if out is not None:
        space.assign(space.take_out(out, result_shape, code, is_bool), result)
        return out
    return space.give(space.scalar(result) if result_shape == () else result)


def _reduce_to(space, array, result, axis: int, op: int, initial, is_wide) -> None:
    shape = tuple(array.shape)
    if len(shape) == 1 and space.is_dense(array):
        n = shape[0]
        _call_reduce(space, array, result, op, initial, is_wide, (1, n, 1, n, 1, n, 1))
        return
    others = [k for k in range(len(shape)) if k != axis and shape[k] > 1]
    if shape[axis] == 0:
        totals = 1
        for k in others:
            totals *= shape[k]
        places = totals, 0, 1, 1, 1, 1, 1
    else:
        array, strides = own_strides(space, array)
        places = None
        # The result is in C's order, so the order of the other axes in memory must be C's as well.
        if all(strides[a] > strides[b] for a, b in zip(others, others[1:])):
            places = decompose(shape, strides, strides, axis)
        if places is None:
            array = space.copy(array)
            strides = space.strides(array)
            places = decompose(shape, strides, strides, axis)
    _call_reduce(space, array, result, op, initial, is_wide, places)


def _call_reduce(space, array, result, op: int, initial, is_wide, places) -> None:
    device, stream = space.where(array)
    first = 0 if initial is None else ctypes.addressof(initial)
    call = Scan(*places, space.pointer(array), space.pointer(result), first, 0, space.code(array), op, 0, 0, is_wide, device, stream)
    if op >= 0:
        run(space.library.reduce, call)
    else:
        run_by(space.library.reduce_by, call, op, space.code(array))
