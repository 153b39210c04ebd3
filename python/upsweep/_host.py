# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy arrays, for the functions of __init__.py. _device.py has the same functions for arrays of GPUs."""

import ctypes

import numpy

from . import _library
from ._library import CODES, SIZES, TYPES, Half

try:
    from numpy.exceptions import AxisError
except ImportError:  # NumPy 1.24 and older
    from numpy import AxisError

NAME = "a NumPy array"
MOST_RADIUS = 1 << 40  # as wide as any image
_codes = {numpy.dtype(name): code for name, code in CODES.items()} | {numpy.dtype(bool): CODES["uint8"]}
_dtypes = [numpy.dtype(name) for name in TYPES]
_bool = numpy.dtype(bool)
_address, _buffer = ctypes.addressof, (ctypes.c_char * 0).from_buffer

library = _library.cpu


def take(x, what="the array"):
    """An array of native, aligned numbers of these values; the same one where it is such an array."""
    if type(x) is not numpy.ndarray:
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError(f"{what} is masked, and masks are not looked at; fill or compress it first")
        x = numpy.asarray(x)
    if x.dtype not in _codes:
        if is_half_dtype(x.dtype):
            raise Half(f"{what} has dtype float16")
        if x.dtype.newbyteorder("=") not in _codes:
            raise TypeError(f"{what} has dtype {x.dtype}; there are {', '.join(TYPES)} and bool")
        x = x.astype(x.dtype.newbyteorder("="))
    return x if x.flags.aligned else x.copy()


def is_half_dtype(dtype) -> bool:
    return dtype.kind == "f" and dtype.itemsize == 2


def is_bool_dtype(dtype) -> bool:
    return dtype is bool or dtype is _bool or numpy.dtype(dtype) == _bool


