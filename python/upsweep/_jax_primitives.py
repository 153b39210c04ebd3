# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The primitives of upsweep.jax: calls of the library by XLA's foreign function interface, their shapes, and rules for jvp, transposition and
vmap."""

import ctypes
import functools
import pathlib

import jax
import jax.numpy as jnp
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from ._library import OPERATORS

_TARGETS = ("scan", "logarithmic", "extremes", "recurrence", "order")

try:
    _handlers = ctypes.CDLL(str(pathlib.Path(__file__).parent / "libupsweep-python-jax.so"))
except OSError as error:
    raise ImportError(f"upsweep.jax needs the library for JAX, which was not built: cmake -DUPSWEEP_JAX_INCLUDE=… ({error})") from None
for _name in _TARGETS:
    jax.ffi.register_ffi_target(f"upsweep_{_name}", jax.ffi.pycapsule(getattr(_handlers, f"upsweep_jax_{_name}")), platform="cpu")


def _primitive(name, results, implementation, batch):
    """A primitive whose results have the shapes and types that results(*shapes, **parameters) gives."""
    made = Primitive(f"upsweep_{name}")
    made.multiple_results = True

    def call(*arrays, **how):
        return tuple(jax.ffi.ffi_call(f"upsweep_{name}", results(*arrays, **how))(*arrays, **implementation(**how)))

    made.def_impl(lambda *arrays, **how: _compiled(call, tuple(sorted(how.items())))(*arrays))
    made.def_abstract_eval(lambda *arrays, **how: tuple(jax.core.ShapedArray(x.shape, x.dtype) for x in results(*arrays, **how)))
    mlir.register_lowering(made, mlir.lower_fun(call, multiple_results=True), platform="cpu")
    batching.primitive_batchers[made] = functools.partial(_batched, made) if batch is None else batch
    return made


@functools.lru_cache(maxsize=None)
def _compiled(call, how):
    return jax.jit(functools.partial(call, **dict(how)))


def _batched(primitive, arrays, places, *, axis, **how):
    """The batch becomes the first axis."""
    size = next(x.shape[at] for x, at in zip(arrays, places) if at is not None)
    moved = [jnp.broadcast_to(x, (size, *x.shape)) if at is None else jnp.moveaxis(x, at, 0) for x, at in zip(arrays, places)]
    made = primitive.bind(*moved, axis=axis + 1, **how)
    return made, (0,) * len(made)


def _batched_order(arrays, places, *, count, descending):
    made = order_p.bind(jnp.moveaxis(arrays[0], places[0], 0), count=count, descending=descending)
    return made, (0, 0)


def like(x, shape=None, dtype=None):
    return jax.ShapeDtypeStruct(x.shape if shape is None else shape, x.dtype if dtype is None else dtype)


def _numbers(**how):
    return {name: numpy.int64(value) if type(value) is int else numpy.bool_(value) for name, value in how.items()}


def without(shape, axis: int):
    return shape[:axis] + shape[axis + 1:]


scan_p = _primitive("scan", lambda x, **_: (like(x),), _numbers, None)
logarithmic_p = _primitive("logarithmic", lambda x, **_: (like(x),), _numbers, None)
extremes_p = _primitive("extremes", lambda x, **_: (like(x), like(x, dtype=numpy.int32)), _numbers, None)
order_p = _primitive("order", lambda x, count, **_: (like(x, (*x.shape[:-1], count)), like(x, (*x.shape[:-1], count), numpy.int32)),
                     lambda count, descending: {"descending": numpy.bool_(descending)}, _batched_order)
recurrence_p = _primitive("recurrence", lambda a, b, initial, **_: (like(b),), _numbers, None)

PLUS = OPERATORS["plus"]


def _zeros_like(x):
    return jnp.zeros(x.shape, x.dtype)


def _transposed_scan(gradients, x, *, axis, op, exclusive, reverse):
    gradient, = gradients
    if type(gradient) is ad.Zero:
        return (ad.Zero(x.aval),)
    return tuple(scan_p.bind(gradient, axis=axis, op=op, exclusive=exclusive, reverse=not reverse))


def _tangent_of_scan(primals, tangents, *, op, **how):
    """Of sums; the other operators have rules of their own functions."""
    if op != PLUS:
        raise NotImplementedError("upsweep.jax: this scan has no derivative")
    x, = primals
    tangent, = tangents
    made = scan_p.bind(x, op=op, **how)
    return made, [ad.Zero.from_primal_value(made[0])] if type(tangent) is ad.Zero else scan_p.bind(tangent, op=op, **how)


ad.primitive_transposes[scan_p] = _transposed_scan
ad.primitive_jvps[scan_p] = _tangent_of_scan

# The recurrence is linear in b and the initial states, so that derivatives of any order are recurrences.


def earlier(x, first, axis: int, reverse: bool):
    """The elements one step earlier along an axis (later with `reverse`), with `first` in front."""
    rest = jax.lax.slice_in_dim(x, int(reverse), x.shape[axis] - (not reverse), axis=axis)
    parts = [jnp.expand_dims(first, axis), rest]
    return jnp.concatenate(parts[::-1] if reverse else parts, axis)


def _tangent_of_recurrence(primals, tangents, *, axis, reverse):
    a, b, initial = primals
    of_a, of_b, of_initial = tangents
    states, = recurrence_p.bind(a, b, initial, axis=axis, reverse=reverse)
    if all(type(each) is ad.Zero for each in tangents):
        return [states], [ad.Zero.from_primal_value(states)]
    new = _zeros_like(b) if type(of_b) is ad.Zero else of_b
    if type(of_a) is not ad.Zero and states.shape[axis]:
        new = new + of_a * earlier(states, initial, axis, reverse)
    first = _zeros_like(initial) if type(of_initial) is ad.Zero else of_initial
    return [states], recurrence_p.bind(a, new, first, axis=axis, reverse=reverse)


def _transposed_recurrence(gradients, a, b, initial, *, axis, reverse):
    gradient, = gradients
    b_shape, first_shape = (x.aval if ad.is_undefined_primal(x) else x for x in (b, initial))
    if type(gradient) is ad.Zero or not gradient.shape[axis]:
        of_b, of_initial = _zeros_like(b_shape), _zeros_like(first_shape)
    else:
        # JAX's transposes do not conjugate.
        last, zero = (0 if reverse else a.shape[axis] - 1), jnp.zeros(without(a.shape, axis), a.dtype)
        of_b, = recurrence_p.bind(earlier(a, zero, axis, not reverse), gradient, _zeros_like(first_shape), axis=axis, reverse=not reverse)
        begin = a.shape[axis] - 1 - last
        of_initial = jax.lax.index_in_dim(a, begin, axis, False) * jax.lax.index_in_dim(of_b, begin, axis, False)
    return None, of_b if ad.is_undefined_primal(b) else None, of_initial if ad.is_undefined_primal(initial) else None


ad.primitive_jvps[recurrence_p] = _tangent_of_recurrence
ad.primitive_transposes[recurrence_p] = _transposed_recurrence
