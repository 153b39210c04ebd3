# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""upsweep.jax against JAX's own functions: values, derivatives, jit and vmap. Skipped without JAX, or in a build without its handlers."""

import doctest
import inspect
import os
import pathlib
import sys
import threading
import unittest

try:
    import jax
except ImportError:
    print("skipped: JAX is not installed")
    sys.exit(77)
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy
from jax.test_util import check_grads

try:
    import upsweep.jax as ours
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

import upsweep

SEED = int(os.environ.get("UPSWEEP_TEST_SEED", "12"))
HERE = [name for code, name in enumerate(upsweep._library.TYPES) if upsweep._library.cpu.types >> code & 1]
INTEGERS = [name for name in HERE if "int" in name]
FLOATS = [name for name in HERE if "float" in name]
HALVES = ["float16", "bfloat16"] if "float32" in FLOATS else []
COMPLEX = [f"complex{2 * int(name[5:])}" for name in FLOATS]
SHAPES = [(1,), (3, 0, 2), (5, 33), (20_011,), (3, 5_000, 2)]  # JAX compiles each call for each shape


class Case(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(SEED)
        self.place = ""

    def array(self, shape, dtype, nans=False):
        if "int" in dtype:
            return jnp.asarray(self.random.integers(0 if dtype.startswith("u") else -3, 4, shape).astype(dtype))
        made = self.random.normal(size=shape) / 2
        if "complex" in dtype:
            made = made + 1j * self.random.normal(size=shape) / 2
        if nans:
            for value, share in [(numpy.nan, 0.05), (-numpy.nan, 0.05), (0.0, 0.1), (-0.0, 0.1)]:
                made = numpy.where(self.random.uniform(size=shape) < share, value, made)
        return jnp.asarray(made).astype(dtype)

    def same(self, got, wanted, limit=0.0):
        self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype), self.place)
        numpy.testing.assert_allclose(numpy.asarray(got.astype("float32") if got.dtype.name == "bfloat16" else got),
                                      numpy.asarray(wanted.astype("float32") if got.dtype.name == "bfloat16" else wanted), limit, limit, err_msg=self.place)

    def limit(self, dtype):
        return {"float16": 0.02, "bfloat16": 0.1, "float32": 1e-4, "complex64": 1e-3, "float64": 1e-10, "complex128": 1e-10}.get(dtype, 0.0)

    def each(self, dtypes, nans=False):
        for dtype in dtypes:
            for shape in SHAPES:
                x = self.array(shape, dtype, nans and "int" not in dtype)
                for axis in {0, -1}:
                    self.place = f"{dtype} of shape {shape}, axis {axis}"
                    yield x, axis, self.limit(dtype)


def accumulated(function, x, axis, reverse):
    """NumPy's function.accumulate in x's type, of halves in float32."""
    wide = numpy.asarray(x.astype("float32") if x.dtype.name in ("float16", "bfloat16") else x)
    flipped = numpy.flip(wide, axis) if reverse else wide
    made = function.accumulate(flipped, axis, dtype=wide.dtype)
    return jnp.asarray(numpy.flip(made, axis) if reverse else made).astype(x.dtype)


