# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, reductions, selections, sorts, histograms and summed-area tables of NumPy arrays by CPU threads, and of arrays of GPUs (PyTorch's,
CuPy's, JAX's and others with __cuda_array_interface__) by CUDA on the caller's current stream.

docs/python.md says what each function promises.
"""

import ctypes

from . import _expression, _host
from ._library import CODES, CTYPES, FLOAT32, MAXIMUM, MINIMUM, MULTIPLIES, OPERATORS, PLUS, SIZES, TYPES, Array, Image, Scan, fail
from ._library import cpu as _cpu
from ._shapes import AxisError, axis_of, decompose

__all__ = ["scan", "cumsum", "segmented_scan", "scan_by_key", "reduce", "select", "unique", "sort", "argsort", "histogram",
           "summed_area_table", "operators", "AxisError"]

operators = tuple(OPERATORS)
_ndarray = _host.numpy.ndarray


def _space(x):
    """The functions for the kind of array that x is."""
    if type(x) is _ndarray:
        return _host
    if hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__"):
        from . import _device

        return _device.space_of(x)
    return _host


def _operator(op, space) -> int:
    """The code of an operator's name, of a NumPy function such as numpy.add, or of an expression of a and b (an Expression)."""
    found = OPERATORS.get(op if isinstance(op, str) else getattr(op, "__name__", None))
    if found is not None:
        return found
    if not isinstance(op, str) or op.isidentifier() and op not in ("a", "b"):
        raise ValueError(f"there is no operator {op!r}; there are {', '.join(OPERATORS)}, and expressions such as 'a * b % 7'")
    made = _expression.parse(op)
    if space.library is not _cpu:
        raise NotImplementedError(f"operators that are expressions, as {op!r}, are computed by the CPU part alone; arrays of GPUs have "
                                  "plus, multiplies, minimum and maximum")
    return made


def _type_of_result(space, array, op: int, dtype, out) -> int:
    """The code of the type in which operands are taken: as NumPy's, where sums and products of integers have 64 bits."""
    own = space.code(array)
    if dtype is not None:
        code = space.dtype_code(dtype)
    elif out is not None and hasattr(out, "dtype"):
        code = space.dtype_code(out.dtype)
    elif op <= MULTIPLIES and own < FLOAT32:
        return CODES["int64"] if own % 2 == 0 or space.is_bool(array) else CODES["uint64"]
    else:
        return own
    if own >= FLOAT32 > code:
        raise TypeError(f"cannot take {TYPES[own]} as {TYPES[code]} without losing fractions; convert the array first")
    return code


def _check_operator(op: int, code: int) -> None:
    if op > MAXIMUM and code >= FLOAT32:
        raise TypeError(f"there are no bits to combine in {TYPES[code]}")


def _initial(value, code: int):
    """A place with the value, or None."""
    if value is None:
        return None
    if code >= FLOAT32:
        return CTYPES[code](float(value))
    whole = value.__index__() if hasattr(value, "__index__") else int(value)
    bits = 8 * SIZES[code]
    least = -(1 << bits - 1) if code % 2 == 0 else 0
    if whole != value or not least <= whole < least + (1 << bits):
        raise ValueError(f"initial: {value} is no {TYPES[code]}")
    return CTYPES[code](whole)


def _prepare(space, array, op: int, dtype, out):
    """The array in the type that the library reads; the type's code; whether sums are wider than the elements; whether results are bools."""
    code = _type_of_result(space, array, op, dtype, out)
    _check_operator(op, code)
    own = space.code(array)
    is_bool = op > MULTIPLIES and dtype is None and space.is_bool(array)
    is_wide = False
    if own != code:
        is_wide = op == PLUS and own % 2 == code % 2 and SIZES[code] == 8 and code < FLOAT32 and not space.is_bool(array)
        if not is_wide:
            array = space.convert(array, code)
    return array, code, is_wide, is_bool


def _own_strides(space, array):
    """The array, or a copy without gaps if its places cannot be used, and its strides."""
    strides = space.strides(array)
    if 0 in strides and any(step == 0 and length > 1 for step, length in zip(strides, array.shape)):
        array = space.copy(array)
        strides = space.strides(array)
    return array, strides


