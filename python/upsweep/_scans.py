# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, along an axis and by segments, and reductions."""

import ctypes

from . import _expression
from ._arguments import has_none, initial_of, operator_of, own_strides, prepare, require_one_dimension, run, run_by, space_of
from ._library import MAXIMUM, MINIMUM, Scan
from ._shapes import axis_of, decompose


def _empty_like(space, array, code: int, boolean: bool):
    """A new array whose axes lie in memory as those of `array`."""
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
    """Scans a copy in which the axis is the last one and without gaps."""
    order = [k for k in range(len(array.shape)) if k != axis] + [axis]
    rows, moved = space.copy(space.transpose(array, order)), space.transpose(target, order)
    made = moved if space.is_dense(moved) else space.empty(array, rows.shape, code)
    _scan_along(space, rows, made, len(order) - 1, code, op, *how)
    if made is not moved:
        space.assign(moved, made)


def _scan(space, array, op: int, axis: int, exclusive, reverse, initial, dtype, out, flags=None):
    if initial is not None and not exclusive:
        raise ValueError("initial is for exclusive scans; combine the result of an inclusive one with it")
    if exclusive and initial is None and op < 0:
        raise ValueError("exclusive scans by an expression, which has no identity that is known, need initial")
    array, code, is_wide, is_bool = prepare(space, array, op, dtype, out)
    if is_wide and flags is not None and not space.sums_segments_wide:
        array, is_wide = space.convert(array, code), False
    if reverse and not space.scans_backward(op, exclusive):
        made = space.flip(_scan(space, space.flip(array, axis), op, axis, exclusive, False, initial, dtype or array.dtype, None), axis)
        if out is None:
            return made
        space.assign(space.take_out(out, array.shape, code), made)
        return out
    first = initial_of(initial, code)
    if out is not None:
        target = space.take_out(out, array.shape, code)
        if space.overlaps(array, target):
            array = space.copy(array) if not space.is_dense(array) else space.convert(array, space.code(array))
    else:
        target = _empty_like(space, array, code, is_bool)
    if not has_none(array.shape):
        _scan_along(space, array, target, axis, code, op, bool(exclusive), bool(reverse), first, is_wide, flags)
    return target if out is None else out


def scan(x, op="plus", axis=-1, *, exclusive=False, reverse=False, initial=None, dtype=None, out=None):
    """The totals of all elements up to each one along an axis: docs/python.md#scan."""
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
    """numpy.cumsum."""
    return scan(x, "plus", axis, dtype=dtype, out=out)


def _scan_of_heads(space, array, heads, op, exclusive, initial, dtype, out):
    made = _scan(space, space.copy(array), operator_of(op, space), 0, exclusive, False, initial, dtype, out, heads)
    return made if out is not None else space.give(made)


def segmented_scan(x, offsets, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again at each offset: docs/python.md#segments-and-keys."""
    space = space_of(x)
    array = space.take(x)
    require_one_dimension(array, "the array")
    return _scan_of_heads(space, array, space.heads_of_offsets(array, offsets), op, exclusive, initial, dtype, out)


def scan_by_key(keys, x, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again wherever a key differs from the one before it: docs/python.md#segments-and-keys."""
    space = space_of(x)
    array = space.take(x)
    keys = space.take(keys, "the array of keys")
    require_one_dimension(array, "the array")
    if tuple(keys.shape) != tuple(array.shape):
        raise ValueError(f"there are keys of shape {tuple(keys.shape)} for elements of shape {tuple(array.shape)}")
    return _scan_of_heads(space, array, space.heads_of_keys(keys), op, exclusive, initial, dtype, out)


def reduce(x, op="plus", axis=None, *, initial=None, dtype=None, out=None, keepdims=False):
    """The total of all elements, or of those along an axis: docs/python.md#reduce."""
    space = space_of(x)
    array = space.take(x)
    code_of_op = operator_of(op, space)
    shape = tuple(array.shape)
    if axis is None:
        result_shape = (1,) * len(shape) if keepdims else ()
        array, axis = space.reshape(array, (-1,)), 0
    else:
        axis = axis_of(axis, len(shape), space.AxisError)
        result_shape = shape[:axis] + ((1,) if keepdims else ()) + shape[axis + 1:]
    array, code, is_wide, is_bool = prepare(space, array, code_of_op, dtype, out)
    if array.shape[axis] == 0 and initial is None and code_of_op in (MINIMUM, MAXIMUM, _expression.EXPRESSION) and not has_none(result_shape):
        raise ValueError(f"{op} of no element has no value; give one as initial")
    first = initial_of(initial, code)
    result = space.empty(array, result_shape, code, is_bool)
    if not has_none(result_shape):
        _reduce_to(space, array, result, axis, code_of_op, first, is_wide)
    if out is not None:
        space.assign(space.take_out(out, result_shape, code), result)
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
        # The result lies in C's order, and so must the batches and the neighbours.
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