class Values(Case):
    """Against NumPy, since JAX compiles a program for each shape and type."""

    def test_scans(self):
        for x, axis, limit in self.each(INTEGERS + FLOATS + HALVES + COMPLEX):
            for reverse in (False, True):
                self.same(ours.cumsum(x, axis, reverse), accumulated(numpy.add, x, axis, reverse), limit)
                self.same(ours.cumprod(x, axis, reverse), accumulated(numpy.multiply, x, axis, reverse), limit)

    def test_extremes(self):
        for x, axis, _ in self.each(INTEGERS + FLOATS, nans=True):
            for reverse in (False, True):
                self.same(ours.cummax(x, axis, reverse), accumulated(numpy.maximum, x, axis, reverse))
                self.same(ours.cummin(x, axis, reverse), accumulated(numpy.minimum, x, axis, reverse))

    def test_exponentials(self):
        for x, axis, limit in self.each(FLOATS, nans=True):
            for reverse in (False, True):
                self.same(ours.cumlogsumexp(x, axis, reverse), accumulated(numpy.logaddexp, x, axis, reverse), limit)

    def test_bits(self):
        for x, axis, _ in self.each(INTEGERS):
            for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
                self.same(ours.associative_scan(name, x, axis=axis), accumulated(getattr(numpy, name), x, axis, False))
                self.same(ours.associative_scan(getattr(jnp, name), x, True, axis), accumulated(getattr(numpy, name), x, axis, True))

    def test_orders(self):
        for x, axis, _ in self.each(INTEGERS + FLOATS + HALVES, nans=True):
            keys = numpy.asarray(x.astype("float32") if x.dtype.name == "bfloat16" else x)
            rising = numpy.argsort(keys, axis, kind="stable")
            falling = x.shape[axis] - 1 - numpy.flip(numpy.argsort(numpy.flip(keys, axis), axis, kind="stable"), axis)
            for descending, wanted in ((False, rising), (True, falling)):
                values = jnp.asarray(numpy.take_along_axis(keys, wanted, axis)).astype(x.dtype)
                self.same(ours.argsort(x, axis, descending), jnp.asarray(wanted.astype(numpy.int32)))
                self.same(ours.sort(x, axis, descending), values)
            for k in {0, min(5, x.shape[axis])}:
                largest, indices = ours.top_k(x, k, axis)
                self.same(indices, jnp.asarray(numpy.take(falling, range(k), axis).astype(numpy.int32)))
                self.same(largest, jnp.asarray(numpy.take(numpy.asarray(values), range(k), axis)))

    def test_as_jax(self):
        x = self.array((6, 7), "float64", nans=True)
        for axis in (0, 1):
            for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
                self.same(getattr(ours, name)(x, axis), getattr(jax.lax, name)(x, axis), 1e-12)
            self.same(ours.sort(x, axis), jnp.sort(x, axis=axis))

    def test_errors(self):
        x = jnp.ones((4, 5))
        for call in [lambda: ours.cumsum(x, 2), lambda: ours.sort(x, -3), lambda: ours.linear_recurrence(x, x, 2), lambda: ours.top_k(x, 6),
                     lambda: ours.linear_recurrence(x, x[:, :3]), lambda: ours.associative_scan("minus", x), lambda: ours.cumsum(1.0)]:
            self.assertRaises(ValueError, call)
        for call in [lambda: ours.cumsum(x > 0), lambda: ours.sort(x > 0), lambda: ours.linear_recurrence(x.astype(int), x.astype(int)),
                     lambda: ours.cumlogsumexp(x.astype(int)), lambda: ours.associative_scan("bitwise_or", x), lambda: ours.sort(x + 1j),
                     lambda: ours.linear_recurrence(x + 1j, x)]:
            self.assertRaises(TypeError, call)


class Recurrences(Case):
    def loop(self, a, b, axis, initial, reverse):
        a, b = (jnp.moveaxis(x, axis, 0) for x in jnp.broadcast_arrays(a, b))

        def step(state, of):
            state = of[0] * state + of[1]
            return state, state

        first = jnp.zeros(b.shape[1:], b.dtype) if initial is None else jnp.broadcast_to(initial, b.shape[1:])
        return jnp.moveaxis(jax.lax.scan(step, first, (a, b), reverse=reverse)[1], 0, axis)

    def test_values_and_derivatives(self):
        for of_a, of_b in [("float64", "float64"), ("complex128", "complex128"), ("float64", "complex128")]:
            for shape in [(9,), (2, 7, 3)]:
                for axis in range(len(shape)):
                    for reverse in (False, True):
                        a, b = self.array(shape, of_a), self.array(shape, of_b)
                        initial, weights = self.array(shape[:axis] + shape[axis + 1:], of_b), self.array(shape, of_b)
                        mine = lambda a, b, i: jnp.sum(jnp.abs(ours.linear_recurrence(a, b, axis, initial=i, reverse=reverse) * weights) ** 2)
                        theirs = lambda a, b, i: jnp.sum(jnp.abs(self.loop(a, b, axis, i, reverse) * weights) ** 2)
                        with self.subTest(a=of_a, b=of_b, shape=shape, axis=axis, reverse=reverse):
                            self.same(ours.linear_recurrence(a, b, axis, initial=initial, reverse=reverse), self.loop(a, b, axis, initial, reverse), 1e-10)
                            for got, wanted in zip(jax.grad(mine, (0, 1, 2))(a, b, initial), jax.grad(theirs, (0, 1, 2))(a, b, initial)):
                                self.same(got, wanted, 1e-9)

    def test_broadcasts_and_halves(self):
        a, b = self.array((6, 1), "float64"), self.array((4, 1, 9), "float64")
        for axis in range(-3, 3):
            self.same(ours.linear_recurrence(a, b, axis, initial=2.0), self.loop(a, b, axis, 2.0, False), 1e-10)
        for dtype in HALVES:
            a, b = self.array((5, 40), dtype), self.array((5, 40), dtype)
            made = self.loop(a.astype("float32"), b.astype("float32"), 1, None, False).astype(dtype)
            self.same(ours.linear_recurrence(a, b), made)


