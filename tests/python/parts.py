# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random arrays, and random divisions of them, for the tests of Dask arrays and of ranks."""

import ast
import doctest
import inspect
import os
import pathlib
import sys

import numpy
import upsweep

SEED = int(os.environ.get("UPSWEEP_TEST_SEED", "20261130"))
HERE = [name for code, name in enumerate(upsweep._library.TYPES) if upsweep._library.cpu.types >> code & 1]
TYPES = [*HERE, *(["bool"] if "uint8" in HERE else []), *(["float16"] if "float32" in HERE else [])]


def require_examples(page: str, test) -> None:
    """The examples of a page of docs/ print the documented results."""
    text = (pathlib.Path(__file__).resolve().parents[2] / page).read_text().replace("```", "\n")
    made = doctest.DocTestParser().get_doctest(text, {}, page, None, 0)
    test.assertGreater(len(made.examples), 3)
    test.assertEqual(doctest.DocTestRunner().run(made).failed, 0)


def require_stubs(module, test) -> None:
    """The stubs have the functions and parameters of the module."""
    text = pathlib.Path(module.__file__).with_suffix(".pyi").read_text()
    stubs = {each.name: [a.arg for a in each.args.posonlyargs + each.args.args + each.args.kwonlyargs]
             for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}
    functions = {name: list(inspect.signature(getattr(module, name)).parameters) for name in module.__all__ if inspect.isfunction(getattr(module, name))}
    test.assertEqual(stubs, functions)


def generator(name: str):
    print(f"{name}: UPSWEEP_TEST_SEED={SEED}", file=sys.stderr)
    return numpy.random.default_rng(SEED)


def elements(rng, n: int, dtype: str):
    """Random, equal, sorted, reversed or special elements."""
    kind = rng.integers(6)
    x = rng.integers(-4, 5, n) if kind < 2 else rng.integers(-100, 101, n)
    if kind == 2:
        x = numpy.sort(x)
    elif kind == 3:
        x = numpy.sort(x)[::-1]
    elif kind == 4:
        x[:] = 3
    made = x.astype(dtype)
    if made.dtype.kind == "f" and n and kind in (0, 5):
        special = rng.choice([numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0], n // 3 + 1)
        made[rng.integers(0, n, n // 3 + 1)] = special
    return made


def division(rng, n: int, parts: int) -> list:
    """Lengths of parts of n elements, some of which have none, and sometimes all in one part."""
    if rng.integers(6) == 0:
        made = numpy.zeros(parts, int)
        made[rng.integers(parts)] = n
    else:
        ends = numpy.sort(rng.integers(0, n + 1, parts - 1))
        made = numpy.diff(numpy.concatenate([[0], ends, [n]]))
    return [int(length) for length in made]


def finite_products(x, op):
    """x, or for products of floats -1 to 1 of it: other products overflow in one order and not in another."""
    return numpy.clip(x, -1, 1) if op == "multiplies" and x.dtype.kind == "f" else x


def has_histogram(x) -> bool:
    """Whether the range of the elements is wide enough for ten bins, which equal elements near 2^64 are not."""
    try:
        upsweep.histogram(x)
    except ValueError:
        return False
    return True


def require_equal(got, want, what="") -> None:
    """The same type, shape and bits but for NaNs' bits."""
    got, want = numpy.asarray(got), numpy.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    same = (got == want) | ((got != got) & (want != want))
    if want.dtype.kind == "f":
        same &= (numpy.signbit(got) == numpy.signbit(want)) | (want != want)
    assert same.all(), (what, numpy.argwhere(~same)[:5], got, want)


def require_close(got, want, what="") -> None:
    """Sums in another order: the same type and shape, and nearly the same values."""
    got, want = numpy.asarray(got), numpy.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    tolerance = {"float16": 1e-2, "float32": 1e-5}.get(str(want.dtype), 1e-12)
    with numpy.errstate(invalid="ignore"):
        numpy.testing.assert_allclose(got.astype(float), want.astype(float), rtol=tolerance, atol=tolerance * 1000 if want.dtype.kind == "f" else 0,
                                      err_msg=str(what))
