# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module on arrays of a GPU, from PyTorch, CuPy and JAX, against NumPy. Needs a GPU; each library that is missing is skipped."""

import unittest

import numpy
import upsweep

import arrays
from arrays import OPERATORS, SHAPES, close, expected_scan

TYPES = ["int32", "int64", "float32", "float64"]


def library(name):
    try:
        return __import__(name)
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed") from None


class OnTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.torch = library("torch")

    def to(self, x):
        return self.torch.from_numpy(numpy.array(x)).cuda()

    def back(self, x):
        return x.cpu().numpy()

    def test_scans(self):
        for dtype in TYPES:
            for shape in SHAPES + [(1 << 20,), (3001, 1000), (100_000, 8)]:
                x = arrays.array(shape, dtype)
                y = self.to(x)
                for axis in range(-1, x.ndim):
                    for exclusive, reverse in [(0, 0), (0, 1), (1, 0), (1, 1)]:
                        with self.subTest(dtype=dtype, shape=shape, axis=axis, exclusive=exclusive, reverse=reverse):
                            got = upsweep.scan(y, axis=axis, exclusive=exclusive, reverse=reverse, initial=5 if exclusive else None,
                                               dtype=y.dtype)
                            close(self.back(got), expected_scan(x, numpy.add, axis, exclusive, reverse, 5), 1e-3)

    def test_operators(self):
        for dtype in TYPES:
            x = arrays.array((300, 200), dtype)
            for name in ["minimum", "maximum"] + (["multiplies"] if "f" in dtype else []):
                for axis in [0, 1]:
                    for reverse in [False, True]:
                        got = upsweep.scan(self.to(x), name, axis, reverse=reverse, dtype=self.to(x).dtype)
                        close(self.back(got), expected_scan(x, OPERATORS[name], axis, reverse=reverse), 1e-3)
            x = x[:40, :30]  # so that products stay finite
            for name in ["plus", "minimum", "maximum"] + (["multiplies"] if "f" in dtype else []):
                for axis in [None, 0, 1]:
                    got = self.back(upsweep.reduce(self.to(x), name, axis, dtype=self.to(x).dtype))
                    close(got, numpy.asarray(OPERATORS[name].reduce(x.astype("f8") if "f" in dtype else x, axis, dtype=None if "f" in dtype else dtype))
                          .astype(dtype), 1e-3)

    def test_defaults_of_numpy(self):
        for dtype in TYPES:
            x = arrays.array((40, 50), dtype)
            for axis in [None, 0, 1]:
                close(self.back(upsweep.cumsum(self.to(x), axis)), numpy.cumsum(x, axis), 1e-3)
        x = arrays.random.integers(0, 2, 999).astype(bool)
        close(self.back(upsweep.cumsum(self.to(x))), numpy.cumsum(x))

    def test_layouts_and_out(self):
        x = arrays.array((60, 70, 8), "int32")
        y = self.to(x)
        for order in [(0, 1, 2), (2, 0, 1), (1, 0, 2), (2, 1, 0)]:
            for axis in range(3):
                moved = y.permute(order) if hasattr(y, "permute") else y.transpose(order)
                expected = expected_scan(x.transpose(order), numpy.add, axis)
                close(self.back(upsweep.scan(moved, axis=axis, dtype=y.dtype)), expected)
                close(self.back(upsweep.scan(moved[::2, 1:], axis=axis, dtype=y.dtype)),
                      expected_scan(x.transpose(order)[::2, 1:], numpy.add, axis))
                out = self.to(x.transpose(order).copy())
                self.assertIs(upsweep.scan(moved, axis=axis, out=out), out)
                close(self.back(out), expected)
                upsweep.scan(out, axis=axis, out=out)
                close(self.back(out), expected_scan(expected, numpy.add, axis))

    def test_segments_and_keys(self):
        for dtype in TYPES:
            x = arrays.array(100_001, dtype)
            heads = numpy.unique(numpy.concatenate([[0], arrays.random.integers(0, len(x), 999)]))
            keys = numpy.searchsorted(heads, numpy.arange(len(x)), "right").astype("int32")
            expected = numpy.concatenate([numpy.cumsum(part, dtype="f8" if "f" in dtype else dtype) for part in numpy.split(x, heads[1:])])
            y = self.to(x)
            close(self.back(upsweep.segmented_scan(y, self.to(heads), dtype=y.dtype)), expected.astype(dtype), 1e-3)
            close(self.back(upsweep.scan_by_key(self.to(keys), y, dtype=y.dtype)), expected.astype(dtype), 1e-3)

    def test_others(self):
        for dtype in TYPES:
            x = arrays.array(50_001, dtype)
            y = self.to(x)
            close(self.back(upsweep.select(y, y > 1)), x[x > 1])
            few = (x % 5).astype(dtype)
            keep = numpy.concatenate([[True], few[1:] != few[:-1]])
            close(self.back(upsweep.unique(self.to(few))), few[keep])
            close(self.back(upsweep.sort(y)), numpy.sort(x))
            close(self.back(upsweep.argsort(self.to(few))), numpy.argsort(few, kind="stable"))
            close(self.back(upsweep.argsort(self.to(few), descending=True)),
                  (len(few) - 1 - numpy.argsort(few[::-1], kind="stable"))[::-1])
            rows = x[:50_000].reshape(100, 500)
            for axis in [0, 1]:
                close(self.back(upsweep.sort(self.to(rows), axis)), numpy.sort(rows, axis))
                close(self.back(upsweep.argsort(self.to(rows), axis)), numpy.argsort(rows, axis, kind="stable"))
            for bins, span in [(10, None), (256, (0, 2))]:
                counts, edges = upsweep.histogram(y, bins, span)
                expected, expected_edges = numpy.histogram(x, bins, span)
                numpy.testing.assert_array_equal(self.back(counts), expected)
                numpy.testing.assert_array_equal(edges, expected_edges)
            close(self.back(upsweep.summed_area_table(self.to(rows))), rows.cumsum(0).cumsum(1), 1e-3)

    def test_runs(self):
        for dtype in TYPES:
            x = numpy.repeat((arrays.array(10_001, dtype) * 10 % 5).astype(dtype), arrays.random.integers(0, 6, 10_001))
            heads = numpy.concatenate([[True], x[1:] != x[:-1]])
            starts = numpy.flatnonzero(heads)
            lengths = numpy.diff(starts, append=len(x))
            results = upsweep.unique(self.to(x), return_index=True, return_inverse=True, return_counts=True)
            for got, expected in zip(results, [x[heads], starts, numpy.cumsum(heads) - 1, lengths]):
                close(self.back(got), expected)
            for got, expected in zip(upsweep.run_length_encode(self.to(x)), [x[heads], lengths]):
                close(self.back(got), expected)
            values = arrays.random.integers(0, 9, len(x)).astype(dtype)
            keys, totals = upsweep.reduce_by_key(self.to(x), self.to(values))
            close(self.back(keys), x[heads])
            close(self.back(totals), numpy.add.reduceat(values, starts, dtype="int64" if "i" in dtype else dtype))

    def test_axes_and_halves(self):
        x = arrays.random.integers(0, 9, (30, 20, 10)).astype("float32")
        close(self.back(upsweep.cumsum(self.to(x), (2, 0))), x.cumsum(2).cumsum(0))
        close(self.back(upsweep.reduce(self.to(x), axis=(0, 2))), x.sum((0, 2)))
        half = x[:, :, 0].astype("float16")
        for axis in [0, 1]:
            close(self.back(upsweep.cumsum(self.to(half), axis)), half.cumsum(axis))
            close(self.back(upsweep.sort(self.to(half), axis)), numpy.sort(half, axis))

    def test_histograms(self):
        for dtype in TYPES:
            x = arrays.random.integers(0, 50, 20_001).astype(dtype)
            for edges in [[0, 10, 10, 20, 50], [10, 10], [0.5, 1.5, 49.0], [-numpy.inf, 7, numpy.inf]]:
                counts, found = upsweep.histogram(self.to(x), edges)
                expected, expected_edges = numpy.histogram(x, edges)
                numpy.testing.assert_array_equal(self.back(counts), expected)
                numpy.testing.assert_array_equal(found, expected_edges)
            density = upsweep.histogram(self.to(x), 9, density=True)[0]
            numpy.testing.assert_allclose(self.back(density), numpy.histogram(x, 9, density=True)[0])
        self.assertRaises(NotImplementedError, upsweep.histogram, self.to(x), weights=x)
        self.assertRaises(NotImplementedError, upsweep.histogram, self.to(x), "auto")
        self.assertRaises(ValueError, upsweep.histogram, self.to(numpy.array([1, numpy.nan])))
        self.assertRaises(TypeError, upsweep.select, self.to(x), self.to(numpy.arange(len(x))))

    def test_ranks_segments_and_merges(self):
        for dtype in TYPES:
            x = (arrays.array(50_001, dtype) * 100 % 97).astype(dtype)
            y, order = self.to(x), numpy.argsort(x, kind="stable")
            backward = (len(x) - 1 - numpy.argsort(x[::-1], kind="stable"))[::-1]
            for largest, of in [(True, backward), (False, order)]:
                values, indices = upsweep.top_k(y, 1000, largest=largest)
                close(self.back(indices), of[:1000])
                close(self.back(values), x[of[:1000]])
                moved = upsweep.top_k_pairs(y, self.to(numpy.arange(len(x))), 10, largest=largest)[1]
                close(self.back(moved), of[:10])
            for place in [0, 777, -1]:
                close(numpy.asarray(self.back(upsweep.nth_element(y, place))), numpy.asarray(x[order[place]]))
                close(numpy.asarray(self.back(upsweep.arg_nth_element(y, place))), numpy.asarray(order[place]))
            close(self.back(upsweep.sort_pairs(y, self.to(numpy.arange(len(x))))[1]), order)
            rows = x[:50_000].reshape(100, 500)
            for axis in [0, 1]:
                values, indices = upsweep.top_k(self.to(rows), 7, axis, largest=False)
                expected = numpy.take(numpy.argsort(rows, axis, kind="stable"), range(7), axis)
                close(self.back(indices), expected)
                close(self.back(values), numpy.take_along_axis(rows, expected, axis))
            offsets = numpy.sort(arrays.random.integers(0, len(x), 99))
            parts = numpy.split(x, offsets)
            close(self.back(upsweep.segmented_sort(y, self.to(offsets))), numpy.concatenate([numpy.sort(part) for part in parts]))
            begins = numpy.concatenate([[0], offsets])
            close(self.back(upsweep.segmented_argsort(y, self.to(offsets))),
                  numpy.concatenate([begin + numpy.argsort(part, kind="stable") for begin, part in zip(begins, parts)]))
            a, b = numpy.sort(x[:20_000]), numpy.sort(x[20_000:])
            both = numpy.concatenate([a, b])
            order = numpy.argsort(both, kind="stable")
            close(self.back(upsweep.merge(self.to(a), self.to(b))), both[order])
            places = numpy.arange(len(x))
            keys, moved = upsweep.merge_pairs(self.to(a), self.to(places[:20_000]), self.to(b), self.to(places[20_000:]))
            close(self.back(keys), both[order])
            close(self.back(moved), order)

    def test_box_filter(self):
        for dtype in TYPES:
            x = arrays.random.integers(0, 100, (3, 60, 70)).astype(dtype)
            for radius in [0, 2, arrays.random.integers(-1, 9, x.shape)]:
                on_gpu = radius if isinstance(radius, int) else self.to(radius)
                # A mean is a difference of sums up to 210,000, in doubles.
                close(self.back(upsweep.box_filter(self.to(x), on_gpu, repeat=2)), upsweep.box_filter(x, radius, repeat=2), 1e-3, 1e-9)
        self.assertRaises(TypeError, upsweep.box_filter, self.to(x), self.to(numpy.ones(x.shape, "float32")))
        self.assertRaises(ValueError, upsweep.box_filter, self.to(x), self.to(numpy.ones(3, "int32")))

    def test_errors(self):
        x = self.to(numpy.ones((3, 4), "float32"))
        self.assertRaises(ValueError, upsweep.top_k, x, 5)
        self.assertRaises(ValueError, upsweep.nth_element, x, 4)
        self.assertRaises(TypeError, upsweep.merge, x[0], self.to(numpy.ones(4, "int32")))
        self.assertRaises(upsweep.AxisError, upsweep.scan, x, axis=2)
        self.assertRaises(TypeError, upsweep.scan, x, "bit_and")
        self.assertRaises(TypeError, upsweep.scan, x, out=numpy.ones((3, 4), "float32"))
        self.assertRaises(ValueError, upsweep.scan, x, out=x[:2])
        self.assertRaises(TypeError, upsweep.scan, self.to(numpy.ones(3, "complex64")))


