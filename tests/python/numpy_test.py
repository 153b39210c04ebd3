# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module's functions against NumPy's, for random arrays of all types, shapes, axes and layouts."""

import multiprocessing
import sys
import threading
import unittest

import numpy
import upsweep

import arrays
from arrays import FLOATS, INTEGERS, LENGTHS, SHAPES, SIGNED, TYPES, close, expected_scan, identity, operators



class Scans(unittest.TestCase):
    def test_each_operator_type_and_length(self):
        for dtype in TYPES:
            for name, function in operators(dtype):
                for n in LENGTHS if name == "plus" else [1, 65, 40_001]:
                    x = arrays.array(n, dtype) if name != "multiplies" or n < 100 else numpy.where(
                        arrays.random.integers(0, 2, n), 1, 0.9999 if "f" in dtype else 3).astype(dtype)
                    with self.subTest(dtype=dtype, op=name, n=n):
                        close(upsweep.scan(x, name, dtype=dtype), expected_scan(x, function, 0))

    def test_axes_directions_and_layouts(self):
        for dtype in [SIGNED, FLOATS[0]]:
            for shape in SHAPES:
                x = arrays.array(shape, dtype)
                for axis in range(-x.ndim, x.ndim):
                    for exclusive, reverse in [(0, 0), (0, 1), (1, 0), (1, 1)]:
                        expected = expected_scan(x, numpy.add, axis, exclusive, reverse, 5)
                        for kind, y in enumerate(arrays.layouts(x)):
                            with self.subTest(dtype=dtype, shape=shape, axis=axis, exclusive=exclusive, reverse=reverse, layout=kind):
                                got = upsweep.scan(y, axis=axis, exclusive=exclusive, reverse=reverse, initial=5 if exclusive else None,
                                                   dtype=dtype)
                                close(got, expected)

    def test_out_in_every_layout_and_in_place(self):
        for shape in SHAPES:
            x = arrays.array(shape, SIGNED)
            for axis in range(x.ndim):
                expected = expected_scan(x, numpy.add, axis)
                for kind, out in enumerate(arrays.layouts(numpy.zeros_like(x))):
                    if out.flags.writeable and out.dtype.isnative:
                        out[...] = 77
                        with self.subTest(shape=shape, axis=axis, layout=kind):
                            self.assertIs(upsweep.scan(x, axis=axis, out=out), out)
                            close(out, expected)
                y = x.copy()
                upsweep.scan(y, axis=axis, out=y)
                close(y, expected)

    def test_out_that_overlaps(self):
        whole = arrays.array(50_001, SIGNED)
        expected = expected_scan(whole[:-1], numpy.add, 0)
        close(upsweep.scan(whole[:-1], out=whole[1:]), expected)
        x = arrays.array(1000, SIGNED)
        expected = expected_scan(x, numpy.add, 0)
        close(upsweep.scan(x, out=x[::-1]), expected)

    def test_inputs_that_overlap_themselves(self):
        windows = numpy.lib.stride_tricks.sliding_window_view
        x, image = arrays.array(60, SIGNED), arrays.array((9, 12), SIGNED)
        for y in [windows(x, 7), windows(x, 7)[::-2], windows(x, 40)[:, ::3], windows(image, (3, 4)), windows(image, 5, 1),
                  numpy.broadcast_to(x, (3, 60))]:
            for axis in range(y.ndim):
                with self.subTest(shape=y.shape, strides=y.strides, axis=axis):
                    close(upsweep.scan(y, axis=axis, dtype=SIGNED), numpy.cumsum(y, axis, SIGNED))
                    close(upsweep.reduce(y, axis=axis, dtype=SIGNED), numpy.sum(y, axis, SIGNED))

    def test_masks_of_float16_are_refused_by_name(self):
        with self.assertRaises(TypeError) as caught:
            upsweep.select(numpy.ones(3, "e"), numpy.ones(3, "e"))
        self.assertIs(type(caught.exception), TypeError)
        self.assertIsNone(caught.exception.__context__)

    def test_defaults_of_numpy(self):
        for dtype in TYPES + ["bool"]:
            for shape in SHAPES:
                x = arrays.array(shape, dtype) if dtype != "bool" else arrays.random.integers(0, 2, shape).astype(bool)
                for axis in [None, *range(x.ndim)]:
                    with self.subTest(dtype=dtype, shape=shape, axis=axis):
                        close(upsweep.cumsum(x, axis), numpy.cumsum(x, axis))
                close(upsweep.cumsum(x, 0, numpy.float64), numpy.cumsum(x, 0, numpy.float64)) if "float64" in TYPES else None
        self.assertEqual(upsweep.cumsum([1, 2, 3]).tolist(), [1, 3, 6])
        self.assertEqual(upsweep.cumsum(numpy.int64(4)).tolist(), [4])

    def test_exclusive_begins_with_the_identity(self):
        for dtype in TYPES:
            for name, function in operators(dtype):
                x = arrays.array(40, dtype)
                close(upsweep.scan(x, name, exclusive=True, dtype=dtype),
                      expected_scan(x, function, 0, True, False, numpy.array(identity(name, dtype)).astype(dtype)))

    @unittest.skipIf("uint8" not in TYPES, "this build has no uint8, as which bools are scanned")
    def test_bools(self):
        x = arrays.random.integers(0, 2, (9, 70)).astype(bool)
        close(upsweep.scan(x, "bit_xor", 1), numpy.logical_xor.accumulate(x, 1))
        close(upsweep.scan(x, "maximum", 0), numpy.logical_or.accumulate(x, 0))

    def test_numbers_win_over_nans(self):
        x = numpy.array([2, numpy.nan, 1, numpy.nan, 3], FLOATS[0])
        close(upsweep.scan(x, "minimum"), numpy.fmin.accumulate(x))
        close(upsweep.scan(x, numpy.fmax), numpy.fmax.accumulate(x))

    def test_exclusive_minima_begin_with_infinities_and_totals_of_nans_are_nan(self):
        nan, inf = numpy.nan, numpy.inf
        for dtype in FLOATS:
            x = numpy.array([nan, 2, nan, 1], dtype)
            close(upsweep.scan(x, "minimum", exclusive=True), numpy.array([inf, inf, 2, 2], dtype))
            close(upsweep.scan(x, "maximum", exclusive=True), numpy.array([-inf, -inf, 2, 2], dtype))
            close(upsweep.scan(numpy.array([[3, nan], [nan, 1]], dtype), "minimum", 0, exclusive=True), numpy.array([[inf, inf], [3, inf]], dtype))
            close(upsweep.segmented_scan(x, [0, 2], "minimum", exclusive=True), numpy.array([inf, inf, inf, inf], dtype))
            nans = numpy.full((3, 2), nan, dtype)
            for axis in (None, 0, 1):
                close(upsweep.reduce(nans, "minimum", axis), numpy.fmin.reduce(nans, axis))
                close(upsweep.reduce(nans, "maximum", axis), numpy.fmax.reduce(nans, axis))

    def test_many_random_cases(self):
        for _ in range(300):
            dtype = arrays.random.choice(TYPES)
            shape = tuple(arrays.random.integers(1, [9, 30, 40, 70][: arrays.random.integers(1, 5)]))
            x = arrays.array(shape, dtype).transpose(arrays.random.permutation(len(shape)))
            axis = int(arrays.random.integers(-x.ndim, x.ndim))
            name, function = operators(dtype)[arrays.random.integers(0, len(operators(dtype)))]
            if name == "multiplies":
                x = x.astype("f") / x.astype("f") if "f" in dtype else x % 3
                x = x.astype(dtype)
            reverse = bool(arrays.random.integers(0, 2))
            with self.subTest(dtype=dtype, shape=shape, strides=x.strides, axis=axis, op=name, reverse=reverse):
                close(upsweep.scan(x, name, axis, reverse=reverse, dtype=dtype), expected_scan(x, function, axis, reverse=reverse))


    def test_columns_and_steps(self):
        """Long lines, which are scanned as rows of a copy."""
        whole = arrays.array((1000, 4), SIGNED)
        close(upsweep.scan(whole[:, 1], dtype=SIGNED), expected_scan(whole[:, 1], numpy.add, 0))
        out = numpy.zeros((1000, 4), SIGNED)
        for reverse in [False, True]:
            upsweep.scan(whole[:, 2:3], axis=0, reverse=reverse, out=out[:, 3:])
            close(out[:, 3:], expected_scan(whole[:, 2:3], numpy.add, 0, reverse=reverse))
        self.assertFalse(out[:, :3].any())


