# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans of an array in parts: the total of each part, the totals before each part, and the scan of a part after them. dask.py and
distributed.py divide the array."""

from typing import NamedTuple, Optional

import numpy

from . import _expression, _host
from ._arguments import initial_of, operator_of, own_strides, run, type_of_result, wants_bool
from ._library import CODES, MAXIMUM, MINIMUM, PLUS, TYPES, Scan
from ._scans import reduce, scan
from ._shapes import decompose

_float32 = numpy.dtype(numpy.float32)
PIECE = 1 << 18  # elements that caches mostly hold between two passes; smaller pieces spend more time on calls


class How(NamedTuple):
    """A scan's options. Totals have `dtype`, and the result is rounded to `result`. The two differ for float16, and for compensated sums of
    float32: doubles hold their rounding errors, and take a third of the time of two floats."""

    op: str
    axis: int
    exclusive: bool
    reverse: bool
    dtype: numpy.dtype
    result: numpy.dtype
    compensated: bool


def how_to_scan(of, op, axis: int, exclusive, reverse, dtype, compensated) -> How:
    """The options of a scan of elements of the type `of`, after the checks that scan() makes."""
    sample = _host.numpy.empty(0, of)
    code = operator_of(op, _host)
    is_half = _host.is_half_dtype(sample.dtype) if dtype is None else numpy.dtype(dtype) == numpy.float16
    if is_half or _host.is_half_dtype(sample.dtype):
        sample = sample.astype(_float32)
    totals = _float32 if is_half else dtype
    _host.take(sample)
    name = op if isinstance(op, str) else op.__name__
    scan(sample, name, dtype=totals)  # raises the errors of types
    if wants_bool(_host, totals, None) or totals is None and _host.is_bool(sample) and code > 1:
        made = numpy.dtype(bool)
    else:
        made = numpy.dtype(TYPES[type_of_result(_host, sample, code, totals, None)])
    if compensated and (code != PLUS or made.kind != "f"):
        raise TypeError(f"compensated sums are of floats and the operator plus, not of {made} and {name!r}")
    result = numpy.dtype(numpy.float16) if is_half else made
    if compensated and made == _float32:
        made, compensated = numpy.dtype(numpy.float64), False
    return How(name, axis, bool(exclusive), bool(reverse), made, result, bool(compensated))


def first_total(initial, how: How, shape) -> Optional[numpy.ndarray]:
    """The totals before the first part, of a shape without the axis; None if there is nothing."""
    code = operator_of(how.op, _host)
    if initial is None:
        if how.exclusive and code < 0:
            raise ValueError("an exclusive scan by an expression needs initial, since its identity is unknown")
        if not (how.exclusive and code in (MINIMUM, MAXIMUM) and how.dtype.kind == "f"):
            return None
        initial = numpy.inf if code == MINIMUM else -numpy.inf  # the total of NaNs alone is NaN only if nothing comes before them
    elif not how.exclusive:
        raise ValueError("initial is an argument of exclusive scans; combine the result of an inclusive scan with it")
    is_bool = how.dtype == bool
    value = initial_of(initial, CODES["uint8" if is_bool else how.dtype.name], code, is_bool).value
    made = numpy.full(shape, value, how.dtype)
    return numpy.stack([made, numpy.zeros_like(made)]) if how.compensated else made


def total(part, how: How, piece=PIECE) -> Optional[numpy.ndarray]:
    """The totals of a part along the axis; None of a part without elements. A compensated total has its error as a second element.
    Arrays that are converted are taken in pieces."""
    part = _taken(part)
    if part.shape[how.axis] == 0:
        return None
    if how.compensated:
        return _compensated_total(part, how)
    if how.reverse and operator_of(how.op, _host) < 0:  # expressions need not commute
        part = numpy.flip(part, how.axis)
    if part.ndim > 1 or how.dtype == how.result:
        return numpy.asarray(reduce(part, how.op, how.axis, dtype=how.dtype))
    pieces = [reduce(part[begin:begin + piece], how.op, dtype=how.dtype) for begin in range(0, part.size, piece)]
    return numpy.asarray(reduce(numpy.array(pieces), how.op, dtype=how.dtype))


def join(first, second, how: How) -> Optional[numpy.ndarray]:
    """The totals of two neighbouring parts. With `reverse` the first part is behind the second."""
    if first is None or second is None:
        return second if first is None else first
    if how.compensated:
        return _add_pairs(first, second)
    return numpy.asarray(reduce(numpy.stack([first, second]), how.op, 0, dtype=how.dtype))


def total_of_nothing(how: How) -> numpy.ndarray:
    """The identity; minima, maxima and expressions have none, which reduce() says."""
    made = numpy.asarray(reduce(numpy.empty(0, how.dtype), how.op, dtype=how.dtype))
    return numpy.stack([made, made]) if how.compensated else made


def rounded(total_, how: How):
    """A total as a number of the result's type."""
    with numpy.errstate(over="ignore"):
        return (total_[0] + total_[1] if how.compensated else total_).astype(how.result)[()]