class OnCuPy(OnTorch):
    @classmethod
    def setUpClass(cls):
        cls.cupy = library("cupy")

    def to(self, x):
        return self.cupy.asarray(x)

    def back(self, x):
        return self.cupy.asnumpy(x)


class TorchAlone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.torch = library("torch")

    def test_the_callers_stream(self):
        """Work is queued between the caller's kernels without a wait: a long kernel before it produces its input."""
        torch = self.torch
        stream = torch.cuda.Stream()
        for _ in range(10):
            with torch.cuda.stream(stream):
                x = torch.zeros(1 << 22, device="cuda")
                torch.cuda._sleep(20_000_000)
                x += 1
                y = upsweep.cumsum(x, dtype=torch.float64)
                last = y[-1] * 2
            stream.synchronize()
            self.assertEqual(last.item(), 2 << 22)

    def test_no_synchronisation(self):
        torch = self.torch
        x = torch.ones(1 << 20, device="cuda")
        keys = torch.zeros(1 << 20, dtype=torch.int32, device="cuda")
        for _ in range(2):
            torch.cuda.synchronize()
            torch.cuda.set_sync_debug_mode("error")
            try:
                event = torch.cuda.Event()
                torch.cuda._sleep(400_000_000)
                upsweep.scan(x)
                upsweep.scan(x.reshape(1024, 1024), axis=0)
                upsweep.reduce(x)
                upsweep.sort(x)
                upsweep.scan_by_key(keys, x)
                event.record()
                self.assertFalse(event.query())
            finally:
                torch.cuda.set_sync_debug_mode("default")
        torch.cuda.synchronize()

    def test_graph(self):
        torch = self.torch
        x = torch.ones(100_000, device="cuda")
        out = torch.empty_like(x)
        upsweep.scan(x, out=out)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            upsweep.scan(x, out=out)
        x.fill_(2)
        graph.replay()
        self.assertEqual(out[-1].item(), 200_000)

    def test_tensors_of_the_cpu(self):
        x = arrays.array((50, 60), "float32")
        got = upsweep.cumsum(self.torch.from_numpy(x), 0)
        self.assertIsInstance(got, self.torch.Tensor)
        close(got.numpy(), x.cumsum(0), 1e-3)
        self.assertRaises(TypeError, upsweep.cumsum, self.torch.ones(3, requires_grad=True))
        self.assertEqual(upsweep.select(self.torch.arange(5), self.torch.arange(5) > 2).tolist(), [3, 4])


class OnJax(unittest.TestCase):
    def test_scans(self):
        jax = library("jax")
        x = arrays.array((300, 40), "float32")
        for device in jax.devices()[:1] + jax.devices("cpu")[:1]:
            y = jax.device_put(x, device) * 1
            got = upsweep.scan(y, axis=0)
            close(numpy.asarray(got), expected_scan(x, numpy.add, 0), 1e-3)
            if device.platform == "gpu":
                self.assertIsInstance(got, jax.Array)
                close(numpy.asarray(upsweep.sort(y[:, 0]) + 0), numpy.sort(x[:, 0]))
                self.assertRaises(TypeError, upsweep.scan, y, out=y)


if __name__ == "__main__":
    unittest.main()
