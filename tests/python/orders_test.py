# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts of pairs and of segments, the first few elements of a sort, merges and filters of NumPy arrays, against NumPy."""

import unittest

import numpy
import upsweep

import arrays
from arrays import FLOATS, LENGTHS, SHAPES, SIGNED, TYPES, close



def stable_order(x, descending):
    """The indices of a stable sort along the last axis."""
    if not descending:
        return numpy.argsort(x, -1, kind="stable")
    return numpy.flip(x.shape[-1] - 1 - numpy.argsort(numpy.flip(x, -1), -1, kind="stable"), -1)


def samples(shape, dtype):
    """Arrays of all values, of few different ones, and of a single one; floats also with NaNs and infinities."""
    yield arrays.array(shape, dtype)
    few = (arrays.array(shape, dtype) * 7 % 5).astype(dtype)
    yield few
    yield numpy.ones(shape, dtype)
    if numpy.dtype(dtype).kind == "f":
        odd = arrays.array(shape, dtype)
        odd[arrays.random.uniform(0, 1, shape) < 0.2] = numpy.nan
        odd[arrays.random.uniform(0, 1, shape) < 0.2] = -numpy.inf
        yield odd


def same(got, expected):
    """Equal values, NaNs included, of the same type."""
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape), (got.dtype, got.shape, expected.dtype, expected.shape)
    numpy.testing.assert_array_equal(got, expected)


class ShortSorts(unittest.TestCase):
    """Short arrays in one dimension are sorted in a copy."""

    def test_arrays(self):
        for dtype in [*TYPES, "bool"] if "uint8" in TYPES else TYPES:
            for n in [0, 1, 2, 33, 4095, 4096, 4097]:
                for x in samples(n, "uint8" if dtype == "bool" else dtype):
                    x = x.astype(dtype)
                    kept = x.copy()
                    same(upsweep.sort(x), numpy.sort(x))
                    same(upsweep.sort(x, descending=True), x[stable_order(x, True)])
                    same(x, kept)

    def test_other_layouts(self):
        x = arrays.array(600, "float64")
        x.flags.writeable = False
        for each in [x, x[::3], x[::-1], x.astype(">f8"), memoryview(x), x.view(numpy.recarray), list(x)]:
            same(numpy.asarray(upsweep.sort(each)), numpy.sort(x[::3] if numpy.shape(each) == (200,) else x))
        with self.assertRaises(TypeError):
            upsweep.sort(numpy.ma.masked_array(x))
        with self.assertRaises(TypeError):
            upsweep.sort(x.astype(complex))