def take_out(out, shape, code, boolean=False):
    """`out`, of which everything is checked."""
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out is {type(out).__name__}, and not a NumPy array as the input")
    if out.shape != tuple(shape):
        raise ValueError(f"out has shape {out.shape}, and the result has {tuple(shape)}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    if _codes.get(out.dtype) != code or is_bool(out) != boolean:
        if is_half_dtype(out.dtype):
            raise Half(f"out has dtype float16, and the result has {TYPES[code]}")
        raise TypeError(f"out has dtype {out.dtype}, and the result has {'bool' if boolean else TYPES[code]}")
    return out


def dtype_code(dtype) -> int:
    """The code of what a caller gave as `dtype`."""
    dtype = numpy.dtype(dtype)
    if dtype not in _codes:
        if is_half_dtype(dtype):
            raise Half("dtype float16")
        raise TypeError(f"dtype {dtype}: there are {', '.join(TYPES)} and bool")
    return _codes[dtype]


def code(array) -> int:
    return _codes[array.dtype]


def is_bool(array) -> bool:
    return array.dtype is _bool or array.dtype == _bool


def pointer(array) -> int:
    """The address of the first element; the buffer's takes a quarter of the time, and only writable arrays without gaps have one."""
    return _address(_buffer(array)) if array.flags.carray else array.__array_interface__["data"][0]


def strides(array) -> list:
    size = array.itemsize
    if array.flags.aligned and all(step % size == 0 for step in array.strides):
        return [step // size for step in array.strides]
    return [0] * array.ndim  # between the places of other fields: to be copied


def is_dense(array) -> bool:
    return array.flags.c_contiguous


def copy(array):
    return numpy.ascontiguousarray(array)


def convert(array, to):
    return array.astype(_dtypes[to])


def empty(array, shape, of, boolean=False):
    return numpy.empty(shape, _bool if boolean else _dtypes[of])


def transpose(array, order):
    return array.transpose(order)


def reshape(array, shape):
    return array.reshape(shape)


def scans_backward(op, exclusive) -> bool:
    """Whether the library has such scans; others are of reversed copies."""
    return True


def assign(to, value):
    to[...] = value


def is_narrow(places) -> bool:
    """Whether no neighbours lie behind the axis, so that a copy and its scan take a tenth of the time of going from row to row."""
    _, length, inner, _, along_in, _, along_out = places
    return inner == 1 and length > 64 and (along_in != 1 or along_out != 1)


def fill(to, value):
    to[...] = value


def overlaps(array, out) -> bool:
    """Whether the two share memory other than being the same places."""
    return (pointer(array) != pointer(out) or array.strides != out.strides) and numpy.may_share_memory(array, out)


def bytes_from(array):
    """Bytes that are not 0 where the array's elements are not."""
    return numpy.ascontiguousarray(array if array.dtype == _bool else array != 0).view(numpy.uint8)


def ones_of_bytes(array, n):
    return numpy.ones(n, numpy.uint8)


def heads_of_keys(keys):
    """A byte for each element, which is 1 where a key differs from the one before."""
    heads = numpy.ones(keys.shape[0], numpy.uint8)
    numpy.not_equal(keys[1:], keys[:-1], out=heads[1:].view(bool))
    return heads


def _take_offsets(array, offsets):
    n = array.shape[0]
    offsets = numpy.asarray(offsets)
    if offsets.ndim != 1 or (offsets.size and offsets.dtype.kind not in "iu"):
        raise TypeError("offsets are integers in one dimension")
    if offsets.size and (numpy.minimum.reduce(offsets) < 0 or numpy.maximum.reduce(offsets) > n):
        raise ValueError(f"offsets of an array of {n} elements are 0 to {n}")
    return offsets


def heads_of_offsets(array, offsets):
    """A byte for each element of the array, which is 1 where a segment begins."""
    n = array.shape[0]
    heads = numpy.zeros(n + 1, numpy.uint8)
    heads[_take_offsets(array, offsets).astype(numpy.intp, copy=False)] = 1
    return heads[:n]


def bounds_of_offsets(array, offsets):
    """The rising offsets of all segments and the end of the last one, int64."""
    offsets = _take_offsets(array, offsets)
    bounds = numpy.zeros(offsets.size + 2, numpy.int64)
    bounds[1:-1], bounds[-1] = numpy.sort(offsets), array.shape[0]
    return bounds


def numbers(array, n):
    """0 to n - 1, int64."""
    return numpy.arange(n, dtype=numpy.int64)


def take_any(x):
    """An array of any type, for take_along and join."""
    return numpy.asarray(x)


def take_keys(x):
    """An array of any type whose elements can be compared, for heads_of_keys."""
    if isinstance(x, numpy.ma.MaskedArray):
        raise TypeError("the array of keys is masked, and masks are not looked at; fill or compress it first")
    x = numpy.asarray(x)
    return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))


def take_along(array, indices):
    """The elements along the last axis at the indices."""
    return array.take(indices) if array.ndim == 1 else numpy.take_along_axis(array, indices, -1)


def join(a, b):
    return numpy.concatenate([a, b])


def take_radii(array, radii):
    """Radii of all pixels, int64, without gaps."""
    radii = numpy.asarray(radii)
    if radii.dtype.kind not in "iu":
        raise TypeError(f"radius is an integer, or an array of integers; it has dtype {radii.dtype}")
    if radii.shape != array.shape:
        raise ValueError(f"there are radii of shape {radii.shape} for pixels of shape {array.shape}")
    if radii.dtype == numpy.uint64:
        radii = numpy.minimum(radii, numpy.uint64(MOST_RADIUS))  # the greatest ones are negative as int64
    return numpy.ascontiguousarray(radii, numpy.int64)


def count(array):
    """A place for a number that a library writes, and how it is read."""
    place = ctypes.c_uint64()
    return ctypes.addressof(place), lambda: place.value


def doubles(array, values):
    """An array of doubles where the library can read them; it lives as long as the result."""
    return numpy.ascontiguousarray(values, numpy.float64)


def where(array) -> tuple:
    """The number of the device and the stream."""
    return -1, 0


def as_bool(array):
    return array.view(_bool)


def as_bytes(array):
    return array.view(numpy.uint8)


def size_of(array) -> int:
    return SIZES[_codes[array.dtype]]


def scalar(array):
    """The only element, as a NumPy number."""
    return array[()]


def give(array):
    """What the caller gets."""
    return array


sums_segments_wide = True
