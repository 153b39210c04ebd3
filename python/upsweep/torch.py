# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's scans, sorts and selections by this library, with gradients, torch.compile, vmap and autocast.

    scans        cumsum, cumprod, cummax, cummin, logcumsumexp, scan, segmented_scan
    states       linear_recurrence
    totals       segment_reduce, bincount
    orders       sort, argsort, topk
    selections   masked_select, unique_consecutive
    PyTorch's    enable, disable, enabled: torch.cumsum and others call this library

Functions with PyTorch's names take PyTorch's arguments. Tensors are on the CPU or on a CUDA device. On CPUs these functions leave tensors of fewer
than 65,536 elements, float16 and bfloat16 to PyTorch; other functions compute float16 and bfloat16 as float32 and round once. All results have
the same bits in each run: nothing needs torch.use_deterministic_algorithms.
"""

import torch as _torch

from . import _torch_kernels as _kernels
from ._library import OPERATORS as _OPERATORS
from ._torch_operators import ops as _ops
from ._torch_replacements import disable, enable, enabled

__all__ = ["cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "scan", "segmented_scan", "linear_recurrence", "segment_reduce", "bincount",
           "sort", "argsort", "topk", "masked_select", "unique_consecutive", "enable", "disable", "enabled"]

_NAMES = ("plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor")


# Elements below which functions with PyTorch's names call PyTorch's, whose call then takes less time than the way to this library.
_FEW = 1 << 16


def _is_few(x) -> bool:
    """Whether PyTorch's own function is called: few numbers, or half types on CPUs, which would be converted."""
    if x.device.type != "cpu" or _torch.compiler.is_compiling():
        return False
    return x.numel() < _FEW or x.dtype in _kernels.WIDER


def _operator(op) -> str:
    name = op if isinstance(op, str) else getattr(op, "__name__", None)
    if name not in _OPERATORS:
        raise ValueError(f"unknown operator {op!r}; operators are {', '.join(_NAMES)}")
    return _NAMES[_OPERATORS[name]]


def _given(result, out):
    """The result, or `out` with its values, as PyTorch fills it."""
    if out is None:
        return result
    for made, place in zip(result, out) if isinstance(result, tuple) else [(result, out)]:
        if made.requires_grad or place.requires_grad:
            raise RuntimeError("arguments with out= do not support gradients; use torch.no_grad(), or omit out")
        if not _torch.can_cast(made.dtype, place.dtype):
            raise RuntimeError(f"the result has dtype {made.dtype}, which out of {place.dtype} cannot take")
        if place.shape != made.shape:
            place.resize_(made.shape)
        place.copy_(made)
    return out


def scan(x, op="plus", dim=-1, *, exclusive=False, reverse=False, out=None):
    """The totals of all elements up to each one along an axis.

    x: tensor of any shape and strides; integers, floats, bools; complex numbers for plus and multiplies.
    op: "plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor", or torch.add, torch.mul and the like. minimum and maximum of
        a number and a NaN are the number.
    dim: an integer, the axis.
    exclusive: element i is the total of the elements before i, and the first is the operator's identity.
    reverse: from the last element to the first.
    out: tensor for the result.

    Returns a tensor of x's shape; sums and products of integers and bools have 64 bits. Gradients: plus and multiplies; minimum and maximum
    unless exclusive or reverse. Raises IndexError for an invalid axis, ValueError for an unknown operator, TypeError for other types.
    """
    return _given(_ops.scan(x, _operator(op), dim, exclusive, reverse), out)


def cumsum(x, dim, *, dtype=None, out=None):
    """torch.cumsum: the sums of all elements up to each one along `dim`.

    x: tensor of any shape and strides; dtype: type to which x is converted first; out: tensor for the result.

    Returns a tensor of x's shape; sums of integers and bools have 64 bits unless `dtype` says otherwise. Raises IndexError for an invalid axis.
    """
    if _is_few(x):
        return _torch.cumsum(x, dim, dtype=dtype, out=out)
    return _given(_typed(x, "plus", dim, dtype), out)


def cumprod(x, dim, *, dtype=None, out=None):
    """torch.cumprod: the products of all elements up to each one along `dim`. Arguments, result and errors are those of cumsum(). Gradients are
    exact where elements are 0."""
    if _is_few(x):
        return _torch.cumprod(x, dim, dtype=dtype, out=out)
    return _given(_typed(x, "multiplies", dim, dtype), out)