def functions():
    return {
        "cumsum": lambda x: ours.cumsum(x, 1), "cumprod": lambda x: ours.cumprod(x, 1), "reverse": lambda x: ours.cumprod(x, 0, True),
        "cumlogsumexp": lambda x: ours.cumlogsumexp(x, 0), "cummax": lambda x: ours.cummax(x, 1), "cummin": lambda x: ours.cummin(x, 0, True),
        "sort": lambda x: ours.sort(x, 0), "top_k": lambda x: ours.top_k(x, 2)[0],
        "recurrence": lambda x: ours.linear_recurrence(jnp.cos(x), x, initial=x[:, 0]),
        "backward": lambda x: ours.linear_recurrence(jnp.cos(x), x, 0, initial=x[0], reverse=True),
    }


class Transforms(Case):
    def test_derivatives(self):
        """Forward and backward, first and second."""
        for name, function in functions().items():
            x = self.array((3, 5), "float64")
            if name in ("cumprod", "reverse"):
                x = x.at[1, 2].set(0).at[1, 4].set(0)
            with self.subTest(name):
                check_grads(function, (x,), 2)

    def test_infinities(self):
        x = jnp.array([-jnp.inf, -jnp.inf, 1.0, -jnp.inf, 2.0])
        share = 1 / (1 + numpy.exp(1))  # of 1 in log(exp(1) + exp(2))
        self.same(jax.grad(lambda x: ours.cumlogsumexp(x)[2:].sum())(x), jnp.array([0, 0, 2 + share, 0, 1 - share]), 1e-12)

    def test_jit_and_vmap(self):
        for name, function in functions().items():
            x = self.array((4, 3, 5), "float64")
            for place in range(3):
                with self.subTest(name, place=place):
                    rows = [function(y) for y in jnp.moveaxis(x, place, 0)]
                    self.same(jax.vmap(function, place)(x), jnp.stack(rows), 1e-12)
                    self.same(jax.jit(jax.vmap(function, place))(x), jnp.stack(rows), 1e-12)
                    loss = lambda y: jnp.sin(function(y)).sum()
                    self.same(jax.jit(jax.vmap(jax.grad(loss), place))(x), jnp.stack([jax.grad(loss)(y) for y in jnp.moveaxis(x, place, 0)]), 1e-10)

    def test_batches_of_some_arguments(self):
        a, b = self.array((6,), "float64"), self.array((3, 6), "float64")
        self.same(jax.vmap(lambda b: ours.linear_recurrence(a, b))(b), ours.linear_recurrence(a, b), 1e-12)
        self.same(jax.vmap(lambda a: ours.linear_recurrence(a, b[0]))(b), ours.linear_recurrence(b, b[0]), 1e-12)

    def test_threads_and_memory(self):
        x = self.array((1000,), "float64")
        wanted, failed = numpy.cumsum(x), []

        def work(calls):
            for _ in range(calls):
                if not numpy.allclose(ours.cumsum(x), wanted):
                    failed.append(1)

        threads = [threading.Thread(target=work, args=(100,)) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        resident = lambda: int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        work(500)
        before = resident()
        work(5000)
        self.assertLess(resident() - before, 16 << 20)
        self.assertFalse(failed)


class Documents(unittest.TestCase):
    @unittest.skipIf(len(HERE) < len(upsweep._library.TYPES), "the examples use float32, which this build lacks")
    def test_examples(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/jax.md").read_text()
        test = doctest.DocTestParser().get_doctest(page.replace("```", "\n"), {}, "docs/jax.md", None, 0)
        self.assertGreater(len(test.examples), 10)
        with jax.enable_x64(False):
            self.assertEqual(doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed, 0)

    def test_docstrings(self):
        for name in ours.__all__:
            text = getattr(ours, name).__doc__
            for parameter in inspect.signature(getattr(ours, name)).parameters:
                if name not in ("cumprod", "cummax", "cummin", "argsort"):
                    self.assertRegex(text, rf"\b{parameter}[:,]", f"{name}: {parameter}")
        self.assertEqual({name for name in vars(ours) if not name.startswith("_")}, set(ours.__all__))


if __name__ == "__main__":
    print("seed", SEED)
    unittest.main()
