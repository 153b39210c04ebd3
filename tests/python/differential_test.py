# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random arrays of all types, shapes and layouts, against NumPy, bit by bit. Floats are small whole numbers, whose sums are
exact, NaNs, infinities and zeros of both signs. UPSWEEP_SEED and UPSWEEP_ROUNDS select other and longer runs."""

import itertools
import os
import unittest
import warnings

import numpy
import upsweep

from arrays import TYPES

SEED, ROUNDS = int(os.environ.get("UPSWEEP_SEED", "1")), int(os.environ.get("UPSWEEP_ROUNDS", "300"))
DTYPES = TYPES + ["bool"] * ("uint8" in TYPES) + ["float16"] * ("float32" in TYPES)
EXTENTS = [0, 1, 1, 2, 3, 5, 17, 60]


def equal(got, expected, what=""):
    got, expected = numpy.asarray(got), numpy.asarray(expected)
    assert got.dtype == expected.dtype, (what, got.dtype, expected.dtype)
    assert got.shape == expected.shape, (what, got.shape, expected.shape)
    numpy.testing.assert_array_equal(got, expected, what)


class Source:
    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)

    def choice(self, options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, share):
        return self.random.random() < share

    def values(self, shape, dtype, special=0.0):
        dtype = numpy.dtype(dtype)
        if dtype.kind == "b":
            return self.random.integers(0, 2, shape).astype(bool)
        if dtype.kind == "f":
            made = self.random.integers(-3, 4, shape).astype(dtype)
            if special:
                odd = self.random.choice([numpy.nan, numpy.inf, -numpy.inf, -0.0], shape)
                made = numpy.where(self.random.random(shape) < special, odd, made).astype(dtype)
            return made
        info = numpy.iinfo(dtype)
        if self.chance(0.5):
            return self.random.integers(max(info.min, -3), 4, shape).astype(dtype)
        return self.random.integers(info.min, info.max, shape, dtype, endpoint=True)

    def shape(self, most=4):
        while True:
            shape = tuple(self.choice(EXTENTS) for _ in range(self.random.integers(1, most + 1)))
            if numpy.prod(shape) <= 600:
                return shape

    # The same shape and kind of values in complicated layouts.
    def array(self, dtype, shape=None, special=0.0):
        shape = self.shape() if shape is None else shape
        order = self.random.permutation(len(shape))
        steps = [self.choice([1, 1, 1, 2, -1, -2]) for _ in shape]
        whole = self.values([shape[k] * abs(steps[k]) for k in order], dtype, special)
        made = whole.transpose(numpy.argsort(order))[tuple(slice(None, None, step) for step in steps)]
        if self.chance(0.1) and made.ndim and made.shape[0]:
            made = numpy.broadcast_to(made[:1], made.shape)
        if self.chance(0.1) and made.dtype.itemsize > 1:
            made = made.astype(made.dtype.newbyteorder())
        return made

    def axis(self, array):
        return None if self.chance(0.2) else int(self.random.integers(-array.ndim, array.ndim))


def quiet(function, *arguments, **options):
    """The result, or the kind of the error."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except (ValueError, TypeError) as error:
            return ValueError if isinstance(error, ValueError) else TypeError


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def rounds(test):
    """Calls test(self, source, dtype) with new random numbers in each round."""

    def run(self):
        for i in range(ROUNDS):
            source = Source([SEED, sum(map(ord, test.__name__)), i])
            dtype = source.choice(DTYPES)
            try:
                test(self, source, dtype)
            except unittest.SkipTest:
                raise
            except Exception as error:
                raise AssertionError(f"UPSWEEP_SEED={SEED}, round {i}, {dtype}: {error!r}") from error

    return run