def scan_after(part, before, how: How, piece=PIECE) -> numpy.ndarray:
    """The scan of a part that continues the totals before it, which may be None. Arrays that are copied or converted are taken in pieces."""
    part = _taken(part)
    if part.size == 0:
        return numpy.empty(part.shape, how.result)
    if how.compensated:
        made = _compensated_scan(part, before, how)
    elif before is None and (how.dtype == how.result or how.exclusive and part.ndim > 1):
        made = scan(part, how.op, how.axis, exclusive=how.exclusive, reverse=how.reverse, dtype=how.dtype)
    elif part.ndim == 1 or how.exclusive and part.size == part.shape[how.axis]:
        made = _scan_line(part, before, how, piece)
    else:
        made = _scan_lines(part, before, how, piece)
    with numpy.errstate(over="ignore"):  # of float16, as in scan()
        return made.astype(how.result, copy=False)


def _taken(part):
    part = numpy.asarray(part)
    return part.astype(_float32) if _host.is_half_dtype(part.dtype) else part


def _at(axis: int, index) -> tuple:
    return (slice(None),) * axis + (index,)


def _scan_line(part, before, how: How, size: int):
    """One scan of all elements after the total. Totals of another type than the result are taken in pieces."""
    line, n = part.reshape(-1), part.size
    if how.dtype == how.result or n <= size:
        return _sums_of_line(line, before, how)[0].reshape(part.shape)
    made = numpy.empty(n, how.result)
    carry = before
    for begin in range(0, n, size):
        piece = _piece(begin, n, size, how.reverse)
        made[piece], carry = _sums_of_line(line[piece], carry, how)
    return made.reshape(part.shape)


def _piece(begin: int, n: int, size: int, reverse: bool) -> slice:
    """The piece after the first `begin` places, or before the last ones."""
    return slice(max(0, n - begin - size), n - begin) if reverse else slice(begin, begin + size)


def _sums_of_line(line, before, how: How):
    """The scan, and its total. Without a total before it, the scan starts from its own first element or from the identity."""
    n = line.size
    made = numpy.empty(n + 1, how.dtype)
    own, end, last = (made[1:], 0, 0) if how.reverse else (made[:-1], n, n - 1)
    if before is None and not how.exclusive:
        made = scan(line, how.op, 0, reverse=how.reverse, dtype=how.dtype)
        return made, made[0 if how.reverse else -1]
    initial = None if before is None else before.reshape(())[()]
    scan(line, how.op, 0, exclusive=True, reverse=how.reverse, initial=initial, dtype=how.dtype, out=own)
    pair = numpy.array([made[1] if how.reverse else made[n - 1], line[last].astype(how.dtype)])
    made[end] = reduce(pair, how.op, dtype=how.dtype)
    return own if how.exclusive else made[:-1] if how.reverse else made[1:], made[end]


