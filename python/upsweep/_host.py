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
codes = {numpy.dtype(name): code for name, code in CODES.items()} | {numpy.dtype(bool): CODES["uint8"]}
_dtypes = [numpy.dtype(name) for name in TYPES]
_bool = numpy.dtype(bool)
_address, _buffer = ctypes.addressof, (ctypes.c_char * 0).from_buffer

library = _library.cpu


def take(x, what="the array"):
    """The array with native, aligned elements: x itself if it has them, otherwise a copy."""
    if type(x) is not numpy.ndarray:
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError(f"{what} is masked, and its mask would be ignored; fill or compress it first")
        x = numpy.asarray(x)
    if x.dtype not in codes:
        if is_half_dtype(x.dtype):
            raise Half(f"{what} has dtype float16, which the call does not support")
        if x.dtype.newbyteorder("=") not in codes:
            raise TypeError(f"{what} has dtype {x.dtype}; supported are {', '.join(TYPES)} and bool")
        x = x.astype(x.dtype.newbyteorder("="))
    return x if x.flags.aligned else x.copy()


def is_half_dtype(dtype) -> bool:
    return dtype.kind == "f" and dtype.itemsize == 2


def is_bool_dtype(dtype) -> bool:
    return dtype is bool or dtype is _bool or numpy.dtype(dtype) == _bool


def take_out(out, shape, code, boolean=False):
    """`out`, after checking its type, shape and dtype."""
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out is {type(out).__name__}, but must be a NumPy array like the input")
    if out.shape != tuple(shape):
        raise ValueError(f"out has shape {out.shape}, but the result has {tuple(shape)}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    if codes.get(out.dtype) != code or is_bool(out) != boolean:
        if is_half_dtype(out.dtype):
            raise Half(f"out has dtype float16, but the result has {TYPES[code]}")
        raise TypeError(f"out has dtype {out.dtype}, but the result has {'bool' if boolean else TYPES[code]}")
    return out


def dtype_code(dtype) -> int:
    """The code of the caller's `dtype`."""
    dtype = numpy.dtype(dtype)
    if dtype not in codes:
        if is_half_dtype(dtype):
            raise Half("the call does not support dtype float16")
        raise TypeError(f"dtype {dtype} is not supported; supported are {', '.join(TYPES)} and bool")
    return codes[dtype]


def code(array) -> int:
    return codes[array.dtype]


def is_bool(array) -> bool:
    return array.dtype is _bool or array.dtype == _bool


def pointer(array) -> int:
    """The address of the first element. Asking the buffer takes a quarter of the time, but only writable arrays without gaps have one."""
    return _address(_buffer(array)) if array.flags.carray else array.__array_interface__["data"][0]


def strides(array) -> list:
    size = array.itemsize
    if array.flags.aligned and all(step % size == 0 for step in array.strides):
        return [step // size for step in array.strides]
    return [0] * array.ndim  # a field of a structure, whose stride is no multiple of its size: it must be copied


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
    """Whether the library has this backward scan; otherwise the caller scans a reversed copy."""
    return True


def assign(to, value):
    to[...] = value


def is_narrow(places) -> bool:
    """Whether the scanned elements are strided and have no contiguous neighbours. Copying them and scanning the copy then takes
    a tenth of the time."""
    _, length, inner, _, along_in, _, along_out = places
    return inner == 1 and length > 64 and (along_in != 1 or along_out != 1)


def fill(to, value):
    to[...] = value


def overlaps(array, out) -> bool:
    """Whether the two share memory without being the same array."""
    return (pointer(array) != pointer(out) or array.strides != out.strides) and numpy.may_share_memory(array, out)


def bytes_from(array):
    """A byte for each element, which is 0 exactly where the element is."""
    return numpy.ascontiguousarray(array if array.dtype == _bool else array != 0).view(numpy.uint8)


def ones_of_bytes(array, n):
    return numpy.ones(n, numpy.uint8)


def heads_of_keys(keys):
    """A byte for each element: 1 where a key differs from the previous key."""
    heads = numpy.ones(keys.shape[0], numpy.uint8)
    numpy.not_equal(keys[1:], keys[:-1], out=heads[1:].view(bool))
    return heads


def _take_offsets(array, offsets):
    n = array.shape[0]
    offsets = numpy.asarray(offsets)
    if offsets.ndim != 1 or (offsets.size and offsets.dtype.kind not in "iu"):
        raise TypeError("offsets must be integers in one dimension")
    if offsets.size and (numpy.minimum.reduce(offsets) < 0 or numpy.maximum.reduce(offsets) > n):
        raise ValueError(f"offsets of an array of {n} elements must be 0 to {n}")
    return offsets


def heads_of_offsets(array, offsets):
    """A byte for each element of the array, which is 1 where a segment begins."""
    n = array.shape[0]
    heads = numpy.zeros(n + 1, numpy.uint8)
    heads[_take_offsets(array, offsets).astype(numpy.intp, copy=False)] = 1
    return heads[:n]


def bounds_of_offsets(array, offsets):
    """The ascending offsets of all segments and the end of the last segment, int64."""
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
        raise TypeError("the array of keys is masked, and its mask would be ignored; fill or compress it first")
    x = numpy.asarray(x)
    return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))


