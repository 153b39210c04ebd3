# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random arrays for the tests, and NumPy as the independent reference."""

import numpy

from upsweep import _library

TYPES = [name for code, name in enumerate(_library.TYPES) if _library.cpu.types >> code & 1]
INTEGERS = [name for name in TYPES if "int" in name]
FLOATS = [name for name in TYPES if "float" in name]
# The widest types, which hold the numbers of tests.
SIGNED = [name for name in INTEGERS if name.startswith("i")][-1]
UNSIGNED = [name for name in INTEGERS if name.startswith("u")][-1]
# Lengths around one element, 32, up to which sorts insert, a vector of 64 bytes, and 128 KiB, up to which the calling thread
# works alone.
LENGTHS = [0, 1, 2, 7, 31, 32, 33, 64, 65, 1000, 4097, 16385, 200_003]
SHAPES = [(0,), (1,), (5,), (3, 4), (4, 0, 3), (1, 1, 1), (2, 3, 5), (7, 129), (300, 40), (3, 5, 64), (2, 3, 4, 5), (1000, 3)]
OPERATORS = {"plus": numpy.add, "multiplies": numpy.multiply, "minimum": numpy.fmin, "maximum": numpy.fmax,
             "bit_and": numpy.bitwise_and, "bit_or": numpy.bitwise_or, "bit_xor": numpy.bitwise_xor}

random = numpy.random.default_rng(27)


def array(shape, dtype):
    """Integers of all sizes; floats around 1, so that products stay finite."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "f":
        return random.uniform(0.5, 1.5, shape).astype(dtype)
    info = numpy.iinfo(dtype)
    return random.integers(info.min, info.max, shape, dtype, endpoint=True)


def operators(dtype):
    """The names and NumPy functions of the operators that a type has."""
    return [item for item in OPERATORS.items() if numpy.dtype(dtype).kind != "f" or not item[0].startswith("bit")]


def layouts(x):
    """The same values in other layouts: Fortran's order, every second place, backward, axes swapped, read-only, unaligned."""
    yield x
    yield numpy.asfortranarray(x)
    wide = numpy.empty(x.shape[:-1] + (2 * x.shape[-1],), x.dtype)
    wide[..., ::2] = x
    yield wide[..., ::2]
    yield numpy.ascontiguousarray(x[::-1])[::-1]
    yield numpy.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1)
    rows = numpy.empty((x.shape[0], *(length + 3 for length in x.shape[1:])), x.dtype)
    inside = rows[tuple(slice(length) for length in x.shape)]
    inside[...] = x
    yield inside
    frozen = x.copy()
    frozen.flags.writeable = False
    yield frozen
    raw = numpy.empty(x.nbytes + 1, numpy.uint8)[1:].view(x.dtype).reshape(x.shape)
    raw[...] = x
    yield raw
    yield x.astype(x.dtype.newbyteorder())


def close(got, expected, of_float32=2e-4, of_all=0):
    """Compares: integers must be equal, floats near, with a relative and an absolute tolerance, since NumPy brackets sums
    differently."""
    assert got.dtype == expected.dtype, (got.dtype, expected.dtype)
    assert got.shape == expected.shape, (got.shape, expected.shape)
    if got.dtype.kind == "f":
        numpy.testing.assert_allclose(got, expected, rtol=of_float32 if got.dtype == numpy.float32 else 1e-11, atol=of_all)
    else:
        numpy.testing.assert_array_equal(got, expected)


def expected_scan(x, function, axis, exclusive=False, reverse=False, initial=None, dtype=None):
    """The scan by NumPy; for floats in doubles."""
    dtype = numpy.dtype(dtype or x.dtype)
    y = numpy.flip(x, axis) if reverse else x
    y = y.astype(numpy.float64 if dtype.kind == "f" else dtype)
    if exclusive:
        shape = list(y.shape)
        shape[axis] = 1
        y = numpy.concatenate([numpy.full(shape, initial, y.dtype), numpy.delete(y, -1, axis) if y.shape[axis] else y], axis)
    made = function.accumulate(y, axis=axis, dtype=y.dtype) if y.size else y
    if exclusive and x.shape[axis] == 0:
        made = numpy.empty(x.shape, y.dtype)
    return (numpy.flip(made, axis) if reverse else made).astype(dtype)


def identity(name, dtype):
    dtype = numpy.dtype(dtype)
    least, most = (-numpy.inf, numpy.inf) if dtype.kind == "f" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
    return {"plus": 0, "multiplies": 1, "minimum": most, "maximum": least, "bit_and": -1 if least else most, "bit_or": 0, "bit_xor": 0}[name]