def _empty_like(space, array, code: int, boolean: bool):
    """A new array whose axes lie in memory as those of `array`."""
    shape = array.shape
    if len(shape) <= 1 or space.is_dense(array):
        return space.empty(array, shape, code, boolean)
    strides = space.strides(array)
    order = sorted(range(len(shape)), key=lambda k: (-abs(strides[k]), k))
    made = space.empty(array, [shape[k] for k in order], code, boolean)
    return space.transpose(made, [order.index(k) for k in range(len(shape))])


def _has_none(shape) -> bool:
    return 0 in shape


def _run(function, call) -> None:
    message = function(call)
    if message:
        fail(message)


def _run_by(function, call, op: _expression.Expression, code: int) -> None:
    message = function(call, op.compiled(code))
    if message:
        fail(message)


def _scan_along(space, array, target, axis: int, code: int, op: int, exclusive, reverse, initial, is_wide, flags=None) -> None:
    """Fills `target`, which has the array's shape."""
    if len(array.shape) == 1 and space.is_dense(array) and space.is_dense(target):
        n = array.shape[0]
        places = (1, n, 1, n, 1, n, 1)
    else:
        array, strides = _own_strides(space, array)
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
        _run(space.library.scan, call)
    else:
        _run_by(space.library.scan_by, call, op, code)


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
    array, code, is_wide, is_bool = _prepare(space, array, op, dtype, out)
    if is_wide and flags is not None and not space.sums_segments_wide:
        array, is_wide = space.convert(array, code), False
    if reverse and not space.scans_backward(op, exclusive):
        made = space.flip(_scan(space, space.flip(array, axis), op, axis, exclusive, False, initial, dtype or array.dtype, None), axis)
        if out is None:
            return made
        space.assign(space.take_out(out, array.shape, code), made)
        return out
    first = _initial(initial, code)
    if out is not None:
        target = space.take_out(out, array.shape, code)
        if space.overlaps(array, target):
            array = space.copy(array) if not space.is_dense(array) else space.convert(array, space.code(array))
    else:
        target = _empty_like(space, array, code, is_bool)
    if not _has_none(array.shape):
        _scan_along(space, array, target, axis, code, op, bool(exclusive), bool(reverse), first, is_wide, flags)
    return target if out is None else out


def scan(x, op="plus", axis=-1, *, exclusive=False, reverse=False, initial=None, dtype=None, out=None):
    """The totals of all elements up to each one along an axis: docs/python.md#scan."""
    space = _space(x)
    array = space.take(x)
    code = _operator(op, space)
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


def _one_dimension(array, what: str):
    if len(array.shape) != 1:
        raise ValueError(f"{what} has {len(array.shape)} dimensions, and must have one")


def _scan_of_heads(space, array, heads, op, exclusive, initial, dtype, out):
    made = _scan(space, space.copy(array), _operator(op, space), 0, exclusive, False, initial, dtype, out, heads)
    return made if out is not None else space.give(made)