class Differential(unittest.TestCase):
    @rounds
    def test_sums(self, source, dtype):
        x = source.array(dtype)
        axis = source.axis(x)
        equal(upsweep.cumsum(x, axis), numpy.cumsum(native(x), axis))
        equal(upsweep.reduce(x, axis=axis), numpy.sum(native(x), axis))
        wanted = source.choice([None, "bool", "float64", "int64"])
        if wanted in TYPES + ["bool"] * ("uint8" in TYPES) and not (numpy.dtype(dtype).kind == "f" and wanted == "int64"):
            if wanted == "float64" and numpy.dtype(dtype).itemsize == 8:
                x = (native(x) % 4).astype(dtype)  # sums of larger ones are rounded
            equal(upsweep.cumsum(x, axis, wanted), numpy.cumsum(native(x), axis, wanted), wanted)
            out = numpy.empty(numpy.sum(native(x), axis).shape, wanted)
            self.assertIs(upsweep.reduce(x, axis=axis, out=out), out)
            equal(out, numpy.sum(native(x), axis, wanted), wanted)
            if wanted == "bool":
                self.assertLessEqual(set(out.view(numpy.uint8).ravel().tolist()), {0, 1})

    @rounds
    def test_bool_results(self, source, dtype):
        if "uint8" not in TYPES:
            self.skipTest("this build has no uint8, as which bools are taken")
        functions = {"plus": numpy.logical_or, "multiplies": numpy.logical_and, "minimum": numpy.logical_and, "maximum": numpy.logical_or,
                     "bit_and": numpy.logical_and, "bit_or": numpy.logical_or, "bit_xor": numpy.logical_xor}
        x = source.array(dtype)
        name = source.choice(list(functions))
        axis = int(source.random.integers(-x.ndim, x.ndim))
        truths = native(x).astype(bool)
        expected = functions[name].accumulate(truths, axis) if x.size else truths
        equal(upsweep.scan(x, name, axis, dtype=bool), expected, name)
        out = numpy.empty(x.shape, bool)
        upsweep.scan(x, name, axis, out=out, exclusive=True)
        self.assertLessEqual(set(out.view(numpy.uint8).ravel().tolist()), {0, 1})
        if x.shape[axis]:
            equal(upsweep.reduce(x, name, axis, dtype=bool), functions[name].reduce(truths, axis), name)

    @rounds
    def test_bools_as_bytes(self, source, dtype):
        if "uint8" not in TYPES:
            self.skipTest("this build has no uint8, as which bools are taken")
        x = source.array("bool")
        out = numpy.empty(x.shape, numpy.uint8)
        upsweep.scan(x, "maximum", -1, out=out)
        equal(out, numpy.maximum.accumulate(x, -1).astype(numpy.uint8) if x.size else out)

    @rounds
    def test_minima(self, source, dtype):
        x = source.array(dtype, special=0.2)
        x = numpy.where(numpy.isnan(x), numpy.ones((), dtype), x).astype(dtype) if source.chance(0.5) and "float" in dtype else x
        axis = source.axis(x)
        length = x.size if axis is None else x.shape[axis]
        if not length or numpy.isnan(native(x).astype(float)).any():
            return
        equal(upsweep.reduce(x, "minimum", axis), numpy.min(native(x), axis))
        equal(upsweep.reduce(x, "maximum", axis, keepdims=True), numpy.max(native(x), axis, keepdims=True))

    @rounds
    def test_several_axes(self, source, dtype):
        x = source.array(dtype)
        axes = [int(k) - (x.ndim if source.chance(0.5) else 0)
                for k in source.random.permutation(x.ndim)[: source.random.integers(1, x.ndim + 1)]]
        expected = native(x)
        for axis in axes:
            expected = numpy.cumsum(expected, axis)
        equal(upsweep.cumsum(x, tuple(axes)), expected)
        keepdims = source.chance(0.5)
        equal(upsweep.reduce(x, axis=tuple(axes), keepdims=keepdims), numpy.sum(native(x), tuple(axes), keepdims=keepdims))

    @rounds
    def test_orders(self, source, dtype):
        x = source.array(dtype, special=0.1)
        axis = source.axis(x)
        values = native(x)
        # NumPy treats zeros as equal; here -0.0 comes before 0.0.
        values = values + numpy.zeros((), values.dtype) if values.dtype.kind == "f" else values
        equal(upsweep.sort(values, axis), numpy.sort(values, axis))
        equal(upsweep.argsort(values, axis), numpy.argsort(values, axis, kind="stable"))
        equal(upsweep.sort(x, axis) == upsweep.sort(x, axis), numpy.sort(native(x), axis) == numpy.sort(native(x), axis))
        length = x.size if axis is None else x.shape[axis]
        if length:
            n = int(source.random.integers(-length, length))
            equal(upsweep.nth_element(values, n, axis), numpy.take(numpy.sort(values, axis), n, 0 if axis is None else axis))
            found, indices = upsweep.top_k(values, length, axis, largest=False)
            equal(found, numpy.sort(values, axis))
            equal(indices, numpy.argsort(values, axis, kind="stable"))
        if numpy.asarray(x).ndim == 1:
            y = numpy.sort(source.values(source.choice(EXTENTS), dtype))
            equal(upsweep.merge(numpy.sort(values), y), numpy.sort(numpy.concatenate([values, y])))

    @rounds
    def test_runs(self, source, dtype):
        x = source.array(dtype, (source.choice(EXTENTS) * source.choice([1, 5]),), special=0.1)
        x = numpy.repeat(x, source.random.integers(0, 4, x.size)) if source.chance(0.8) else x
        values = native(x).tolist()
        starts = [i for i in range(len(values)) if i == 0 or values[i] != values[i - 1]]
        lengths = [b - a for a, b in zip(starts, starts[1:] + [len(values)])]
        kept, index, inverse, counts = upsweep.unique(x, True, True, True)
        equal(kept, native(x)[numpy.array(starts, int)])
        equal(index, numpy.array(starts, numpy.int64))
        equal(counts, numpy.array(lengths, numpy.int64))
        equal(kept[inverse], native(x))
        encoded = upsweep.run_length_encode(x)
        equal(numpy.repeat(*encoded), native(x))
        y = source.values(len(values), source.choice(DTYPES))
        keys, totals = upsweep.reduce_by_key(x, y)
        equal(keys, native(x)[numpy.array(starts, int)])
        sums = [numpy.sum(y[begin: begin + length]) for begin, length in zip(starts, lengths)]
        equal(totals, numpy.array(sums, numpy.sum(y).dtype))
        names = numpy.array([f"key {value}" for value in values], dtype=object).astype(str)
        named = [name for name, _ in itertools.groupby(names.tolist())]
        self.assertEqual(upsweep.reduce_by_key(names, y)[0].tolist(), named)

    @rounds
    def test_selections(self, source, dtype):
        x = source.array(dtype, special=0.1)
        mask = source.array("bool", x.shape) if source.chance(0.7) else source.values(x.shape, "bool")
        equal(upsweep.select(x, mask), native(x)[mask])

    @rounds
    def test_histograms(self, source, dtype):
        x = source.array(dtype, special=0.0)
        if source.chance(0.6):
            scale = source.choice([1, 100, 1e-3, 1e6])
            x = (native(x) * scale + source.random.random(x.shape)).astype(dtype) if "float" in dtype else x
        if source.chance(0.15) and "float" in dtype and x.size:
            x = x.copy()
            x.reshape(-1)[int(source.random.integers(x.size))] = source.choice([numpy.nan, numpy.inf])
        options = {}
        kind = source.choice(["number", "number", "edges", "integers", "rule"])
        if kind == "number":
            options["bins"] = int(source.random.integers(0, 40))
            if source.chance(0.5):
                low = source.choice([0, -3.3, 1e-7, 100, numpy.float32(0.1)])
                options["range"] = (low, low + source.choice([0, 1, 3.7, 1000, -1]))
        elif kind == "rule":
            options["bins"] = source.choice(["auto", "fd", "sturges", "sqrt", "rice", "scott", "doane", "none"])
            if native(x).astype(float).size and numpy.ptp(native(x).astype(float)) > 1e6:
                return  # millions of bins
        else:
            edges = numpy.sort(source.random.integers(-5, 6, source.random.integers(1, 9)))
            if kind == "edges":
                edges = edges * source.choice([1.0, 0.37, 50.0])
            options["bins"] = edges.astype(source.choice(["float64", "float32"])) if kind == "edges" else edges + source.choice([0, 2**53])
        if source.chance(0.2):
            options["density"] = True
        if source.chance(0.3):
            weights = source.values(x.shape, source.choice(["float64", "float32", "int64", "int8"] + ["bool"] * (kind == "number")))  # NumPy fails
            options["weights"] = numpy.clip(weights, -3, 3).astype(weights.dtype) if weights.dtype.kind != "b" else weights
        try:
            expected = quiet(numpy.histogram, native(x), **options)
        except IndexError:  # NumPy 1.24 divides by empty ranges
            return
        found = quiet(upsweep.histogram, x, **options)
        if isinstance(expected, type) or isinstance(found, type):
            self.assertIs(found, expected, options)
            return
        equal(found[1], expected[1], str(options))
        if "density" in options or options.get("weights", x).dtype.kind == "f" and "weights" in options:
            self.assertEqual(found[0].dtype, expected[0].dtype)
            numpy.testing.assert_allclose(found[0], expected[0], 1e-6, err_msg=str(options))
        elif not numpy.array_equal(found[0], expected[0]):
            # If edges are as close as numbers of the type, NumPy's fast path may miss the bin by two. Between given edges it
            # searches.
            equal(found[0], numpy.histogram(native(x), expected[1], weights=options.get("weights"))[0], str(options))
        self.assertEqual(found[0].dtype, expected[0].dtype)

    @rounds
    def test_tables(self, source, dtype):
        x = source.array(dtype, tuple(source.choice(EXTENTS) % 20 for _ in range(int(source.random.integers(2, 4)))))
        equal(upsweep.summed_area_table(x), native(x).cumsum(-1).cumsum(-2))


