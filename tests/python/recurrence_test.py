# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linear_recurrence against a plain loop, for random shapes, axes, types and layouts."""

import unittest

import numpy
import upsweep

from arrays import SHAPES, layouts, random

STATES = ["float32", "float64", "complex64", "complex128"]
KINDS = [(name, name) for name in STATES] + [("float32", "complex64"), ("float64", "complex128")]


def states(shape, dtype, size=1.0):
    made = random.uniform(-size, size, shape)
    return (made + 1j * random.uniform(-size, size, shape) if "complex" in dtype else made).astype(dtype)


def loop(a, b, axis, initial=None, reverse=False):
    """The states and the last ones, in double precision."""
    wide = numpy.complex128 if numpy.iscomplexobj(b) else numpy.float64
    a, b = (numpy.moveaxis(x, axis, 0).astype(wide) for x in numpy.broadcast_arrays(a, b))
    made = numpy.full_like(b, 77)
    state = numpy.zeros(b.shape[1:], wide) if initial is None else numpy.broadcast_to(initial, b.shape[1:]).astype(wide)
    for t in (range(len(b) - 1, -1, -1) if reverse else range(len(b))):
        state = a[t] * state + b[t]
        made[t] = state
    return numpy.moveaxis(made, 0, axis), state


class Recurrences(unittest.TestCase):
    def close(self, got, expected, dtype):
        self.assertEqual((got.shape, got.dtype), (expected.shape, numpy.dtype(dtype)))
        numpy.testing.assert_allclose(got, expected, *((2e-5, 2e-5) if dtype in ("float32", "complex64") else (1e-12, 1e-12)))

    def check(self, a, b, axis, dtype, **how):
        expected, last = loop(a, b, axis, **how)
        got, got_last = upsweep.linear_recurrence(a, b, axis, return_last=True, **how)
        self.close(got, expected, dtype)
        self.close(got_last, last, dtype)

    def test_types_axes_and_directions(self):
        for of_a, of_b in KINDS:
            for shape in SHAPES:
                a, b = states(shape, of_a), states(shape, of_b)
                for axis in range(-len(shape), len(shape)):
                    for reverse in (False, True):
                        with self.subTest(a=of_a, b=of_b, shape=shape, axis=axis, reverse=reverse):
                            self.check(a, b, axis, of_b, reverse=reverse)
                            self.check(a, b, axis, of_b, reverse=reverse, initial=states(loop(a, b, axis)[1].shape, of_b))

    def test_long_rows(self):
        for of_a, of_b in KINDS:
            for shape in [(1_000_003,), (3, 300_001)]:
                a, b = states(shape, of_a, 0.99), states(shape, of_b)
                for reverse in (False, True):
                    with self.subTest(a=of_a, b=of_b, shape=shape, reverse=reverse):
                        self.check(a, b, -1, of_b, reverse=reverse, initial=states(shape[:-1], of_b))

    def test_layouts(self):
        for shape in SHAPES:
            a, b = states(shape, "float64"), states(shape, "float64")
            for axis in range(len(shape)):
                expected, _ = loop(a, b, axis)
                for kind, (left, right) in enumerate(zip(layouts(a), layouts(b))):
                    with self.subTest(shape=shape, axis=axis, layout=kind):
                        self.close(upsweep.linear_recurrence(left, right, axis), expected, "float64")
                        self.close(upsweep.linear_recurrence(left, b, axis), expected, "float64")
                for kind, out in enumerate(layouts(numpy.zeros_like(b))):
                    if out.flags.writeable and out.dtype.isnative:
                        out[...] = 77
                        with self.subTest(shape=shape, axis=axis, out=kind):
                            self.assertIs(upsweep.linear_recurrence(a, b, axis, out=out), out)
                            self.close(out, expected, "float64")

    def test_out_that_overlaps(self):
        for shape in [(50, 40), (4001,)]:
            a, b = states(shape, "float32"), states(shape, "float32")
            expected, _ = loop(a, b, 0)
            for out in (a.copy(), b.copy()):
                left, right = (out, b) if (out == a).all() else (a, out)
                self.close(upsweep.linear_recurrence(left, right, 0, out=out), expected, "float32")
        whole = states((1001,), "float64")
        expected, _ = loop(whole[:-1], whole[1:], 0)
        self.close(upsweep.linear_recurrence(whole[:-1].copy(), whole[1:], out=whole[:-1]), expected, "float64")
        a = states((1000,), "float32")  # half as wide as the states
        wide = states((1000,), "complex64")
        a = wide.view("float32")[:1000]
        expected, _ = loop(a, wide, 0)
        self.close(upsweep.linear_recurrence(a, wide, out=wide), expected, "complex64")

    def test_broadcasts(self):
        a, b = states((5, 1), "float32", 0.9), states((3, 1, 70), "float32")
        for axis in range(-3, 3):
            self.check(a, b, axis, "float32")
        self.check(numpy.float32(0.5), b, 1, "float32", initial=2)
        self.check(states((70,), "float64"), numpy.float64(3), 0, "float64")

    def test_same_bits_on_any_number_of_threads(self):
        a, b = states((4, 200_001), "float32"), states((4, 200_001), "float32")
        for axis in (0, 1):
            made = []
            for threads in (1, 2, 3, 7):
                upsweep.set_num_threads(threads)
                made.append(upsweep.linear_recurrence(a, b, axis))
            upsweep.set_num_threads(None)
            self.assertTrue(all((each == made[0]).all() for each in made))

    def test_errors(self):
        x = numpy.ones((3, 4))
        for error, call in [
            (ValueError, lambda: upsweep.linear_recurrence(x, numpy.ones(3))),
            (ValueError, lambda: upsweep.linear_recurrence(numpy.float64(1), numpy.float64(1))),
            (ValueError, lambda: upsweep.linear_recurrence(x, x, initial=numpy.ones(4))),
            (ValueError, lambda: upsweep.linear_recurrence(x, x, out=numpy.ones(4))),
            (TypeError, lambda: upsweep.linear_recurrence(x, x, out=x.astype("f"))),
            (TypeError, lambda: upsweep.linear_recurrence(x, x, out=[1])),
            (TypeError, lambda: upsweep.linear_recurrence(x, x, initial=1j)),
            (TypeError, lambda: upsweep.linear_recurrence(x.astype(int), x)),
            (TypeError, lambda: upsweep.linear_recurrence(x.astype("f"), x)),
            (TypeError, lambda: upsweep.linear_recurrence(x, x.astype("F"))),
            (TypeError, lambda: upsweep.linear_recurrence(x + 1j, x)),
            (TypeError, lambda: upsweep.linear_recurrence(x.astype("e"), x.astype("e"))),
            (TypeError, lambda: upsweep.linear_recurrence(x, numpy.ma.masked_array(x, x > 2))),
            (numpy.exceptions.AxisError if hasattr(numpy, "exceptions") else numpy.AxisError, lambda: upsweep.linear_recurrence(x, x, 2)),
        ]:
            self.assertRaises(error, call)
        frozen = x.copy()
        frozen.flags.writeable = False
        self.assertRaises(ValueError, upsweep.linear_recurrence, x, x, out=frozen)


if __name__ == "__main__":
    unittest.main()
