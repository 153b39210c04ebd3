# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's scans, sorts and recurrences on CPUs by this library, with jit, jvp, grad and vmap.

    scans    cumsum, cumprod, cummax, cummin, cumlogsumexp, associative_scan
    states   linear_recurrence
    orders   sort, argsort, top_k

Arrays have any shape. float16 and bfloat16 are computed as float32 and rounded once. All numbers of threads give the same bits.
"""

import functools as _functools

import jax as _jax
import jax.numpy as _jnp
import numpy as _numpy

from . import _jax_primitives as _primitives
from ._library import OPERATORS as _OPERATORS

__all__ = ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp", "associative_scan", "linear_recurrence", "sort", "argsort", "top_k"]

_HALVES = ("float16", "bfloat16")
_PLUS, _MULTIPLIES, _MINIMUM, _MAXIMUM = range(4)


def _take(x, axis: int):
    """The array, and the axis counted from the front."""
    x = _jnp.asarray(x)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis is {axis}, but the array has {x.ndim} dimensions")
    return x, axis % x.ndim


def _wide(function):
    """Computes float16 and bfloat16 as float32."""

    @_functools.wraps(function)
    def call(x, *rest):
        if x.dtype.name not in _HALVES:
            return function(x, *rest)
        made = function(x.astype("float32"), *rest)
        return (made[0].astype(x.dtype), *made[1:]) if isinstance(made, tuple) else made.astype(x.dtype)

    return call


def _sums(x, axis, reverse):
    if _jnp.iscomplexobj(x):
        return _jax.lax.complex(_sums(x.real, axis, reverse), _sums(x.imag, axis, reverse))
    return _primitives.scan_p.bind(x, axis=axis, op=_PLUS, exclusive=False, reverse=reverse)[0]


@_functools.partial(_jax.custom_jvp, nondiff_argnums=(1, 2))
def _products(x, axis, reverse):
    if _jnp.iscomplexobj(x):
        return _states(x, _jnp.zeros_like(x), _jnp.ones(_primitives.without(x.shape, axis), x.dtype), axis, reverse)
    return _primitives.scan_p.bind(x, axis=axis, op=_MULTIPLIES, exclusive=False, reverse=reverse)[0]


@_products.defjvp
def _tangent_of_products(axis, reverse, primals, tangents):
    """y[t] = x[t] y[t - 1] is a recurrence in y, so zeros need no division."""
    x, = primals
    tangent, = tangents
    made = _products(x, axis, reverse)
    if not x.size:
        return made, tangent
    columns = _primitives.without(x.shape, axis)
    before = _primitives.earlier(made, _jnp.ones(columns, x.dtype), axis, reverse)
    return made, _states(x, tangent * before, _jnp.zeros(columns, x.dtype), axis, reverse)


@_functools.partial(_jax.custom_jvp, nondiff_argnums=(1, 2))
def _logarithmic(x, axis, reverse):
    return _primitives.logarithmic_p.bind(x, axis=axis, reverse=reverse)[0]


@_logarithmic.defjvp
def _tangent_of_logarithmic(axis, reverse, primals, tangents):
    """y[t] depends on y[t - 1] by exp(y[t - 1] - y[t]) and on x[t] by exp(x[t] - y[t]), which are at most 1."""
    x, = primals
    tangent, = tangents
    made = _logarithmic(x, axis, reverse)
    if not x.size:
        return made, tangent
    columns = _primitives.without(x.shape, axis)
    before = _primitives.earlier(made, _jnp.full(columns, -_jnp.inf, x.dtype), axis, reverse)
    factors, own = (_jnp.exp(_jnp.where(each == made, 0, each - made)) for each in (before, x))
    both = _jnp.where((before == made) & (x == made), 0.5, 1).astype(x.dtype)  # two infinities
    return made, _states(factors * both, tangent * own * both, _jnp.zeros(columns, x.dtype), axis, reverse)


@_functools.partial(_jax.custom_jvp, nondiff_argnums=(1, 2))
def _extremes_and_indices(x, axis, smallest):
    return tuple(_primitives.extremes_p.bind(x, axis=axis, smallest=smallest))


@_extremes_and_indices.defjvp
def _tangent_of_extremes(axis, smallest, primals, tangents):
    made, indices = _extremes_and_indices(primals[0], axis, smallest)
    return (made, indices), (_jnp.take_along_axis(tangents[0], indices, axis), _no_tangent(indices))


def _no_tangent(indices):
    return _numpy.zeros(indices.shape, _jax.dtypes.float0)


def _extremes(x, axis, smallest, reverse):
    made, _ = _extremes_and_indices(_jnp.flip(x, axis) if reverse else x, axis, smallest)
    return _jnp.flip(made, axis) if reverse else made


def _states(a, b, initial, axis, reverse):
    return _primitives.recurrence_p.bind(a, b, initial, axis=axis, reverse=reverse)[0]


@_functools.partial(_jax.custom_jvp, nondiff_argnums=(1, 2))
def _ordered(x, count, descending):
    """Of the last axis. Zeros are equal, and NaNs are equal and the largest."""
    keys = x
    if _jnp.issubdtype(x.dtype, _jnp.floating):
        keys = _jnp.where(x != x, _jnp.nan, _jnp.where(x == 0, 0, x)).astype(x.dtype)
    _, indices = _primitives.order_p.bind(keys, count=count, descending=descending)
    return _jnp.take_along_axis(x, indices, -1), indices


@_ordered.defjvp
def _tangent_of_ordered(count, descending, primals, tangents):
    made, indices = _ordered(primals[0], count, descending)
    return (made, indices), (_jnp.take_along_axis(tangents[0], indices, -1), _no_tangent(indices))


def _scan(function, x, axis, *how):
    x, axis = _take(x, axis)
    if x.dtype == bool:
        raise TypeError("arrays of bools have no scans; convert them first")
    return _wide(function)(x, axis, *map(bool, how))


def cumsum(x, axis=0, reverse=False):
    """jax.lax.cumsum: the sums of all elements up to each one along an axis.

    x: array of one dimension or more, of integers, floats or complex numbers; axis: an integer; reverse: from the last element to the first.

    Returns an array of x's shape and dtype. Integers wrap. Raises ValueError for an invalid axis, TypeError for bools.
    """
    return _scan(_sums, x, axis, reverse)


def cumprod(x, axis=0, reverse=False):
    """jax.lax.cumprod: the products of all elements up to each one along an axis; see cumsum(). Derivatives are exact where elements are 0."""
    return _scan(_products, x, axis, reverse)


def cummax(x, axis=0, reverse=False):
    """jax.lax.cummax: the greatest element up to each one along an axis; see cumsum(). From the first NaN on, all are NaN. Derivatives belong to the
    latest of equal elements."""
    return _scan(_extremes, x, axis, False, reverse)


def cummin(x, axis=0, reverse=False):
    """jax.lax.cummin: the least element up to each one along an axis; see cummax()."""
    return _scan(_extremes, x, axis, True, reverse)


def cumlogsumexp(x, axis=0, reverse=False):
    """jax.lax.cumlogsumexp: log(exp(x[0]) + ... + exp(x[i])) along an axis, without an overflow.

    x: array of floats; axis, reverse: as in cumsum(). Totals are doubles.

    Returns an array of x's shape and dtype. Raises ValueError for an invalid axis, TypeError for other types.
    """
    if not _jnp.issubdtype(_jnp.asarray(x).dtype, _jnp.floating):
        raise TypeError(f"cumlogsumexp needs floats, not {_jnp.asarray(x).dtype}")
    return _scan(_logarithmic, x, axis, reverse)


def associative_scan(op, x, reverse=False, axis=0):
    """jax.lax.associative_scan of an operator by its name.

    op: "add", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or" or "bitwise_xor", or jax.numpy's function of that name.
    x: array of one dimension or more; reverse, axis: as in cumsum().

    Returns an array of x's shape and dtype. Raises ValueError for another operator, TypeError for bits of floats, and the errors of cumsum().
    """
    name = op if isinstance(op, str) else getattr(op, "__name__", None)
    code = _OPERATORS.get(name)
    if code is None:
        raise ValueError(f"unknown operator {op!r}; operators are add, multiply, maximum, minimum, bitwise_and, bitwise_or and bitwise_xor")
    if code <= _MAXIMUM:
        return (cumsum, cumprod, cummin, cummax)[code](x, axis, reverse)
    x, axis = _take(x, axis)
    if not _jnp.issubdtype(x.dtype, _jnp.integer):
        raise TypeError(f"{name} needs integers, not {x.dtype}")
    return _primitives.scan_p.bind(x, axis=axis, op=code, exclusive=False, reverse=bool(reverse))[0]


def linear_recurrence(a, b, axis=-1, *, initial=None, reverse=False):
    """The states x[t] = a[t] x[t - 1] + b[t] along an axis: the core of state-space models, gated linear attention and recursive filters.

    a: factors, an array that broadcasts with b; real or complex. Real factors may go with complex b.
    b: array of the states' type: float32, float64, complex64 or complex128; float16 and bfloat16 have states of float32.
    axis: an integer, the axis t of the shape to which a and b broadcast.
    initial: the states before the first step, broadcast to that shape without the axis; None: zeros.
    reverse: x[t] = a[t] x[t + 1] + b[t]; then `initial` comes before the last step.

    Returns an array of the shape to which a and b broadcast. Derivatives of any order, forward and backward, are recurrences. Raises ValueError
    for an invalid axis and shapes that do not broadcast, TypeError for other types.
    """
    a, b = _jnp.asarray(a), _jnp.asarray(b)
    shape = _jnp.broadcast_shapes(a.shape, b.shape)
    dtype = b.dtype
    if dtype.name in _HALVES:
        a, b = a.astype("float32"), b.astype("float32")
    if b.dtype.name not in ("float32", "float64", "complex64", "complex128") or a.dtype not in (b.dtype, b.real.dtype):
        raise TypeError(f"a has dtype {a.dtype} and b has {dtype}; both must be floats or complex numbers of one width, or a real and b complex")
    a, b = _jnp.broadcast_to(a, shape), _jnp.broadcast_to(b, shape)
    b, axis = _take(b, axis)
    columns = _primitives.without(shape, axis)
    first = _jnp.zeros(columns, b.dtype) if initial is None else _jnp.broadcast_to(_jnp.asarray(initial, b.dtype), columns)
    return _states(a, b, first, axis, bool(reverse)).astype(dtype)


def _order(x, axis, count, descending):
    """Values and indices; the axis becomes the last one, and goes back."""
    made = _wide(_ordered)(_jnp.moveaxis(x, axis, -1), x.shape[axis] if count is None else count, descending)
    return tuple(_jnp.moveaxis(each, -1, axis) for each in made)


def sort(x, axis=-1, descending=False):
    """jax.numpy.sort: a stable sort along an axis. NaNs are the largest.

    x: array of one dimension or more, of integers or floats; axis: an integer; descending: from the largest to the smallest.

    Returns an array of x's shape and dtype. Raises ValueError for an invalid axis, TypeError for other types.
    """
    x, axis = _take_keys(x, axis)
    return _order(x, axis, None, bool(descending))[0]


def argsort(x, axis=-1, descending=False):
    """jax.numpy.argsort: the indices, int32, of sort(). Arguments and errors are the same."""
    x, axis = _take_keys(x, axis)
    return _order(x, axis, None, bool(descending))[1]


def top_k(x, k, axis=-1):
    """jax.lax.top_k: (values, indices) of the k largest elements along an axis in order; of equal elements the first ones.

    x: array of one dimension or more, of integers or floats; k: an integer, 0 to the length of the axis.

    Returns two arrays of x's shape but for the axis, whose length is k; the indices are int32. Raises ValueError for an invalid axis or k, TypeError
    for other types.
    """
    x, axis = _take_keys(x, axis)
    if not 0 <= k <= x.shape[axis]:
        raise ValueError(f"k is {k}, but the axis has {x.shape[axis]} elements")
    return _order(x, axis, int(k), True)


def _take_keys(x, axis: int):
    x, axis = _take(x, axis)
    if x.dtype == bool or _jnp.iscomplexobj(x):
        raise TypeError(f"arrays of {x.dtype} have no order here")
    if x.shape[axis] >= 1 << 31:
        raise ValueError("axes of 2^31 elements and more have no indices of 32 bits")
    return x, axis