def _scan_lines(part, before, how: How, size: int):
    """The totals enter the first element of each line, and the lines are scanned in place: pieces of a copy, which the cache then holds."""
    n, made = part.shape[0], numpy.empty(part.shape, how.result)
    rows = max(1, size * n // part.size)
    if how.axis == 0 and how.exclusive:
        rows = n  # the next piece would need more than the last sum
    for begin in range(0, n, rows):
        rows_of = _piece(begin, n, rows, how.reverse and how.axis == 0)
        carry = before if how.axis == 0 else None if before is None else before[rows_of]
        to = made[rows_of] if how.dtype == how.result else numpy.empty(made[rows_of].shape, how.dtype)
        _scan_copy(part[rows_of], carry, to, how)
        if how.axis == 0:
            before = to[0 if how.reverse else -1].copy()
        if how.dtype != how.result:
            made[rows_of] = to
    return made


def _scan_copy(part, before, to, how: How) -> None:
    first = _at(how.axis, slice(-1, None) if how.reverse else slice(0, 1))
    if how.exclusive:
        after, of = (slice(0, -1), slice(1, None)) if how.reverse else (slice(1, None), slice(0, -1))
        to[_at(how.axis, after)] = part[_at(how.axis, of)]
        to[first] = numpy.expand_dims(before, how.axis)
    else:
        to[...] = part
        if before is not None:
            to[first] = join(numpy.expand_dims(before, how.axis), to[first], how)
    scan(to, how.op, how.axis, reverse=how.reverse, dtype=how.dtype, out=to)


def _add_pairs(a, b):
    """common::compensated_plus of C++ for arrays of high and low parts."""
    with numpy.errstate(all="ignore"):
        total_ = a[0] + b[0]
        part = total_ - a[0]
        error = (a[0] - (total_ - part)) + (b[0] - part)
        low = error + (a[1] + b[1])
        high = total_ + low
        is_finite = high - high == 0
        return numpy.stack([numpy.where(is_finite, high, total_), numpy.where(is_finite, low - (high - total_), 0)]).astype(a.dtype)


def _places(part, out, axis: int):
    part, strides = own_strides(_host, part)
    places = decompose(part.shape, strides, _host.strides(out) if out is not None else strides, axis)
    if places is None:
        part = numpy.ascontiguousarray(part)
        places = decompose(part.shape, _host.strides(part), _host.strides(part), axis)
    return part, places


def _compensated_total(part, how: How):
    part = numpy.ascontiguousarray(part, how.dtype)
    part, places = _places(part, None, how.axis)
    shape = part.shape[:how.axis] + part.shape[how.axis + 1:]
    made = numpy.empty((*shape, 2), how.dtype)
    if made.size:
        run(_host.library.reduce_compensated,
            Scan(*places, _host.pointer(part), _host.pointer(made), 0, 0, _host.code(part), PLUS, 0, 0, 0, -1, 0))
    return numpy.ascontiguousarray(numpy.moveaxis(made, -1, 0))


def _compensated_scan(part, before, how: How):
    """The high and low parts of the totals before are two more elements in front of the part. Sums of the first ones of the result are exclusive."""
    n = part.shape[how.axis]
    shape = list(part.shape)
    shape[how.axis] = n + 2
    whole = numpy.empty(shape, how.dtype)
    carry = numpy.zeros((2, *shape[:how.axis], *shape[how.axis + 1:]), how.dtype) if before is None else before
    if how.reverse:
        whole[_at(how.axis, slice(0, n))] = part
        whole[_at(how.axis, n)], whole[_at(how.axis, n + 1)] = carry[1], carry[0]
        kept = slice(1, n + 1) if how.exclusive else slice(0, n)
    else:
        whole[_at(how.axis, slice(2, None))] = part
        whole[_at(how.axis, 0)], whole[_at(how.axis, 1)] = carry[0], carry[1]
        kept = slice(1, n + 1) if how.exclusive else slice(2, n + 2)
    places = decompose(whole.shape, _host.strides(whole), _host.strides(whole), how.axis)
    run(_host.library.scan_compensated,
        Scan(*places, _host.pointer(whole), _host.pointer(whole), 0, 0, _host.code(whole), PLUS, 0, how.reverse, 0, -1, 0))
    return whole[_at(how.axis, kept)]