class Segments(unittest.TestCase):
    def expected(self, x, heads, function, exclusive, initial):
        made = numpy.empty(x.shape, x.dtype)
        for begin, end in zip(heads, [*heads[1:], len(x)]):
            made[begin:end] = expected_scan(x[begin:end], function, 0, exclusive, False, initial)
        return made

    def test_offsets_and_keys(self):
        for dtype in TYPES:
            for name, function in operators(dtype):
                for n in [1, 5, 1000, 70_001]:
                    x = numpy.ones(n, dtype) if name == "multiplies" else arrays.array(n, dtype)
                    heads = numpy.unique(numpy.concatenate([[0], arrays.random.integers(0, n, 1 + n // 50)]))
                    keys = (numpy.searchsorted(heads, numpy.arange(n), "right") % 7).astype(numpy.int32)
                    for exclusive in [False, True]:
                        expected = self.expected(x, heads, function, exclusive, 1 if exclusive else None)
                        initial = 1 if exclusive else None
                        with self.subTest(dtype=dtype, op=name, n=n, exclusive=exclusive):
                            close(upsweep.segmented_scan(x, heads, name, exclusive=exclusive, initial=initial, dtype=dtype), expected)
                            close(upsweep.scan_by_key(keys, x, name, exclusive=exclusive, initial=initial, dtype=dtype), expected)

    def test_out_with_gaps(self):
        x, out = numpy.ones(1000, SIGNED), numpy.zeros(2000, SIGNED)
        upsweep.segmented_scan(x, [0, 100, 900], out=out[::2])
        self.assertEqual(out[::2].tolist(), [*range(1, 101), *range(1, 801), *range(1, 101)])
        self.assertFalse(out[1::2].any())

    def test_edges(self):
        x = numpy.arange(6, dtype=SIGNED)
        self.assertEqual(upsweep.segmented_scan(x, [0, 3, 6]).tolist(), [0, 1, 3, 3, 7, 12])
        self.assertEqual(upsweep.segmented_scan(x, []).tolist(), [0, 1, 3, 6, 10, 15])
        self.assertEqual(upsweep.segmented_scan(x[:0], [0]).tolist(), [])
        self.assertEqual(upsweep.scan_by_key(x[:0], x[:0]).tolist(), [])
        for wrong in [[7], [-1]]:
            self.assertRaises(ValueError, upsweep.segmented_scan, x, wrong)
        self.assertRaises(TypeError, upsweep.segmented_scan, x, [0.5])
        self.assertRaises(ValueError, upsweep.scan_by_key, x[:3], x)
        self.assertRaises(ValueError, upsweep.scan_by_key, x.reshape(2, 3), x.reshape(2, 3))


class Reductions(unittest.TestCase):
    def test_axes(self):
        for dtype in TYPES:
            for shape in SHAPES + [(200_003,), (1000, 1000)]:
                x = arrays.array(shape, dtype)
                for axis in [None, *range(-x.ndim, x.ndim)]:
                    for kind, y in enumerate(arrays.layouts(x) if x.size < 5000 else [x]):
                        with self.subTest(dtype=dtype, shape=shape, axis=axis, layout=kind):
                            close(numpy.asarray(upsweep.reduce(y, axis=axis)), numpy.asarray(x.sum(axis)))
                            close(upsweep.reduce(y, axis=axis, keepdims=True), x.sum(axis, keepdims=True))
                            close(numpy.asarray(upsweep.reduce(y, "maximum", axis, initial=1)), numpy.asarray(x.max(axis, initial=1)))

    def test_operators(self):
        for dtype in TYPES:
            for name, function in operators(dtype):
                x = arrays.array((20, 33), dtype)
                for axis in [0, 1]:
                    close(upsweep.reduce(x, name, axis, dtype=dtype), function.reduce(x, axis, dtype=dtype))

    def test_none(self):
        self.assertEqual(upsweep.reduce(numpy.empty(0, SIGNED)), 0)
        self.assertEqual(upsweep.reduce(numpy.empty((0, 2), SIGNED), axis=0).tolist(), [0, 0])
        self.assertRaises(ValueError, upsweep.reduce, numpy.empty(0, SIGNED), "minimum")
        self.assertEqual(upsweep.reduce(numpy.empty(0, SIGNED), "minimum", initial=3), 3)
        out = numpy.zeros(3, numpy.int64)
        self.assertIs(upsweep.reduce(numpy.ones((2, 3), SIGNED), axis=0, out=out), out)
        self.assertEqual(out.tolist(), [2, 2, 2])


class Compactions(unittest.TestCase):
    def test_select(self):
        for dtype in TYPES + ["bool"] * ("uint8" in TYPES):
            for n in LENGTHS:
                x = arrays.array(n, dtype) if dtype != "bool" else arrays.random.integers(0, 2, n).astype(bool)
                for kept in [0, 0.5, 1]:
                    mask = arrays.random.uniform(0, 1, n) < kept
                    close(upsweep.select(x, mask), x[mask])
        x = arrays.array((30, 40), SIGNED).T
        close(upsweep.select(x, x > 5), x[x > 5])
        self.assertRaises(TypeError, upsweep.select, x, (x % 3).astype(SIGNED))
        self.assertRaises(TypeError, upsweep.select, x, numpy.ones(x.shape))
        self.assertRaises(ValueError, upsweep.select, x, x[0] > 5)

    def test_unique(self):
        for dtype in TYPES:
            for n in LENGTHS:
                x = numpy.repeat(arrays.array(n, dtype), 3)[:n]
                keep = numpy.ones(n, bool)
                keep[1:] = x[1:] != x[:-1]
                close(upsweep.unique(x), x[keep])
                close(upsweep.unique(numpy.sort(x)), numpy.unique(x))


class Sorts(unittest.TestCase):
    def test_sorts(self):
        for dtype in TYPES:
            for n in LENGTHS:
                for x in [arrays.array(n, dtype), (arrays.array(n, dtype) % 5).astype(dtype)]:
                    expected = numpy.argsort(x, kind="stable")
                    close(upsweep.sort(x), x[expected])
                    close(upsweep.argsort(x), expected)
                    backward = (n - 1 - numpy.argsort(x[::-1], kind="stable"))[::-1]
                    close(upsweep.argsort(x, descending=True), backward)
                    close(upsweep.sort(x, descending=True), x[backward])

    def test_axes(self):
        for shape in SHAPES:
            x = arrays.array(shape, SIGNED)
            for axis in [None, *range(-x.ndim, x.ndim)]:
                for y in arrays.layouts(x):
                    close(upsweep.sort(y, axis), numpy.sort(x, axis))
                    close(upsweep.argsort(y, axis), numpy.argsort(x, axis, kind="stable"))
        x = numpy.array([numpy.nan, 1, -numpy.inf, numpy.nan, 0], FLOATS[0])
        numpy.testing.assert_array_equal(upsweep.sort(x), numpy.sort(x))
        out = numpy.empty(5, FLOATS[0])
        self.assertIs(upsweep.sort(x, out=out), out)
        numpy.testing.assert_array_equal(out, numpy.sort(x))


class Others(unittest.TestCase):
    def test_histogram(self):
        for dtype in TYPES:
            for n in LENGTHS:
                x = arrays.array(n, dtype)
                for bins, span in [(10, None), (1, None), (257, (0, 50)), (10, (-3.3, 77.7)), ([0, 1, 5, 5.5, 100], None)]:
                    try:
                        expected, expected_edges = numpy.histogram(x, bins, span)
                    except ValueError:  # the numbers are too close for this many bins
                        self.assertRaises(ValueError, upsweep.histogram, x, bins, span)
                        continue
                    except IndexError:  # NumPy 1.24 divides by a range of denormal numbers; see test_denormal_ranges
                        continue
                    counts, edges = upsweep.histogram(x, bins, span)
                    with self.subTest(dtype=dtype, n=n, bins=bins, span=span):
                        numpy.testing.assert_array_equal(counts, expected)
                        numpy.testing.assert_array_equal(edges, expected_edges)
        for wrong in [dict(bins=0), dict(bins=[2, 1]), dict(range=(2, 1)), dict(range=(0, numpy.inf))]:
            self.assertRaises(ValueError, upsweep.histogram, x, **wrong)

    def test_denormal_ranges(self):
        """Ranges so small that division by a bin's width fails: NumPy 1.24 raises IndexError."""
        for bins in [2, 10]:
            self.assertRaises(ValueError, upsweep.histogram, numpy.array([0, 5e-324]), bins)
        x = numpy.arange(1000) * 5e-324
        self.assertEqual(upsweep.histogram(x, 999)[0].tolist(), [1] * 998 + [2])
        self.assertEqual(upsweep.histogram(x, [0, 5e-324, 1])[0].tolist(), [1, 999])

    def test_summed_area_table(self):
        for dtype in TYPES:
            for shape in [(1, 1), (0, 4), (5, 7), (100, 333), (3, 20, 30), (400, 1000)]:
                x = arrays.array(shape, dtype)
                close(upsweep.summed_area_table(x), x.cumsum(-1).cumsum(-2), 1e-3)
                close(upsweep.summed_area_table(x.swapaxes(-1, -2)), x.swapaxes(-1, -2).cumsum(-1).cumsum(-2), 1e-3)
        self.assertRaises(ValueError, upsweep.summed_area_table, numpy.zeros(3, SIGNED))


def sum_in_child(queue):
    queue.put(int(upsweep.cumsum(numpy.ones(1 << 20, SIGNED))[-1]))


class Calls(unittest.TestCase):
    def test_errors(self):
        x = numpy.ones((3, 4), SIGNED)
        axis_error = upsweep._host.AxisError
        for wrong in [2, -3]:
            self.assertRaises(axis_error, upsweep.scan, x, axis=wrong)
            self.assertRaises(axis_error, upsweep.sort, x, wrong)
            self.assertRaises(axis_error, upsweep.reduce, x, axis=wrong)
        for wrong in [dict(axis=0.5), dict(axis="a"), dict(out=[1]), dict(out=numpy.ones((3, 4), numpy.complex64)),
                      dict(dtype="O")]:
            self.assertRaises(TypeError, upsweep.scan, x, **wrong)
        for wrong in [dict(op="nothing"), dict(op=len), dict(out=numpy.ones((4, 3), SIGNED)), dict(initial=3),
                      dict(exclusive=True, initial=1 << 80), dict(exclusive=True, initial=0.5, dtype=SIGNED)]:
            self.assertRaises(ValueError, upsweep.scan, x, **wrong)
        frozen = numpy.zeros((3, 4), SIGNED)
        frozen.flags.writeable = False
        self.assertRaises(ValueError, upsweep.scan, x, out=frozen)
        for wrong in [numpy.ones(3, numpy.complex128), numpy.array(["a"]), numpy.array([None]),
                      numpy.ma.masked_array(x, x > 0), numpy.array(["2020"], "M8[D]")]:
            self.assertRaises(TypeError, upsweep.cumsum, wrong)
        self.assertRaises(TypeError, upsweep.scan, numpy.ones(3, FLOATS[0]), "bit_xor")
        self.assertRaises(TypeError, upsweep.scan, numpy.ones(3, FLOATS[0]), dtype=SIGNED)

    def test_gil_is_released(self):
        """This thread runs during a sort of another thread. Without switches by time, only a call that releases the GIL lets it."""
        x = arrays.array(6_000_000, INTEGERS[-1])
        state = ["before"]

        def sort():
            state[0] = "during"
            upsweep.sort(x)
            state[0] = "after"

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            for _ in range(100):  # this thread may wake after the sort has ended
                thread = threading.Thread(target=sort)
                thread.start()
                seen = state[0]
                thread.join()
                if seen == "during":
                    break
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(seen, "during")

    def test_threads(self):
        x = arrays.array(300_000, SIGNED)
        expected, wrong = numpy.cumsum(x), []
        work = lambda: [wrong.append(1) for _ in range(20) if not numpy.array_equal(upsweep.cumsum(x), expected)]
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(wrong)

    def test_after_fork(self):
        upsweep.cumsum(numpy.ones(1 << 20, SIGNED))  # starts the threads, which the child lacks
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=sum_in_child, args=(queue,))
        child.start()
        self.assertEqual(queue.get(timeout=60), 1 << 20)
        child.join()

    def test_types_here_are_those_of_the_stubs(self):
        for name in upsweep.__all__:
            self.assertTrue(hasattr(upsweep, name), name)


if __name__ == "__main__":
    unittest.main()