def _typed(x, op, dim, dtype):
    made = _ops.scan(x if dtype is None else x.to(dtype), op, dim, False, False)
    return made if dtype is None or made.dtype == dtype else made.to(dtype)


def cummax(x, dim, *, out=None):
    """torch.cummax: (values, indices), the greatest element up to each one along `dim`, and the index of the latest such element. From the first
    NaN on, values are NaN.

    x: tensor of any shape and strides, of real numbers or bools; out: a tuple of two tensors for the results.

    Returns two tensors of x's shape, the indices int64. Raises IndexError for an invalid axis, TypeError for complex numbers.
    """
    if _is_few(x):
        return _torch.cummax(x, dim, out=out)
    return _pair("cummax", _ops.extremes(x, dim, False), out)


def cummin(x, dim, *, out=None):
    """torch.cummin: (values, indices), the least element up to each one along `dim`; see cummax()."""
    if _is_few(x):
        return _torch.cummin(x, dim, out=out)
    return _pair("cummin", _ops.extremes(x, dim, True), out)


def _pair(name, made, out=None):
    return getattr(_torch.return_types, name)(_given(tuple(made), out))


def logcumsumexp(x, dim, *, reverse=False, out=None):
    """torch.logcumsumexp: log(exp(x[0]) + ... + exp(x[i])) along `dim`, without an overflow.

    x: tensor of floating-point numbers; reverse: from the last element to the first; out: tensor for the result. Totals are doubles on CPUs.

    Returns a tensor of x's shape and dtype. Raises IndexError for an invalid axis, TypeError for other types.
    """
    if not reverse and _is_few(x):
        return _torch.logcumsumexp(x, dim, out=out)
    return _given(_ops.logcumsumexp(x, dim, reverse), out)


def segmented_scan(x, offsets, op="plus", *, exclusive=False):
    """A scan that starts again at each offset.

    x: tensor in one dimension; offsets: integers in one dimension, 0 to len(x), in any order; op, exclusive: as in scan(). A nested tensor of
    layout torch.jagged has these as values() and offsets().

    Returns a tensor of x's length. Gradients: plus. Raises ValueError for other shapes, and for offsets that the tensor does not have.
    """
    _require_line(x, offsets)
    return _ops.segmented_scan(x, offsets, _operator(op), exclusive)


def segment_reduce(x, offsets, op="plus"):
    """The total of each segment.

    x: tensor in one dimension; offsets: n + 1 ascending integers: segment i is x[offsets[i]:offsets[i + 1]]; op: as in scan().

    Returns a tensor of n totals; that of an empty segment is the operator's identity, and sums and products of integers have 64 bits.
    Gradients: plus. Raises ValueError for other shapes, and on CPUs for offsets that fall or that the tensor does not have.
    """
    _require_line(x, offsets)
    if offsets.shape[0] < 1:
        raise ValueError("offsets need one element at least")
    if offsets.device.type == "cpu" and not _torch.compiler.is_compiling() and not isinstance(offsets, _torch._subclasses.FakeTensor):
        if int(offsets[0]) < 0 or int(offsets[-1]) > x.shape[0] or bool((offsets[1:] < offsets[:-1]).any()):
            raise ValueError(f"offsets must rise from 0 to {x.shape[0]}")
    return _ops.segment_reduce(x, offsets, _operator(op))


def _require_line(x, offsets):
    if x.dim() != 1 or offsets.dim() != 1:
        raise ValueError(f"x has {x.dim()} dimensions and offsets have {offsets.dim()}; both must have one")
    if offsets.is_floating_point() or offsets.is_complex() or offsets.dtype == _torch.bool:
        raise TypeError(f"offsets have dtype {offsets.dtype}, but must be integers")


