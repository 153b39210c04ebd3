# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that are expressions, against Python loops over its own numbers, and functions of NumPy."""

import types
import unittest

import numpy
import upsweep
from upsweep import _arguments, _expression, _library

import arrays
from arrays import FLOATS, INTEGERS, LENGTHS, SHAPES, SIGNED, UNSIGNED, close, expected_scan

# x -> m x + c modulo 101 as m * 101 + c: the function a, then the function b. It is associative and does not commute.
AFFINE = "(a // 101) * (b // 101) % 101 * 101 + (a % 101 * (b // 101) + b % 101) % 101"


def affine(a, b):
    return (a // 101) * (b // 101) % 101 * 101 + (a % 101 * (b // 101) + b % 101) % 101


def fold(x, function, initial=None, exclusive=False, heads=()):
    """A sequential scan, which starts again at each head."""
    made, total, heads = [], initial, set(heads)
    for k, value in enumerate(x.tolist()):
        if k in heads:
            total = initial
        if exclusive:
            made.append(total)
        total = value if total is None else function(total, value)
        if not exclusive:
            made.append(total)
    return numpy.array(made, x.dtype)


class Scans(unittest.TestCase):
    def test_lengths_directions_and_initial_values(self):
        for n in LENGTHS + [32, 33, 63, 2047, 2048, 2049, 65_537]:  # around a lane, a block of lanes, and a lane of blocks
            x = arrays.random.integers(0, 101 * 101, n).astype(SIGNED)
            with self.subTest(n=n):
                expected = fold(x, affine)
                close(upsweep.scan(x, AFFINE, dtype=SIGNED), expected)
                close(upsweep.scan(x, AFFINE, exclusive=True, initial=202, dtype=SIGNED), fold(x, affine, 202, True))
                close(upsweep.scan(x, AFFINE, reverse=True, dtype=SIGNED), fold(x[::-1], affine)[::-1])
                close(upsweep.scan(x, AFFINE, reverse=True, exclusive=True, initial=7, dtype=SIGNED), fold(x[::-1], affine, 7, True)[::-1])
                out = x.copy()
                self.assertIs(upsweep.scan(out, AFFINE, out=out), out)
                close(out, expected)
                if n:
                    self.assertEqual(upsweep.reduce(x, AFFINE, dtype=SIGNED), expected[-1])
                    self.assertEqual(upsweep.reduce(x, AFFINE, initial=202, dtype=SIGNED), fold(x, affine, 202)[-1])

    def test_axes_and_layouts(self):
        for shape in SHAPES + [(3, 511), (3, 512), (2, 5000), (70, 600)]:
            x = arrays.random.integers(0, 101 * 101, shape).astype(SIGNED)
            for axis in range(x.ndim):
                expected = numpy.apply_along_axis(fold, axis, x, affine) if x.size else x
                for kind, y in enumerate(arrays.layouts(x) if x.size < 3000 else [x]):
                    with self.subTest(shape=shape, axis=axis, layout=kind):
                        close(upsweep.scan(y, AFFINE, axis, dtype=SIGNED), expected)
                        if x.shape[axis]:
                            close(upsweep.reduce(y, AFFINE, axis, dtype=SIGNED), numpy.take(expected, -1, axis))
                backward = upsweep.scan(x, AFFINE, axis, reverse=True, exclusive=True, initial=1, dtype=SIGNED)
                close(numpy.flip(backward, axis),
                      numpy.apply_along_axis(fold, axis, numpy.flip(x, axis), affine, 1, True) if x.size else x)

    def test_segments(self):
        for n in [1, 40, 2049, 70_001]:
            x = arrays.random.integers(0, 101 * 101, n).astype(SIGNED)
            for density in [0.001, 0.03, 0.5]:
                heads = numpy.flatnonzero(arrays.random.uniform(0, 1, n) < density)
                with self.subTest(n=n, density=density):
                    close(upsweep.segmented_scan(x, heads, AFFINE, dtype=SIGNED), fold(x, affine, heads=heads))
                    close(upsweep.segmented_scan(x, heads, AFFINE, exclusive=True, initial=5, dtype=SIGNED),
                          fold(x, affine, 5, True, heads))
                    keys = numpy.searchsorted(heads, numpy.arange(n), "right").astype(SIGNED)
                    close(upsweep.scan_by_key(keys, x, AFFINE, dtype=SIGNED), fold(x, affine, heads=heads))

    def test_same_as_the_operators(self):
        pairs = {"a + b": numpy.add, "a * b": numpy.multiply, "min(a, b)": numpy.fmin, "max(a, b)": numpy.fmax,
                 "a if a < b else b": numpy.fmin, "a & b": numpy.bitwise_and, "a | b": numpy.bitwise_or, "a ^ b": numpy.bitwise_xor}
        for dtype in arrays.TYPES:
            for text, function in pairs.items():
                if "f" not in dtype or text[2] not in "&|^":
                    x = arrays.array(3000 if text != "a * b" else 50, dtype)
                    close(upsweep.scan(x, text, dtype=dtype), expected_scan(x, function, 0))

    def test_integers_have_64_bits_as_in_sums(self):
        x = numpy.full(40, 3, INTEGERS[0])
        for given, wide in [(x, numpy.cumsum(x).dtype), (x > 0, numpy.int64)]:
            if upsweep._library.cpu.types >> _library.CODES["int64"] & 1:
                made = upsweep.scan(given, "a + b")
                self.assertEqual(made.dtype, wide)
                close(made, numpy.cumsum(given))

    def test_same_bits_for_every_number_of_threads(self):
        """The pool scans a long line in parallel. Of an array of two lines, each thread scans a whole one. The bits are the
        same."""
        x = arrays.array(300_001, FLOATS[0])
        close(upsweep.scan(numpy.stack([x, x]), "a + b")[1], upsweep.scan(x, "a + b"), 0)
        self.assertTrue((upsweep.scan(numpy.stack([x, x]), "a + b")[1] == upsweep.scan(x, "a + b")).all())


class Values(unittest.TestCase):
    """Each function of the language, once for each pair of values: scans of two elements."""

    EDGES = [0, 1, 2, 3, 7, 63, 64, 65, 1000]

    def each_pair(self, dtype):
        info = numpy.iinfo(dtype) if "f" not in dtype else None
        ends = [info.min, info.max, info.min + 1] if info else [-0.0, numpy.inf, -numpy.inf, numpy.nan, 0.3, -2.5, 1e-300, 1e300, -1e10]
        small = self.EDGES + ([] if dtype.startswith("u") else [-each for each in self.EDGES])
        small = [each for each in small if not info or info.min <= each <= info.max]
        with numpy.errstate(over="ignore"):  # 1e300 as float32
            values = numpy.array(small + ends, dtype)
        return numpy.stack(numpy.meshgrid(values, values), -1).reshape(-1, 2)

    def check(self, dtype, text, function, keep=None):
        pairs = self.each_pair(dtype)
        if keep is not None:
            pairs = pairs[keep(pairs)]
        with numpy.errstate(all="ignore"):
            expected = numpy.asarray(function(pairs[:, 0], pairs[:, 1])).astype(dtype)
        for columns in [pairs, numpy.asfortranarray(pairs)]:
            got = upsweep.reduce(columns, text, 1, dtype=dtype)
            with self.subTest(dtype=dtype, text=text):
                numpy.testing.assert_array_equal(got, expected)

    def test_of_all_types(self):
        for dtype in arrays.TYPES:
            for text, function in [("a + b", numpy.add), ("a - b", numpy.subtract), ("a * b", numpy.multiply), ("-a", lambda a, b: -a),
                                   ("abs(b)", lambda a, b: abs(b)), ("a < b", numpy.less), ("a <= b", numpy.less_equal),
                                   ("a > b", numpy.greater), ("a >= b", numpy.greater_equal), ("a == b", numpy.equal),
                                   ("a != b", numpy.not_equal), ("not a", lambda a, b: a == 0), ("min(a, b)", numpy.fmin),
                                   ("max(a, 3, b)", lambda a, b: numpy.fmax(numpy.fmax(a, numpy.asarray(3, dtype)), b)),
                                   ("a if a < b else b + 1", lambda a, b: numpy.where(a < b, a, b + numpy.asarray(1, dtype))),
                                   ("a and b", lambda a, b: numpy.where(a != 0, b, a)), ("a or b", lambda a, b: numpy.where(a != 0, a, b)),
                                   ("a // b if b else 5", lambda a, b: numpy.where(b != 0, numpy.floor_divide(a, b), numpy.asarray(5, dtype))),
                                   ("b and a % b", lambda a, b: numpy.where(b != 0, numpy.remainder(a, b), b)),
                                   ("1 if not b else a % b if a else 2 // b + 3",
                                    lambda a, b: numpy.where(b == 0, 1, numpy.where(a != 0, numpy.remainder(a, b), numpy.floor_divide(numpy.asarray(2, dtype), b) + numpy.asarray(3, dtype))))]:
                self.check(dtype, text, function)

    def test_divisions(self):
        for dtype in INTEGERS:
            nonzero = lambda pairs: pairs[:, 1] != 0
            self.check(dtype, "a // b", numpy.floor_divide, nonzero)
            self.check(dtype, "a % b", numpy.remainder, nonzero)
        for dtype in FLOATS:
            self.check(dtype, "a / b", numpy.divide)
            self.check(dtype, "a // b", numpy.floor_divide)
            self.check(dtype, "a % b", numpy.remainder)

    def test_bits(self):
        for dtype in INTEGERS:
            for text, function in [("a & b", numpy.bitwise_and), ("a | b", numpy.bitwise_or), ("a ^ b", numpy.bitwise_xor),
                                   ("~a", lambda a, b: ~a), ("a << b", numpy.left_shift), ("a >> b", numpy.right_shift)]:
                self.check(dtype, text, function)

    def test_functions_of_floats(self):
        for dtype in FLOATS:
            x = arrays.array((500, 2), dtype)
            for text, function in [("sqrt(b)", numpy.sqrt), ("exp(b)", numpy.exp), ("log(b)", numpy.log), ("log1p(b)", numpy.log1p)]:
                numpy.testing.assert_allclose(upsweep.reduce(x, text, 1), function(x[:, 1]), 1e-5 if dtype == "float32" else 1e-14)
            x = x[:, 0]
            numpy.testing.assert_allclose(upsweep.scan(x, "max(a, b) + log1p(exp(-abs(a - b)))"), numpy.logaddexp.accumulate(x), 1e-4)


class Errors(unittest.TestCase):
    def test_texts(self):
        x = numpy.ones(3, SIGNED)
        for wrong in ["", "a +", "a b", "c", "a.real", "a[0]", "f(a)", "__import__('os').getpid()", "(lambda: a)()", "[a]", "a if b", "a ** b",
                      "0 < a < b", "a := b", "'a'", "a + True", "a + None", "max(a)", "abs(a, b)", "max(*a)", "max(a, key=b)", "a + 1j", "+a",
                      "a" + " + b" * 200, "(" * 240 + "a" + ")" * 240, " + ".join(["a"] * 130), "a; b", "a\0b", "plus(a, b)", "99999999999999999999 * a",
                      "+".join(f"{k}*a" for k in range(2, 20)), "a+(b+(" * 17 + "a" + "))" * 17, "nothing"]:
            with self.subTest(text=wrong):
                self.assertRaises(ValueError, upsweep.scan, x, wrong)
        self.assertRaises(ValueError, upsweep.scan, numpy.ones(3, UNSIGNED), "a + b * -1")
        self.assertRaises(ValueError, upsweep.scan, x, lambda a, b: a)

    def test_types(self):
        for wrong in ["a / b", "a + 0.5", "sqrt(a)", "exp(a)", "log(a)", "log1p(a)"]:
            self.assertRaises(TypeError, upsweep.scan, numpy.ones(3, SIGNED), wrong)
        for wrong in ["a & b", "a | b", "a ^ b", "~a", "a << b", "a >> b"]:
            self.assertRaises(TypeError, upsweep.scan, numpy.ones(3, FLOATS[0]), wrong)

    def test_divisions_by_zero(self):
        for n in [2, 3000, 100_000]:
            x = numpy.ones(n, SIGNED)
            x[n // 2] = 0
            for wrong in ["a // b", "a % b", "b // (a - a)"]:
                self.assertRaises(ZeroDivisionError, upsweep.scan, x, wrong)
                self.assertRaises(ZeroDivisionError, upsweep.reduce, numpy.stack([x, x]), wrong, 1)
            self.assertRaises(ZeroDivisionError, upsweep.segmented_scan, x, [0], "a % b")
            # A division across the start of a segment contributes to no result.
            self.assertEqual(upsweep.segmented_scan(x, [n // 2], "b % a if a < 0 else a // b")[n // 2 :].tolist()[:1], [0])

    def test_no_element_and_no_identity(self):
        x = numpy.ones((3, 4), SIGNED)
        self.assertRaises(ValueError, upsweep.scan, x, "a + b", exclusive=True)
        self.assertRaises(ValueError, upsweep.segmented_scan, x[0], [0], "a + b", exclusive=True)
        self.assertRaises(ValueError, upsweep.scan, x, "a + b", initial=1)
        self.assertRaises(ValueError, upsweep.reduce, x[:0], "a + b", 0)
        self.assertEqual(upsweep.reduce(x[:0], "a + b", 0, initial=4).tolist(), [4] * 4)
        self.assertEqual(upsweep.reduce(x[:, :0], "a + b", 0).tolist(), [])

    def test_arrays_of_gpus(self):
        """Arrays of GPUs have no expressions. The test needs no GPU."""
        space = types.SimpleNamespace(library=object())
        self.assertEqual(_arguments.operator_of("plus", space), _library.PLUS)
        self.assertRaises(NotImplementedError, _arguments.operator_of, "a + b", space)

    def test_instructions_that_no_text_gives(self):
        """The library validates its arguments, too."""
        import ctypes

        x = numpy.ones(4, SIGNED)
        call = _library.Scan(1, 4, 1, 4, 1, 4, 1, x.ctypes.data, x.ctypes.data, 0, 0, _library.CODES[SIGNED], -1, 0, 0, 0, -1, 0)
        code = _expression.INSTRUCTIONS
        for wrong in [[], [code["first"]] * 2, [code["add"]], [code["constant"]], [code["first"], code["constant"] | 5 << 8, code["add"]],
                      [200], [code["first"], code["sqrt"]], [code["first"]] * 17 + [code["add"]] * 16]:
            words = (ctypes.c_uint32 * max(1, len(wrong)))(*wrong)
            message = _library.cpu.scan_by(call, _expression._pack(ctypes.addressof(words), 0, len(wrong), 0))
            self.assertTrue(message and message.startswith((b"value: ", b"type: ")), wrong)


if __name__ == "__main__":
    unittest.main()
