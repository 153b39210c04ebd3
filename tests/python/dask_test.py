# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.dask against the module's calls on the whole array, which the other tests compare with NumPy. Skipped without Dask."""

import doctest
import importlib.util
import inspect
import os
import re
import sys
import unittest
import warnings

import numpy
import upsweep

if not importlib.util.find_spec("dask"):
    print("skipped: no Dask here (pip install 'dask[array,distributed]' xarray; UPSWEEP_TEST_PYPI=1 does so)")
    sys.exit(77)

import dask
import dask.array
import upsweep.dask
from parts import HERE, TYPES, division, elements, finite_products, generator, has_histogram, require_close, require_equal, require_examples, require_stubs

ROUNDS = 40


def blocks(rng, x, unknown=False):
    """x as a Dask array with random chunks along all axes, or along one axis of unknown lengths."""
    chunks = tuple(tuple(division(rng, n, int(rng.integers(1, 7)))) for n in x.shape)
    made = dask.array.from_array(x, chunks=chunks)
    if unknown:
        made._chunks = tuple((float("nan"),) * len(each) for each in made.chunks)
    return made


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rng = generator("dask")
        dask.config.set(scheduler="threads")

    def arrays(self, dimensions=1):
        for k in range(ROUNDS):
            dtype = TYPES[k % len(TYPES)]
            shape = tuple(int(n) for n in self.rng.choice([0, 1, 2, 7, 60, 1000 if dimensions == 1 else 20], dimensions))
            x = elements(self.rng, int(numpy.prod(shape)), dtype).reshape(shape)
            d = blocks(self.rng, x, dimensions == 1 and k % 4 == 0)
            self.what = f"{dtype} {shape} {d.chunks}"
            yield x, d

    def require(self, got, want, close=False):
        self.assertIsInstance(got, dask.array.Array)
        made = numpy.asarray(got.compute())
        self.assertEqual(got.dtype, made.dtype)
        self.assertEqual(len(got.shape), made.ndim)
        self.assertTrue(all(a == b or a != a for a, b in zip(got.shape, made.shape)), (got.shape, made.shape))
        (require_close if close else require_equal)(made, want, getattr(self, 'what', ''))

    def test_scans(self):
        for dimensions in (1, 2, 3):
            for x, d in self.arrays(dimensions):
                op = str(self.rng.choice(["plus", "multiplies", "minimum", "maximum"] + (["bit_xor"] if x.dtype.kind in "iub" else [])))
                exclusive, reverse = (bool(each) for each in self.rng.integers(2, size=2))
                axis = int(self.rng.integers(-dimensions, dimensions))
                y = finite_products(x, op)
                if y is not x:
                    x, d = y, blocks(self.rng, y)
                initial = 3 if exclusive and self.rng.integers(2) and x.dtype != bool else None
                how = dict(exclusive=exclusive, reverse=reverse, initial=initial)
                with numpy.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    want = upsweep.scan(x, op, axis, **how)
                    self.require(upsweep.dask.scan(d, op, axis, **how), want, x.dtype.kind == "f")  # also minima, whose zeros have any sign

    def test_expressions(self):
        # The last positive and the first largest element: neither commutes.
        for op in ("b if b > 0 else a", "a if abs(a) >= abs(b) else b"):
            for shape, axis in (((50,), 0), ((7, 9), 0), ((7, 9), 1)):
                for reverse in (False, True):
                    x = self.rng.integers(-9, 10, shape)
                    d = blocks(self.rng, x)
                    self.require(upsweep.dask.scan(d, op, axis, reverse=reverse), upsweep.scan(x, op, axis, reverse=reverse))
                    self.require(upsweep.dask.scan(d, op, axis, reverse=reverse, exclusive=True, initial=2),
                                 upsweep.scan(x, op, axis, reverse=reverse, exclusive=True, initial=2))

    def test_cumsums(self):
        x = self.rng.integers(0, 9, (6, 7, 8))
        d = blocks(self.rng, x)
        self.require(upsweep.dask.cumsum(d), upsweep.cumsum(x))
        self.require(upsweep.dask.cumsum(d, axis=(0, 2)), upsweep.cumsum(x, axis=(0, 2)))
        self.require(upsweep.dask.cumsum(d, 1, dtype="float64"), upsweep.cumsum(x, 1, dtype="float64"))
        self.require(upsweep.dask.cumsum(dask.array.from_array(numpy.array(3))), upsweep.cumsum(numpy.array(3)))

    def test_compensated(self):
        """Sums whose terms cancel: the doubles' exact sums are known, and plain sums are far from them."""
        for n in (100, 3000):
            x = numpy.tile(numpy.array([1e16, 1.0, -1e16, 1.0]), n)
            d = blocks(self.rng, x)
            for reverse in (False, True):
                one = (lambda a: a[::-1]) if reverse else (lambda a: a)
                exact = _exact_sums(one(x))
                self.require(one(upsweep.dask.scan(d, reverse=reverse, compensated=True)), exact)
                got = one(upsweep.dask.scan(d, reverse=reverse, exclusive=True, initial=0, compensated=True)).compute()
                require_equal(got[1:], exact[:-1])
            y = numpy.stack([x, -x])
            for axis in (0, 1):
                z = y.T if axis == 0 else y
                want = numpy.stack([_exact_sums(x), _exact_sums(-x)])
                require_equal(upsweep.dask.cumsum(blocks(self.rng, z), axis, compensated=True).compute(), want.T if axis == 0 else want)
        got = upsweep.dask.cumsum(numpy.array([1.0, numpy.inf, 2.0]), compensated=True).compute()
        require_equal(got, numpy.array([1.0, numpy.inf, numpy.inf]))
        with self.assertRaises(TypeError):
            upsweep.dask.cumsum(numpy.arange(3), compensated=True)

    def test_pieces(self):
        """Blocks that are copied in several pieces, which continue each other along the first axis only."""
        from upsweep import _parts_scan as parts

        for shape, axis in (((23, 5), 0), ((23, 5), 1), ((6, 7, 4), 0), ((6, 7, 4), 1), ((50,), 0)):
            for dtype, op, compensated in (("int64", "plus", False), ("float64", "plus", True), ("float64", "maximum", False), ("float32", "plus", True),
                                           ("int64", "b if b > 0 else a", False)):
                if dtype not in HERE:
                    continue
                x = self.rng.integers(-9, 9, shape).astype(dtype)
                for exclusive, reverse, piece in ((0, 0, 3), (0, 1, 3), (1, 0, 10), (1, 1, 10), (0, 0, 1000)):
                    how = parts.how_to_scan(x.dtype, op, axis, exclusive, reverse, None, compensated)
                    half = [numpy.split(x, [x.shape[axis] // 2], axis), [slice(0, x.shape[axis] // 2), slice(x.shape[axis] // 2, None)]]
                    initial = 2 if exclusive else None
                    first = parts.first_total(initial, how, x.shape[:axis] + x.shape[axis + 1:])
                    for k in (1, 0) if reverse else (0, 1):
                        got = parts.scan_after(half[0][k], first, how, piece)
                        want = upsweep.scan(x, op, axis, exclusive=exclusive, reverse=reverse, initial=initial)
                        require_equal(got, want[(slice(None),) * axis + (half[1][k],)], (shape, axis, op, exclusive, reverse, piece, dtype))
                        first = parts.join(first, parts.total(half[0][k], how, piece), how)

    @unittest.skipUnless("float32" in HERE, "the build has no float32")
    def test_compensated_floats(self):
        x = self.rng.random(1_000_000, dtype=numpy.float32)
        want = numpy.cumsum(x, dtype=numpy.float64).astype(numpy.float32)
        got = upsweep.dask.cumsum(dask.array.from_array(x, chunks=(700_000, 1000, 299_000)), 0, compensated=True).compute()
        require_equal(got, want)

    def test_sorts(self):
        for x, d in self.arrays():
            descending = bool(self.rng.integers(2))
            self.require(upsweep.dask.sort(d, descending=descending), upsweep.sort(x, descending=descending))
            self.require(upsweep.dask.argsort(d, descending=descending), upsweep.argsort(x, descending=descending))
        for x, d in self.arrays(2):
            axis = self.rng.choice([None, 0, 1, -1])
            self.require(upsweep.dask.sort(d, axis), upsweep.sort(x, axis))
            self.require(upsweep.dask.argsort(d, axis), upsweep.argsort(x, axis))

    def test_large_sort(self):
        """More elements than a block shows, so that both messages are needed."""
        for x in (self.rng.integers(0, 1000, 100_000), self.rng.random(100_000), numpy.repeat(self.rng.random(10), 10_000)):
            d = blocks(self.rng, x)
            self.require(upsweep.dask.argsort(d), upsweep.argsort(x))
            self.require(upsweep.dask.sort(d, descending=True), upsweep.sort(x, descending=True))

    def test_top_k(self):
        for dimensions in (1, 2):
            for x, d in self.arrays(dimensions):
                axis = int(self.rng.integers(dimensions))
                k, largest = int(self.rng.integers(x.shape[axis] + 1)), bool(self.rng.integers(2))
                for got, want in zip(upsweep.dask.top_k(d, k, axis, largest=largest), upsweep.top_k(x, k, axis, largest=largest)):
                    self.require(got, want)
        many = dask.array.from_array(numpy.arange(500), chunks=1)
        self.require(upsweep.dask.top_k(many, 300)[1], numpy.arange(499, 199, -1))

    def test_quantiles(self):
        for dimensions in (1, 2):
            for x, d in self.arrays(dimensions):
                if x.size == 0 or x.dtype == bool:
                    continue
                x = numpy.where(numpy.isinf(x), 1, x).astype(x.dtype)
                d = blocks(self.rng, x)
                method = str(self.rng.choice(["linear", "lower", "higher", "nearest", "midpoint"]))
                for q in (0.3, [0, 0.5, 0.99, 1]):
                    for axis in (None, 1)[:dimensions]:
                        got, want = upsweep.dask.quantile(d, q, axis, method=method), numpy.quantile(x, q, axis, method=method)
                        if x.dtype.kind in "iu" and x.itemsize < 8 and got.dtype.kind == "f":
                            want = numpy.quantile(x.astype(float), q, axis, method=method)  # differences of small integers overflow in NumPy
                        # The types of NumPy 1 depend on values.
                        self.require(got, want if numpy.__version__ >= "2" else numpy.asarray(want, got.dtype), True)
        x = self.rng.random(300_000)
        x[:200_000].sort()
        self.require(upsweep.dask.quantile(dask.array.from_array(x, chunks=70_000), [0.01, 0.5]), numpy.quantile(x, [0.01, 0.5]))

    def test_quantiles_outside_of_samples(self):
        """A sample that says nothing about the elements: the elements on one side of its range are read."""
        from upsweep import _parts_quantile as parts

        x = numpy.arange(100_000.0)
        for sample in (x[:100], x[-100:]):
            samples = [parts.Sample(len(x), sample)]
            targets = parts.targets_of(samples, [0.5], "linear")
            counted = [parts.count(each, targets) for each in numpy.split(x, 4)]
            found = parts.values_of(counted, targets)
            self.assertTrue(any(found.sides))
            others = [parts.missed(each, targets, found) for each in numpy.split(x, 4)]
            self.assertEqual(parts.quantiles(targets, found, others, [0.5], "linear", float)[0], numpy.quantile(x, 0.5))

    def test_selections(self):
        for dimensions in (1, 2):
            for x, d in self.arrays(dimensions):
                mask = self.rng.integers(2, size=x.shape) == 0
                if numpy.isnan(d.shape).any():
                    m = d.map_blocks(lambda block: block == block, dtype=bool)
                    self.require(upsweep.dask.select(d, m), upsweep.select(x, x == x))
                else:
                    self.require(upsweep.dask.select(d, blocks(self.rng, mask)), upsweep.select(x, mask))

    def test_unique(self):
        for dimensions in (1, 2):
            for x, d in self.arrays(dimensions):
                self.require(upsweep.dask.unique(d), upsweep.unique(x))
                for got, want in zip(upsweep.dask.unique(d, True, True, True), upsweep.unique(x, True, True, True)):
                    self.require(got, want)
        x = self.rng.integers(0, 50, 5000)
        self.require(upsweep.dask.unique(upsweep.dask.sort(blocks(self.rng, x))), numpy.unique(x))

    def test_histograms(self):
        for x, d in self.arrays(2):
            x = numpy.nan_to_num(x, posinf=5, neginf=-5)
            d = blocks(self.rng, x)
            for how in ([dict()] if has_histogram(x) else []) + [dict(bins=7, range=(-3, 8)), dict(bins=[-5, 0, 1, 90], density=True)]:
                with numpy.errstate(all="ignore"):
                    for got, want in zip(upsweep.dask.histogram(d, **how), upsweep.histogram(x, **how)):
                        self.require(got, want)
        x, weights = self.rng.random((40, 5)), self.rng.random((40, 5))
        got = upsweep.dask.histogram(blocks(self.rng, x), 4, weights=blocks(self.rng, weights))
        self.require(got[0], numpy.histogram(x, 4, weights=weights)[0], True)
        with self.assertRaisesRegex(ValueError, "not finite"):
            upsweep.dask.histogram(numpy.array([1.0, numpy.nan]))[0].compute()

    def test_nothing_is_computed(self):
        x = dask.array.map_blocks(_never, dtype=float, chunks=((4, 5),))
        upsweep.dask.scan(x)
        upsweep.dask.sort(x), upsweep.dask.argsort(x), upsweep.dask.top_k(x, 2), upsweep.dask.quantile(x, 0.5)
        upsweep.dask.unique(x, True), upsweep.dask.histogram(x), upsweep.dask.select(x, x > 0)

    def test_errors(self):
        x = dask.array.ones((4, 5), chunks=2)
        for error, call in ((numpy.exceptions.AxisError if hasattr(numpy, "exceptions") else numpy.AxisError, lambda: upsweep.dask.scan(x, axis=2)),
                            (ValueError, lambda: upsweep.dask.scan(x, "nothing")), (ValueError, lambda: upsweep.dask.scan(x, initial=3)),
                            (ValueError, lambda: upsweep.dask.scan(x, "a - b % 7", exclusive=True)), (TypeError, lambda: upsweep.dask.scan(x, dtype=int)),
                            (TypeError, lambda: upsweep.dask.sort(x.astype(complex))), (ValueError, lambda: upsweep.dask.top_k(x, 6)),
                            (ValueError, lambda: upsweep.dask.quantile(x, 2)), (ValueError, lambda: upsweep.dask.quantile(x, 0, method="best")),
                            (TypeError, lambda: upsweep.dask.select(x, x)), (ValueError, lambda: upsweep.dask.select(x, x[:2] > 0)),
                            (NotImplementedError, lambda: upsweep.dask.histogram(x, "auto")), (TypeError, lambda: upsweep.dask.scan(x.astype("U1")))):
            with self.assertRaises(error):
                call()

    @unittest.skipUnless(HERE == upsweep._library.TYPES, "the build has few types")
    @unittest.skipUnless(importlib.util.find_spec("xarray") and importlib.util.find_spec("xarray.namedarray"), "there is no xarray with chunk managers")
    def test_page(self):
        require_examples("docs/dask.md", self)

    def test_docstrings(self):
        require_stubs(upsweep.dask, self)
        for name in upsweep.dask.__all__:
            function = getattr(upsweep.dask, name)
            for parameter in inspect.signature(function).parameters:
                self.assertRegex(function.__doc__, rf"(?m)^    (\w+, )*{parameter}[:,]", f"{name}: {parameter}")
            for test in doctest.DocTestFinder().find(function, name, globs={"numpy": numpy, "upsweep": upsweep, "dask": dask}):
                self.assertEqual(doctest.DocTestRunner().run(test).failed, 0, name)


def _never():
    raise AssertionError("a block was computed")


def _exact_sums(x):
    from fractions import Fraction

    made, sum_ = [], Fraction(0)
    for each in x:
        sum_ += Fraction(float(each))
        made.append(float(sum_))
    return numpy.array(made)


@unittest.skipUnless(importlib.util.find_spec("xarray") and importlib.util.find_spec("xarray.namedarray"), "there is no xarray with chunk managers")
class Xarray(unittest.TestCase):
    def test_install(self):
        import xarray
        from xarray.core import duck_array_ops

        rng = generator("xarray")
        x = rng.random((20, 300)) * 1000
        x[rng.integers(0, 20, 50), rng.integers(0, 300, 50)] = numpy.nan
        a = xarray.DataArray(x, dims=("position", "time"), coords={"time": numpy.arange(300)})
        before = duck_array_ops.cumsum
        upsweep.dask.install()
        try:
            for chunks in ({"time": 100}, {"time": 7, "position": 3}):
                d = a.chunk(chunks)
                for skipna in (None, True, False):
                    got, want = d.cumsum("time", skipna=skipna), a.cumsum("time", skipna=skipna)
                    self.assertTrue(any("upsweep" in str(key) for key in got.data.__dask_graph__()))
                    xarray.testing.assert_allclose(got.compute(), want, rtol=1e-13)
                    self.assertEqual(got.dims, want.dims)
                xarray.testing.assert_allclose(d.cumprod("position").compute(), a.cumprod("position"))
                xarray.testing.assert_allclose(d.to_dataset(name="x").cumsum("time").compute(), a.to_dataset(name="x").cumsum("time"))
                xarray.testing.assert_equal(d.ffill("time").compute(), a.ffill("time")) if importlib.util.find_spec("bottleneck") else None
            xarray.testing.assert_equal(a.cumsum("time"), a.cumsum("time"))  # NumPy's arrays are xarray's own
            # Sums that diverge without compensation: all chunks give the exact sums.
            y = xarray.DataArray(numpy.tile(numpy.array([1e16, 1.0, -1e16, 1.0]), 500), dims="time")
            for length in (3, 100, 2000):
                require_equal(y.chunk(time=length).cumsum("time").compute().data, _exact_sums(y.data))
        finally:
            upsweep.dask.uninstall()
        self.assertIs(duck_array_ops.cumsum, before)

    def test_manager(self):
        from xarray.namedarray.parallelcompat import list_chunkmanagers

        upsweep.dask.install(compensated=False)
        try:
            manager = list_chunkmanagers()["dask"]
            d = dask.array.arange(10, chunks=3)
            made = manager.scan(numpy.cumsum, numpy.add, 0, d, axis=0)
            self.assertTrue(made.name.startswith("upsweep-scan"))
            require_equal(made.compute(), numpy.cumsum(numpy.arange(10)))
            other = manager.scan(numpy.maximum.accumulate, numpy.maximum, 0, d, axis=0, dtype=d.dtype)
            require_equal(other.compute(), numpy.arange(10))
        finally:
            upsweep.dask.uninstall()


@unittest.skipUnless(importlib.util.find_spec("distributed"), "there is no dask.distributed")
class Cluster(unittest.TestCase):
    def test_a_worker_that_dies(self):
        """Two workers, of which one is killed while it computes; the scheduler starts another, and results are right."""
        import distributed
        from distributed import Client, LocalCluster

        path = os.pathsep.join([os.path.dirname(os.path.dirname(upsweep.__file__)), os.path.dirname(os.path.abspath(__file__))])
        os.environ["PYTHONPATH"] = path
        dask.config.set({"distributed.scheduler.allowed-failures": 20})
        x = generator("cluster").integers(0, 1000, 400_000)
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1") as cluster, Client(cluster) as client:
            d = dask.array.from_array(x, chunks=20_000).map_blocks(_slow, dtype=x.dtype)
            futures = client.compute([upsweep.dask.cumsum(d), upsweep.dask.argsort(d), upsweep.dask.unique(upsweep.dask.sort(d)),
                                      upsweep.dask.quantile(d, 0.5)])
            pids = client.run(os.getpid)
            _wait_for_some(client, 10)
            os.kill(next(iter(pids.values())), 9)
            sums, order, values, median = client.gather(futures, direct=False)
            require_equal(sums, numpy.cumsum(x))
            require_equal(order, numpy.argsort(x, kind="stable"))
            require_equal(values, numpy.unique(x))
            self.assertEqual(median, numpy.quantile(x, 0.5))


def _slow(block):
    import time

    time.sleep(0.05)
    return block


def _wait_for_some(client, tasks: int) -> None:
    import time

    for _ in range(200):
        if sum(len(keys) for keys in client.has_what().values()) >= tasks:
            return
        time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(unittest.main())