def linear_recurrence(a, b, dim=-1, *, initial=None, reverse=False, return_last=False):
    """The states x[t] = a[t] x[t - 1] + b[t] along an axis: the core of state-space models (S5, Mamba), gated linear attention and recursive
    filters.

    a: factors, a tensor that broadcasts with b; real or complex. Real factors may go with complex b.
    b: tensor of the states' type; float32, float64, complex64, complex128; float16 and bfloat16 have states of float32.
    dim: an integer, the axis t of the shape to which a and b broadcast.
    initial: the states before the first step, broadcast to that shape without the axis; None: zeros.
    reverse: x[t] = a[t] x[t + 1] + b[t]; then `initial` comes before the last step.
    return_last: returns the states and the last computed states.

    Returns a tensor of the shape to which a and b broadcast; with return_last a tuple of it and a tensor without the axis. Gradients, also
    second ones, reach a, b and initial; the backward pass is one recurrence in the other direction and one product. Raises IndexError for an
    invalid axis, RuntimeError for shapes that do not broadcast, TypeError for other types.
    """
    a, b = _torch.broadcast_tensors(a, b)
    if not b.dim():
        raise IndexError("the tensors have no dimension, so there is no axis")
    dim = _kernels.axis_of(b, dim)
    if initial is not None:
        initial = initial.to(b.dtype).broadcast_to(b.shape[:dim] + b.shape[dim + 1:])
    states, last = _ops.linear_recurrence(a, b, initial, dim, reverse)
    return (states, last) if return_last else states


def sort(x, dim=-1, descending=False, stable=True, *, out=None):
    """torch.sort: (values, indices) of a sort along `dim`. The sort is always stable. NaNs are equal and the largest, zeros are equal.

    x: tensor of any shape and strides, of real numbers or bools; out: a tuple of two tensors for the results.

    Returns two tensors of x's shape, the indices int64. Raises IndexError for an invalid axis, TypeError for other types.
    """
    if _is_few(x):
        return _torch.sort(x, dim=dim, descending=descending, stable=True, out=out)
    return _pair("sort", _ops.sort(x, dim, descending), out)


def argsort(x, dim=-1, descending=False, stable=True):
    """torch.argsort: the indices of sort()."""
    return _torch.argsort(x, dim=dim, descending=descending, stable=True) if _is_few(x) else _ops.sort(x, dim, descending)[1]


def topk(x, k, dim=-1, largest=True, sorted=True, *, out=None):
    """torch.topk: (values, indices) of the k largest elements along `dim` in order, or of the k smallest. Of equal elements the first ones are taken.

    x: tensor of any shape and strides, of real numbers; k: 0 to the length of the axis; out: a tuple of two tensors for the results.

    Returns two tensors of x's shape but for the axis, whose length is k. Raises IndexError for an invalid axis, ValueError for an invalid k.
    """
    if _is_few(x):
        return _torch.topk(x, k, dim, largest, out=out)
    return _pair("topk", _ops.top_k(x, k, dim, largest), out)


def masked_select(x, mask, *, out=None):
    """torch.masked_select: the elements where the mask is true, in C's order.

    x: tensor; mask: tensor of bools that broadcasts with x; out: tensor for the result.

    Returns a tensor in one dimension. Raises TypeError for a mask that is not of bools.
    """
    if mask.dtype != _torch.bool:
        raise TypeError(f"the mask has dtype {mask.dtype}, but must have bools")
    if _is_few(x) and mask.numel() < _FEW:
        return _torch.masked_select(x, mask, out=out)
    return _given(_ops.select(*_torch.broadcast_tensors(x, mask)), out)


def unique_consecutive(x, return_inverse=False, return_counts=False):
    """torch.unique_consecutive without an axis: the first element of each run of equal neighbours.

    x: tensor of any shape, taken in C's order, of real numbers or bools; return_inverse: also the number of each element's run, int64, in x's
    shape; return_counts: also the length of each run, int64.

    Returns a tensor, or a tuple of it and the others. Raises TypeError for other types.
    """
    made = _ops.unique_consecutive(x, return_inverse, return_counts)
    kept = (made[0],) + (made[1:2] if return_inverse else ()) + (made[2:] if return_counts else ())
    return kept[0] if len(kept) == 1 else kept


def bincount(x, minlength=0):
    """torch.bincount without weights: the number of elements of each value.

    x: tensor of non-negative integers in one dimension; minlength: the least length of the result.

    Returns a tensor of int64. Raises ValueError for negative numbers, TypeError for other types and shapes.
    """
    return _ops.bincount(x, minlength)