def take_along(array, indices):
    """The elements at the indices along the last axis."""
    return array.take(indices) if array.ndim == 1 else numpy.take_along_axis(array, indices, -1)


def join(a, b):
    return numpy.concatenate([a, b])


def take_radii(array, radii):
    """Radii of all pixels, int64, without gaps."""
    radii = numpy.asarray(radii)
    if radii.dtype.kind not in "iu":
        raise TypeError(f"radius must be an integer or an array of integers; it has dtype {radii.dtype}")
    if radii.shape != array.shape:
        raise ValueError(f"radius has shape {radii.shape}, but the image has {array.shape}")
    if radii.dtype == numpy.uint64:
        radii = numpy.minimum(radii, numpy.uint64(MOST_RADIUS))  # larger values do not fit int64
    return numpy.ascontiguousarray(radii, numpy.int64)


def take_coefficients(a, b):
    """Both arrays of a recurrence with native, aligned elements, broadcast to one shape."""
    for x in (a, b):
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError("an array is masked, and its mask would be ignored; fill or compress it first")
    a, b = (numpy.require(x, numpy.asarray(x).dtype.newbyteorder("="), "A") for x in (a, b))
    shape = numpy.broadcast_shapes(a.shape, b.shape)
    return tuple(x if x.shape == shape else numpy.broadcast_to(x, shape) for x in (a, b))


def take_initial(x, b, shape):
    """States in b's type, broadcast to the shape."""
    x = numpy.asarray(x)
    if not numpy.can_cast(x.dtype, b.dtype, "same_kind"):
        raise TypeError(f"initial has dtype {x.dtype}, but the states have {b.dtype}")
    return numpy.broadcast_to(x.astype(b.dtype, copy=False), shape)


def empty_states(b, shape):
    return numpy.empty(shape, b.dtype)


def check_out(out, b) -> None:
    """Raises an error unless states of b's shape and type can be written to `out`."""
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out is {type(out).__name__}, but must be a NumPy array like the input")
    if out.shape != b.shape:
        raise ValueError(f"out has shape {out.shape}, but the result has {b.shape}")
    if out.dtype != b.dtype:
        raise TypeError(f"out has dtype {out.dtype}, but the result has {b.dtype}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def count(array):
    """The address to which a library writes a number, and a function that reads the number."""
    place = ctypes.c_uint64()
    return ctypes.addressof(place), lambda: place.value


def doubles(array, values):
    """The values as an array of doubles that the library can read."""
    return numpy.ascontiguousarray(values, numpy.float64)


def where(array) -> tuple:
    """The number of the device and the stream."""
    return -1, 0


def as_bool(array):
    return array.view(_bool)


def as_bytes(array):
    return array.view(numpy.uint8)


def size_of(array) -> int:
    return SIZES[codes[array.dtype]]


def scalar(array):
    """The only element, as a NumPy number."""
    return array[()]


def give(array):
    """Converts a result to the caller's kind of array: here it already is a NumPy array."""
    return array


sums_segments_wide = True