class Errors(unittest.TestCase):
    """Arguments that once raised another error, or none."""

    def test_kinds(self):
        x, least = numpy.arange(3, dtype=TYPES[-1]), numpy.zeros((3, 3), TYPES[-1])
        for text in ["-" * 499 + "a", "~" * 490 + "a", "not " * 120 + "a", "(" * 240 + "a" + ")" * 240, "a if b else " * 40 + "a",
                     f"{10**400} * a"]:
            try:
                upsweep.scan(x, text)
            except (ValueError, TypeError):
                pass
        self.assertRaises(ValueError, upsweep.scan, x, "-" * 499 + "a")
        for initial in [10**400, float("inf"), float("nan")]:
            for dtype in [each for each in ["int64", "float64"] if each in TYPES]:
                try:
                    upsweep.scan(x.astype(dtype), exclusive=True, initial=initial)
                except ValueError:
                    pass
        self.assertRaises(TypeError, upsweep.scan, x, exclusive=True, initial="5")
        self.assertRaises(ValueError, upsweep.box_filter, least, 1, repeat=2**70)
        self.assertRaises(ValueError, upsweep.box_filter, least, 1, repeat=2**32)
        equal(upsweep.box_filter(least + 1, 2**70), least + 1)
        for n in [2**70, -(2**70)]:
            self.assertRaises(ValueError, upsweep.top_k, x, n)
            self.assertRaises(ValueError, upsweep.nth_element, x, n)
        equal(upsweep.box_filter(least + 1, numpy.full((3, 3), 2**64 - 1, numpy.uint64)), least + 1)
        for wrong in [[0, 1, 2], [0.0, numpy.nan, 1.0]]:
            self.assertRaises(TypeError, upsweep.select, x, wrong)
        for function in [upsweep.sort, upsweep.cumsum]:
            if "uint8" in TYPES and function is upsweep.sort:
                self.assertRaises(TypeError, function, x.astype(numpy.uint8), out=numpy.zeros(3, bool))
        self.assertRaises(ValueError, upsweep.cumsum, least, (0, 0))
        self.assertRaises(ValueError, upsweep.cumsum, least, ())
        for threads in [0, -1, 5000]:
            self.assertRaises(ValueError, upsweep.set_num_threads, threads)
        self.assertRaises(TypeError, upsweep.set_num_threads, 1.5)

    def test_halves(self):
        if "float32" not in TYPES:
            self.skipTest("this build has no float32, as which float16 is taken")
        x = numpy.array([1, 2, 3], numpy.float16)
        out = numpy.zeros(3, numpy.float16)
        self.assertIs(upsweep.cumsum(x, out=out), out)
        equal(out, numpy.cumsum(x))
        equal(upsweep.cumsum(numpy.arange(3), dtype=numpy.float16), numpy.array([0, 1, 3], numpy.float16))
        equal(upsweep.cumsum(x, dtype=numpy.float32), numpy.cumsum(x, dtype=numpy.float32))
        equal(upsweep.reduce(x), numpy.float16(6))
        equal(upsweep.sort_pairs(x[::-1], x)[0], x)
        self.assertRaises(TypeError, upsweep.merge, x, x.astype(numpy.float32))
        self.assertRaises(TypeError, upsweep.sort, x.astype(numpy.float32), out=out)
        self.assertRaises(ValueError, upsweep.cumsum, x, out=numpy.zeros(4, numpy.float16))

    def test_threads(self):
        x = numpy.arange(300_000, dtype=TYPES[-1])
        expected = upsweep.cumsum(x)
        try:
            for threads in [1, 2, 5]:
                upsweep.set_num_threads(threads)
                self.assertEqual(upsweep.get_num_threads(), threads)
                equal(upsweep.cumsum(x), expected)
        finally:
            upsweep.set_num_threads(None)


if __name__ == "__main__":
    unittest.main()