class Ranks(unittest.TestCase):
    def test_top_k(self):
        for dtype in TYPES:
            for n in LENGTHS:
                for x in samples(n, dtype) if n < 100_000 else [arrays.array(n, dtype)]:
                    for k in sorted({0, min(1, n), min(9, n), n // 2, n}):
                        for largest in [True, False]:
                            with self.subTest(dtype=dtype, n=n, k=k, largest=largest):
                                values, indices = upsweep.top_k(x, k, largest=largest)
                                expected = stable_order(x, largest)[:k]
                                same(indices, expected)
                                same(values, x[expected])

    def test_nth_element(self):
        for dtype in TYPES:
            for n in LENGTHS[1:]:
                for x in samples(n, dtype) if n < 100_000 else [arrays.array(n, dtype)]:
                    for place in sorted({0, n // 3, n - 1, -1, -n}):
                        for descending in [False, True]:
                            expected = stable_order(x, descending)[place]
                            same(upsweep.nth_element(x, place, descending=descending), x[expected])
                            same(upsweep.arg_nth_element(x, place, descending=descending), expected)

    def test_axes(self):
        for shape in SHAPES + [(2000, 50), (3, 70_000)]:
            x = (arrays.array(shape, SIGNED) % 11).astype(SIGNED)
            for axis in [None, *range(-x.ndim, x.ndim)]:
                flat = x.reshape(-1) if axis is None else numpy.moveaxis(x, axis, -1)
                length = flat.shape[-1]
                for y in arrays.layouts(x) if x.size < 1000 else [x]:
                    k = min(3, length)
                    values, indices = upsweep.top_k(y, k, axis)
                    back = (lambda made: made) if axis is None else (lambda made: numpy.moveaxis(made, -1, axis))
                    expected = stable_order(flat, True)[..., :k]
                    same(indices, back(expected))
                    same(values, back(numpy.take_along_axis(flat, expected, -1)))
                    if length:
                        expected = stable_order(flat, False)[..., length // 2]
                        same(numpy.asarray(upsweep.arg_nth_element(y, length // 2, axis)), numpy.asarray(expected))
                        same(numpy.asarray(upsweep.nth_element(y, length // 2, axis)), numpy.asarray(numpy.sort(flat)[..., length // 2]))

    def test_values_of_any_type(self):
        for values in [numpy.arange(50) * 1j, numpy.array([f"name {i}" for i in range(50)]), list(range(50)), numpy.arange(50, dtype=numpy.float16)]:
            keys = arrays.array(50, SIGNED)
            order = stable_order(keys, True)[:7]
            got, moved = upsweep.top_k_pairs(keys, values, 7)
            same(got, keys[order])
            same(moved, numpy.asarray(values)[order])
        keys, values = arrays.array((30, 40), SIGNED), arrays.array((30, 40), FLOATS[0])
        got, moved = upsweep.top_k_pairs(keys, values, 5, 0, largest=False)
        order = numpy.argsort(keys, 0, kind="stable")[:5]
        same(got, numpy.take_along_axis(keys, order, 0))
        same(moved, numpy.take_along_axis(values, order, 0))

    def test_bools(self):
        if "uint8" not in TYPES:
            self.skipTest("this build has no bytes")
        x = arrays.random.integers(0, 2, 100).astype(bool)
        values, indices = upsweep.top_k(x, 60)
        same(indices, stable_order(x, True)[:60])
        same(values, x[indices])
        same(upsweep.merge(numpy.sort(x), numpy.sort(x)), numpy.sort(numpy.concatenate([x, x])))

    def test_errors(self):
        x = numpy.ones((3, 4), SIGNED)
        for wrong in [-1, 5]:
            self.assertRaisesRegex(ValueError, f"k is {wrong}, but there are 4", upsweep.top_k, x, wrong)
            self.assertRaises(ValueError, upsweep.top_k_pairs, x, x, wrong)
        for wrong in [-5, 4]:
            self.assertRaisesRegex(ValueError, f"n is {wrong}, but there are 4", upsweep.nth_element, x, wrong)
            self.assertRaises(ValueError, upsweep.arg_nth_element, x, wrong)
        self.assertRaises(ValueError, upsweep.nth_element, numpy.empty(0, SIGNED), 0)
        for function in [upsweep.top_k, upsweep.nth_element, upsweep.arg_nth_element]:
            self.assertRaises(TypeError, function, x, 0.5)
            self.assertRaises(upsweep._host.AxisError, function, x, 0, 2)
            self.assertRaises(TypeError, function, numpy.ones(3, numpy.complex64), 1)
        self.assertRaisesRegex(ValueError, r"values have shape \(4,\)", upsweep.top_k_pairs, x, x[0], 1)


class SortsOfPairs(unittest.TestCase):
    def test_sort_pairs(self):
        for dtype in TYPES:
            for n in LENGTHS:
                for keys in samples(n, dtype):
                    values = arrays.random.uniform(0, 1, n)
                    for descending in [False, True]:
                        order = stable_order(keys, descending)
                        got, moved = upsweep.sort_pairs(keys, values, descending=descending)
                        same(got, keys[order])
                        same(moved, values[order])
        keys, values = arrays.array((20, 30, 4), SIGNED), arrays.array((20, 30, 4), FLOATS[0])
        for axis in range(-3, 3):
            got, moved = upsweep.sort_pairs(keys, values, axis)
            same(got, numpy.sort(keys, axis))
            same(moved, numpy.take_along_axis(values, numpy.argsort(keys, axis, kind="stable"), axis))
        self.assertRaises(ValueError, upsweep.sort_pairs, keys, values[0])

    def test_rows(self):
        """The library sorts many short rows and few long ones separately."""
        for shape in [(100_000, 3), (3000, 100), (5, 70_000), (2, 300_000)]:
            x = arrays.array(shape, SIGNED)
            for descending in [False, True]:
                order = stable_order(x, descending)
                same(upsweep.argsort(x, descending=descending), order)
                same(upsweep.sort(x, descending=descending), numpy.take_along_axis(x, order, -1))

    def test_out(self):
        x = arrays.array((50, 60), SIGNED)
        expected, order = numpy.sort(x, -1), numpy.argsort(x, -1, kind="stable")
        for out in [numpy.empty_like(x), numpy.empty_like(x.T).T, x.copy()]:
            self.assertIs(upsweep.sort(x, out=out), out)
            same(out, expected)
        out = x.astype(numpy.int64)
        self.assertIs(upsweep.argsort(out, out=out), out)
        same(out, order)
        out = x.copy()
        upsweep.sort(out[:, :-1], out=out[:, 1:])
        same(out[:, 1:], numpy.sort(x[:, :-1], -1))


class Segments(unittest.TestCase):
    def offsets(self, n):
        yield [], [0, n]
        yield [0, n], [0, n]
        yield [n // 2, n // 3, n // 3], sorted([0, n // 2, n // 3, n])
        many = arrays.random.integers(0, n + 1, 1 + n // 7)
        yield many, numpy.concatenate([[0], numpy.sort(many), [n]])

    def test_segmented_sorts(self):
        for dtype in TYPES:
            for n in LENGTHS + [600_000]:
                for x in samples(n, dtype) if n < 10_000 else [arrays.array(n, dtype)]:
                    for offsets, bounds in self.offsets(n):
                        parts = list(zip(bounds, bounds[1:]))
                        for descending in [False, True]:
                            order = [begin + stable_order(x[begin:end], descending) for begin, end in parts] if len(parts) < 1000 else None
                            if order is None:  # by two sorts
                                order = stable_order(x, descending)
                                part_of = numpy.searchsorted(bounds[1:-1], numpy.arange(n), "right")
                                order = [order[numpy.argsort(part_of[order], kind="stable")]]
                            order = numpy.concatenate(order).astype(numpy.int64)
                            same(upsweep.segmented_sort(x, offsets, descending=descending), x[order])
                            same(upsweep.segmented_argsort(x, offsets, descending=descending), order)

    def test_out(self):
        x = arrays.array(100, SIGNED)
        expected = numpy.concatenate([numpy.sort(x[:30]), numpy.sort(x[30:])])
        for out in [numpy.empty_like(x), x.copy(), numpy.empty(200, SIGNED)[::2]]:
            self.assertIs(upsweep.segmented_sort(x, [30], out=out), out)
            same(out, expected)
        out = numpy.empty(100, numpy.int64)
        self.assertIs(upsweep.segmented_argsort(x, [30], out=out), out)
        same(x[out], expected)

    def test_errors(self):
        x = numpy.arange(5, dtype=SIGNED)
        for function in [upsweep.segmented_sort, upsweep.segmented_argsort]:
            self.assertRaises(ValueError, function, x, [6])
            self.assertRaises(ValueError, function, x, [-1])
            self.assertRaises(TypeError, function, x, [0.5])
            self.assertRaises(ValueError, function, x.reshape(5, 1), [1])
            self.assertRaises(ValueError, function, x, [1], out=numpy.empty(4, SIGNED))
        self.assertRaises(TypeError, upsweep.segmented_argsort, x, [1], out=numpy.empty(5, FLOATS[0]))


class Merges(unittest.TestCase):
    def test_merges(self):
        for dtype in TYPES:
            for n in LENGTHS:
                for m in {0, 1, n // 2, n}:
                    for x, y in zip(samples(n, dtype), samples(m, dtype)):
                        for descending in [False, True]:
                            a, b = x[stable_order(x, descending)], y[stable_order(y, descending)]
                            both = numpy.concatenate([a, b])
                            order = stable_order(both, descending)
                            same(upsweep.merge(a, b, descending=descending), both[order])
                            values = numpy.arange(n + m)
                            got, moved = upsweep.merge_pairs(a, values[:n], b, values[n:], descending=descending)
                            same(got, both[order])
                            same(moved, values[order])

    def test_zeros_are_alike(self):
        _, moved = upsweep.merge_pairs(numpy.array([0.0, -0.0]), [0, 1], numpy.array([-0.0, 0.0]), [2, 3])
        self.assertEqual(moved.tolist(), [0, 1, 2, 3])

    def test_out(self):
        a, b = numpy.arange(0, 10, 2, dtype=SIGNED), numpy.arange(1, 11, 2, dtype=SIGNED)
        expected = numpy.arange(10, dtype=SIGNED)
        for out in [numpy.empty(10, SIGNED), numpy.empty(20, SIGNED)[::2]]:
            self.assertIs(upsweep.merge(a, b, out=out), out)
            same(out, expected)
        for halves in [(slice(0, 5), slice(5, 10)), (slice(5, 10), slice(0, 5)), (slice(1, 6), slice(5, 10))]:  # `out` has the inputs
            out = numpy.arange(10, dtype=SIGNED)
            expected = numpy.sort(numpy.concatenate([out[half] for half in halves]))
            upsweep.merge(*[out[half] for half in halves], out=out)
            same(out, expected)

    def test_errors(self):
        a = numpy.arange(3, dtype=SIGNED)
        self.assertRaises(TypeError, upsweep.merge, a, a.astype(FLOATS[0]))
        self.assertRaises(ValueError, upsweep.merge, a, a.reshape(1, 3))
        self.assertRaises(ValueError, upsweep.merge, a, a, out=numpy.empty(5, SIGNED))
        self.assertRaises(ValueError, upsweep.merge_pairs, a, [1, 2], a, a)
        self.assertRaises(ValueError, upsweep.merge_pairs, a, a, a, [1, 2])
        self.assertRaises(TypeError, upsweep.merge, a, a, out=[1] * 6)


def filtered(x, radius):
    """The means by loops over pixels, of integers rounded to the nearest one, halves up."""
    height, width = x.shape
    radius = numpy.broadcast_to(radius, x.shape)
    made = numpy.empty_like(x)
    for y in range(height):
        for column in range(width):
            r = max(0, int(radius[y, column]))
            box = x[max(0, y - r):y + r + 1, max(0, column - r):column + r + 1]
            if x.dtype.kind == "f":
                made[y, column] = box.astype(numpy.float64).mean()
            else:
                total, n = sum(map(int, box.ravel())), box.size
                made[y, column] = (2 * total + n) // (2 * n)
    return made


class Filters(unittest.TestCase):
    def image(self, shape, dtype):
        if numpy.dtype(dtype).kind == "f":
            return arrays.array(shape, dtype)
        return arrays.random.integers(-100 if dtype[0] == "i" else 0, 120, shape).astype(dtype)

    def test_filters(self):
        for dtype in TYPES:
            for shape in [(1, 1), (1, 9), (9, 1), (13, 17), (40, 33)]:
                x = self.image(shape, dtype)
                for radius in [0, 1, 2, 5, 1000]:
                    close(upsweep.box_filter(x, radius), filtered(x, radius), 1e-3)
                close(upsweep.box_filter(x, numpy.int64(2), repeat=3), filtered(filtered(filtered(x, 2), 2), 2), 1e-3)
                radii = arrays.random.integers(-2, 7, shape)
                close(upsweep.box_filter(x, radii), filtered(x, radii), 1e-3)
                close(upsweep.box_filter(x.T, radii.T.astype(numpy.int8)), filtered(x.T, radii.T), 1e-3)

    def test_images_and_out(self):
        x = self.image((5, 20, 30), FLOATS[0])
        expected = numpy.stack([filtered(image, 3) for image in x])
        close(upsweep.box_filter(x, 3), expected)
        for out in [numpy.empty_like(x), x.copy(), numpy.empty((20, 30, 5), x.dtype).transpose(2, 0, 1)]:
            self.assertIs(upsweep.box_filter(x, 3, out=out), out)
            close(out, expected)
        upsweep.box_filter(x, 3, out=x)
        close(x, expected)
        for shape in [(0, 4), (4, 0), (0, 3, 3)]:
            self.assertEqual(upsweep.box_filter(numpy.empty(shape, SIGNED), 1).shape, shape)

    def test_types(self):
        x = self.image((8, 9), SIGNED)
        close(upsweep.box_filter(x, 1, dtype=FLOATS[0]), filtered(x.astype(FLOATS[0]), 1))
        out = numpy.empty((8, 9), FLOATS[0])
        self.assertIs(upsweep.box_filter(x, 1, out=out), out)
        close(out, filtered(x.astype(FLOATS[0]), 1))
        close(upsweep.box_filter(x > 0, 1, dtype=FLOATS[0]), filtered((x > 0).astype(FLOATS[0]), 1))

    def test_errors(self):
        x = numpy.ones((3, 4), FLOATS[0])
        for wrong in [dict(radius=-1), dict(radius=1, repeat=0), dict(radius=numpy.ones((4, 3), int)), dict(radius=1, out=numpy.empty((4, 3), FLOATS[0]))]:
            self.assertRaises(ValueError, upsweep.box_filter, x, **wrong)
        for wrong in [dict(radius=1.5), dict(radius=numpy.ones((3, 4))), dict(radius="a"), dict(radius=1, repeat=1.5), dict(radius=1, dtype=SIGNED)]:
            self.assertRaises(TypeError, upsweep.box_filter, x, **wrong)
        self.assertRaises(ValueError, upsweep.box_filter, x[0], 1)
        self.assertRaises(TypeError, upsweep.box_filter, x > 0, 1)


if __name__ == "__main__":
    unittest.main()