def segmented_scan(x, offsets, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again at each offset: docs/python.md#segments-and-keys."""
    space = _space(x)
    array = space.take(x)
    _one_dimension(array, "the array")
    return _scan_of_heads(space, array, space.heads_of_offsets(array, offsets), op, exclusive, initial, dtype, out)


def scan_by_key(keys, x, op="plus", *, exclusive=False, initial=None, dtype=None, out=None):
    """A scan that starts again wherever a key differs from the one before it: docs/python.md#segments-and-keys."""
    space = _space(x)
    array = space.take(x)
    keys = space.take(keys, "the array of keys")
    _one_dimension(array, "the array")
    if tuple(keys.shape) != tuple(array.shape):
        raise ValueError(f"there are keys of shape {tuple(keys.shape)} for elements of shape {tuple(array.shape)}")
    return _scan_of_heads(space, array, space.heads_of_keys(keys), op, exclusive, initial, dtype, out)


def reduce(x, op="plus", axis=None, *, initial=None, dtype=None, out=None, keepdims=False):
    """The total of all elements, or of those along an axis: docs/python.md#reduce."""
    space = _space(x)
    array = space.take(x)
    code_of_op = _operator(op, space)
    shape = tuple(array.shape)
    if axis is None:
        result_shape = (1,) * len(shape) if keepdims else ()
        array, axis = space.reshape(array, (-1,)), 0
    else:
        axis = axis_of(axis, len(shape), space.AxisError)
        result_shape = shape[:axis] + ((1,) if keepdims else ()) + shape[axis + 1:]
    array, code, is_wide, is_bool = _prepare(space, array, code_of_op, dtype, out)
    if array.shape[axis] == 0 and initial is None and code_of_op in (MINIMUM, MAXIMUM, _expression.EXPRESSION) and not _has_none(result_shape):
        raise ValueError(f"{op} of no element has no value; give one as initial")
    first = _initial(initial, code)
    result = space.empty(array, result_shape, code, is_bool)
    if not _has_none(result_shape):
        _reduce_to(space, array, result, axis, code_of_op, first, is_wide)
    if out is not None:
        space.assign(space.take_out(out, result_shape, code), result)
        return out
    return space.give(space.scalar(result) if result_shape == () else result)


def _reduce_to(space, array, result, axis: int, op: int, initial, is_wide) -> None:
    shape = tuple(array.shape)
    others = [k for k in range(len(shape)) if k != axis and shape[k] > 1]
    if shape[axis] == 0:
        totals = 1
        for k in others:
            totals *= shape[k]
        places = totals, 0, 1, 1, 1, 1, 1
    else:
        array, strides = _own_strides(space, array)
        places = None
        # The result lies in C's order, and so must the batches and the neighbours.
        if all(strides[a] > strides[b] for a, b in zip(others, others[1:])):
            places = decompose(shape, strides, strides, axis)
        if places is None:
            array = space.copy(array)
            strides = space.strides(array)
            places = decompose(shape, strides, strides, axis)
    device, stream = space.where(array)
    first = 0 if initial is None else ctypes.addressof(initial)
    call = Scan(*places, space.pointer(array), space.pointer(result), first, 0, space.code(array), op, 0, 0, is_wide, device, stream)
    if op >= 0:
        _run(space.library.reduce, call)
    else:
        _run_by(space.library.reduce_by, call, op, space.code(array))


def _compact(space, array, function, other, out):
    """What a function of the library keeps of an array in one dimension; `out` needs room for all elements that are kept."""
    n = array.shape[0]
    boolean = space.is_bool(array)
    target = space.empty(array, (n,), space.code(array), boolean)
    place, read = space.count(array)
    device, stream = space.where(array)
    if n:
        call = Array(n, space.pointer(array), space.pointer(target), other, place, 0, space.code(array), 0, device, 0, stream)
        _run(function, call)
    kept = target[:read() if n else 0]
    if out is not None:
        space.assign(space.take_out(out, kept.shape, space.code(array)), kept)
        return out
    return space.give(kept)


def select(x, mask, *, out=None):
    """x[mask]: the elements, in C's order, where the mask is true."""
    space = _space(x)
    array, mask = space.take(x), space.take(mask, "the mask")
    if tuple(mask.shape) != tuple(array.shape):
        raise ValueError(f"there is a mask of shape {tuple(mask.shape)} for elements of shape {tuple(array.shape)}")
    flags = space.bytes_from(space.reshape(mask, (-1,)))
    return _compact(space, space.copy(space.reshape(array, (-1,))), space.library.select, space.pointer(flags), out)


def unique(x, *, out=None):
    """The first element of each run of equal ones. Of a sorted array: each value once."""
    space = _space(x)
    array = space.take(x)
    return _compact(space, space.copy(space.reshape(array, (-1,))), space.library.unique, 0, out)


def _sorted(x, axis, descending, wants_indices, out):
    space = _space(x)
    array = space.take(x)
    if axis is None:
        array, axis = space.reshape(array, (-1,)), 0
    axis = axis_of(axis, len(array.shape), space.AxisError)
    order = [k for k in range(len(array.shape)) if k != axis] + [axis]
    back = [order.index(k) for k in range(len(order))]
    rows = space.copy(space.transpose(array, order))
    code = CODES["int64"] if wants_indices else space.code(array)
    keys = space.empty(array, rows.shape, space.code(array), space.is_bool(array))
    indices = space.empty(array, rows.shape, code) if wants_indices else None
    if not _has_none(rows.shape):
        device, stream = space.where(array)
        n = 1
        for length in rows.shape:
            n *= length
        call = Array(n, space.pointer(rows), space.pointer(keys), 0, space.pointer(indices) if wants_indices else 0, rows.shape[-1],
                     space.code(array), bool(descending), device, 0, stream)
        _run(space.library.sort, call)
    made = space.transpose(indices if wants_indices else keys, back)
    if out is not None:
        space.assign(space.take_out(out, made.shape, code), made)
        return out
    return space.give(made)


def sort(x, axis=-1, *, descending=False, out=None):
    """A stable sort along an axis; NaNs are the largest."""
    return _sorted(x, axis, descending, False, out)


def argsort(x, axis=-1, *, descending=False, out=None):
    """The indices, of int64, that sort the array stably along an axis."""
    return _sorted(x, axis, descending, True, out)


def histogram(x, bins=10, range=None):
    """numpy.histogram: the numbers of elements in each bin, and the bins' edges."""
    space = _space(x)
    array = space.copy(space.reshape(space.take(x), (-1,)))
    edges = _edges(space, array, bins, range)
    counts = space.empty(array, (len(edges) - 1,), CODES["int64"])
    space.fill(counts, 0)
    if array.shape[0]:
        device, stream = space.where(array)
        at = space.doubles(array, edges)
        call = Array(array.shape[0], space.pointer(array), 0, space.pointer(at), space.pointer(counts), len(edges) - 1, space.code(array),
                     0, device, 0, stream)
        _run(space.library.histogram, call)
    return space.give(counts), edges


def _edges(space, array, bins, span):
    numpy = _host.numpy
    if numpy.ndim(bins) == 0:
        if not hasattr(bins, "__index__"):
            raise TypeError("bins is an integer or an array of edges")
        if bins < 1:
            raise ValueError("there must be one bin or more")
        if span is None and array.shape[0]:
            span = float(reduce(array, "minimum")), float(reduce(array, "maximum"))
        low, high = (float(end) for end in (span or (0.0, 1.0)))
        if not (numpy.isfinite(low) and numpy.isfinite(high)):
            raise ValueError(f"the range from {low} to {high} is not finite")
        if low > high:
            raise ValueError("the range ends before it begins")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = numpy.linspace(low, high, bins.__index__() + 1)
        if not (numpy.diff(edges) > 0).all():
            raise ValueError(f"there are no {bins} bins between {low} and {high}")
        return edges
    edges = numpy.asarray(bins, numpy.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (numpy.diff(edges) > 0).all():
        raise ValueError("edges are two or more rising numbers in one dimension")
    return edges


def summed_area_table(x, *, dtype=None, out=None):
    """out[..., y, x] = the sum of all elements up to row y and column x; of shape (height, width) or (images, height, width)."""
    space = _space(x)
    array = space.take(x)
    shape = tuple(array.shape)
    if len(shape) not in (2, 3):
        raise ValueError(f"an image has two dimensions, and images three; there are {len(shape)}")
    array, code, is_wide, _ = _prepare(space, array, PLUS, dtype, out)
    array = space.copy(array)
    target = space.empty(array, shape, code)
    if not _has_none(shape):
        device, stream = space.where(array)
        call = Image(shape[-2], shape[-1], 1, shape[-1], shape[0] if len(shape) == 3 else 1, space.pointer(array), space.pointer(target),
                     space.code(array), is_wide, device, 0, stream)
        _run(space.library.summed_area, call)
    if out is not None:
        space.assign(space.take_out(out, shape, code), target)
        return out
    return space.give(target)
