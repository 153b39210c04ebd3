# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators of upsweep.torch on tensors without gradients: PyTorch's types and rules around the calls of this module."""

import torch

from . import _orders, _runs, _scans, _selections
from ._arguments import run, space_of
from ._histogram import histogram
from ._library import CODES, Extremes, Scan
from ._library import cpu as _cpu
from ._recurrence import recur, types_of

# As which type the library computes a type that it lacks. Results are rounded once.
WIDER = {torch.bfloat16: torch.float32, torch.float16: torch.float32}
_SUMS = ("plus", "multiplies")


def plain(x):
    """The tensor without a gradient and with its values in memory."""
    return x.detach().resolve_conj().resolve_neg()


def total_type(dtype, op: str):
    """The type of a scan's results: sums and products of integers and bools have 64 bits, as PyTorch's."""
    is_integer = not dtype.is_floating_point and not dtype.is_complex
    return torch.int64 if is_integer and op in _SUMS else dtype


def axis_of(x, dim: int) -> int:
    """The axis counted from the front; a tensor without dimensions has axis 0."""
    n = max(x.dim(), 1)
    if not -n <= dim < n:
        raise IndexError(f"dim is {dim}, but must be {-n} to {n - 1}")
    return dim % n


def _in_line(x, dim: int):
    """A tensor with an axis, and the axis counted from the front."""
    dim = axis_of(x, dim)
    return (x.reshape(1), 0) if x.dim() == 0 else (x, dim)


def _count(shape) -> int:
    n = 1
    for length in shape:
        n *= length
    return n


def scan(x, op, dim, exclusive, reverse):
    shape = x.shape
    x, dim = _in_line(plain(x), dim)
    if x.is_complex():
        return _scan_complex(x, op, dim, exclusive, reverse).reshape(shape)
    wide = WIDER.get(x.dtype)
    if wide is not None:
        return scan(x.to(wide), op, dim, exclusive, reverse).to(x.dtype).reshape(shape)
    made = torch.empty(x.shape, dtype=total_type(x.dtype, op), device=x.device)
    _scans.scan(x, op, dim, exclusive=exclusive, reverse=reverse, out=made)
    return made.reshape(shape)


def _scan_complex(x, op, dim, exclusive, reverse):
    if op == "plus":
        return torch.view_as_complex(scan(torch.view_as_real(x), op, dim, exclusive, reverse))
    if op != "multiplies":
        raise TypeError(f"complex numbers have no operator {op}")
    if exclusive:
        x = shift(x, dim, reverse, 1)
    ones = torch.ones(x.shape[:dim] + x.shape[dim + 1:], dtype=x.dtype, device=x.device)
    return linear_recurrence(x, torch.zeros_like(x), ones, dim, reverse)[0]


def shift(x, dim, reverse, first):
    """The elements one step later along an axis, or earlier with `reverse`; the first is a number."""
    made = torch.full_like(x, first)
    n = x.shape[dim] - 1
    if n > 0:
        made.narrow(dim, 0 if reverse else 1, n).copy_(x.narrow(dim, 1 if reverse else 0, n))
    return made


def extremes(x, dim, smallest):
    """Running minima or maxima, and the index of the latest element equal to each. From the first NaN on, they are NaN."""
    shape = x.shape
    x, dim = _in_line(plain(x), dim)
    if x.is_complex():
        raise TypeError(f"minima and maxima of {x.dtype} are not defined")
    if x.device.type == "cpu" and x.dtype not in WIDER:
        values, indices = _extremes_on_cpu(x, dim, smallest)
    else:
        values, indices = _extremes_by_scans(x, dim, smallest)
    return values.reshape(shape), indices.reshape(shape)


def _extremes_on_cpu(x, dim, smallest):
    x = x.contiguous()
    values, indices = torch.empty_like(x), torch.empty(x.shape, dtype=torch.int64)
    if x.numel():
        n, inner = x.shape[dim], _count(x.shape[dim + 1:])
        run(_cpu.scan_extremes, Extremes(x.numel() // (n * inner), n, inner, x.data_ptr(), values.data_ptr(), indices.data_ptr(),
                                         space_of(x).code(x), bool(smallest), 0, 0, 0))
    return values, indices


def _extremes_by_scans(x, dim, smallest):
    values = scan(x, "minimum" if smallest else "maximum", dim, False, False)
    places = torch.arange(x.shape[dim], device=x.device).reshape([-1 if k == dim else 1 for k in range(x.dim())])
    found = x == values
    if x.is_floating_point():
        nans = x != x
        if nans.any():
            found |= nans
            values.masked_fill_(scan(nans.view(torch.uint8), "maximum", dim, False, False).view(torch.bool), torch.nan)
            # Once there was a NaN, only NaNs count.
            found &= nans | (values == values)
    return values, scan(torch.where(found, places, 0), "maximum", dim, False, False)


def logcumsumexp(x, dim, reverse):
    shape = x.shape
    x, dim = _in_line(plain(x), dim)
    if x.dtype in WIDER:
        return logcumsumexp(x.float(), dim, reverse).to(x.dtype).reshape(shape)
    if x.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"logcumsumexp of {x.dtype}: floating-point numbers are supported")
    if x.device.type != "cpu":
        return (torch.logcumsumexp(x.flip(dim), dim).flip(dim) if reverse else torch.logcumsumexp(x, dim)).reshape(shape)
    x = x.contiguous()
    made = torch.empty_like(x)
    n, inner = x.shape[dim], _count(x.shape[dim + 1:])
    if x.numel():
        block = n * inner
        code = CODES["float32" if x.dtype == torch.float32 else "float64"]
        run(_cpu.scan_logarithmic, Scan(x.numel() // block, n, inner, block, inner, block, inner, x.data_ptr(), made.data_ptr(), 0, 0, code, 0, 0,
                                        bool(reverse), 0, -1, 0))
    return made.reshape(shape)


def _columns(x, dim: int):
    return x.shape[:dim] + x.shape[dim + 1:]


def linear_recurrence(a, b, initial, dim, reverse):
    a, b = plain(a), plain(b)
    wide = WIDER.get(b.dtype)
    if wide is not None:
        made = linear_recurrence(a.to(wide), b.to(wide), None if initial is None else initial.to(wide), dim, reverse)
        return tuple(each.to(b.dtype) for each in made)
    dim = axis_of(b, dim)
    made = torch.empty(b.shape, dtype=b.dtype, device=b.device)
    last = torch.empty(_columns(b, dim), dtype=b.dtype, device=b.device)
    first = None if initial is None else plain(initial).contiguous()
    if made.numel():
        recur(space_of(b), a, b, made, dim, *types_of(a, b), reverse, first, last)
    elif first is None:
        last.zero_()
    else:
        last.copy_(first)
    return made, last


def recurrence_adjoint(a, gradient, last, dim, reverse):
    """The gradient with regard to b: g[t] = conj(a[t + 1]) g[t + 1] + gradient[t], and that of the last state comes before all."""
    a, gradient = plain(a), plain(gradient)
    wide = WIDER.get(gradient.dtype)
    if wide is not None:
        return recurrence_adjoint(a.to(wide), gradient.to(wide), None if last is None else last.to(wide), dim, reverse).to(gradient.dtype)
    dim = axis_of(gradient, dim)
    made = torch.empty(gradient.shape, dtype=gradient.dtype, device=gradient.device)
    n = gradient.shape[dim]
    if not made.numel():
        return made
    end = 0 if reverse else n - 1
    first = gradient.select(dim, end).contiguous() if last is None else gradient.select(dim, end) + plain(last)
    made.select(dim, end).copy_(first)
    if n > 1:
        factors, others, rest = (x.narrow(dim, int(k), n - 1) for x, k in ((a, not reverse), (gradient, reverse), (made, reverse)))
        factors = plain(factors.conj()) if a.is_complex() else factors
        recur(space_of(made), factors, others, rest, dim, *types_of(factors, others), not reverse, first, None)
    return made


def products_with_earlier(x, y, first, dim, reverse):
    """x[t] * conj(y[t - 1]) along an axis, with `first` in place of the products of the first step."""
    made = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    n = x.shape[dim] - 1
    made.select(dim, n if reverse else 0).copy_(first)
    later, earlier, to = (each.narrow(dim, int(k), n) for each, k in ((x, not reverse), (y, reverse), (made, not reverse)))
    torch.mul(later, earlier.conj() if y.is_complex() else earlier, out=to)
    return made


def segmented_scan(x, offsets, op, exclusive):
    x = plain(x)
    if x.dtype in WIDER:
        return segmented_scan(x.to(WIDER[x.dtype]), offsets, op, exclusive).to(x.dtype)
    return _scans.segmented_scan(x, plain(offsets), op, exclusive=exclusive, dtype=total_type(x.dtype, op))


_IDENTITIES = {"plus": 0, "multiplies": 1}


def identity(op: str, dtype):
    """The total of no element."""
    if op in _IDENTITIES:
        return _IDENTITIES[op]
    limits = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    if dtype.is_floating_point:
        return torch.inf if op == "minimum" else -torch.inf
    return limits.max if op == "minimum" else limits.min


def segment_reduce(x, offsets, op):
    x, offsets = plain(x), plain(offsets).long()
    dtype = total_type(x.dtype, op)
    starts, ends = offsets[:-1], offsets[1:]
    made = torch.full(starts.shape, identity(op, dtype), dtype=dtype, device=x.device)
    if x.numel() and starts.numel():
        totals = segmented_scan(x, offsets, op, False)
        torch.where(ends > starts, totals[(ends - 1).clamp_(0)], made, out=made)
    return made


def select(x, mask):
    x, mask = plain(x), plain(mask)
    wide = {2: torch.int16, 4: torch.int32, 8: torch.int64}.get(x.element_size()) if x.dtype in WIDER else None
    if wide is not None:  # bits are enough
        return _selections.select(x.view(wide), mask).view(x.dtype)
    return _selections.select(x, mask)


def unique_consecutive(x, return_inverse, return_counts):
    x = plain(x)
    made = _runs.unique(x.reshape(-1), return_inverse=True, return_counts=True) if return_inverse or return_counts else (
        _runs.unique(x.reshape(-1)),)
    none = torch.empty(0, dtype=torch.int64, device=x.device)
    return made[0], made[1].reshape(x.shape) if return_inverse else none, made[2] if return_counts else none


def sort(x, dim, descending):
    """The values and the indices of a stable sort, in which zeros are equal and NaNs are equal and the largest."""
    shape = x.shape
    x, dim = _in_line(plain(x), dim)
    keys = x.to(WIDER.get(x.dtype, x.dtype))
    if x.is_floating_point():
        special = (keys != keys) | ((keys == 0) & torch.signbit(keys))
        if special.any():
            keys = torch.where(keys != keys, torch.nan, keys) + 0.0
    if keys is x:
        values, indices = _sorted(x, dim, descending)
    else:
        _, indices = _sorted(keys, dim, descending)
        values = x.gather(dim, indices)
    return values.reshape(shape), indices.reshape(shape)


def _sorted(x, dim, descending):
    return tuple(each.contiguous() for each in _orders.sort_with_indices(x, dim, descending))


def top_k(x, k, dim, largest):
    shape = x.shape
    x, dim = _in_line(plain(x), dim)
    if not 0 <= k <= x.shape[dim]:
        raise ValueError(f"k is {k}, but the axis has {x.shape[dim]} elements")
    values, indices = _orders.top_k(x.to(WIDER.get(x.dtype, x.dtype)), k, dim, largest=largest)
    made = values.to(x.dtype).contiguous(), indices.contiguous()
    return tuple(each.reshape(()) for each in made) if not shape and k == 1 else made


def bincount(x, minlength):
    x = plain(x)
    if x.dim() != 1 or x.is_floating_point() or x.is_complex() or x.dtype == torch.bool:
        raise TypeError("bincount needs integers in one dimension")
    if not x.numel():
        return torch.zeros(minlength, dtype=torch.int64, device=x.device)
    least, most = (int(each) for each in torch.aminmax(x))
    if least < 0:
        raise ValueError(f"bincount: {least} is negative")
    if most >= 1 << 40:
        raise ValueError(f"bincount: {most} needs more bins than fit memory")
    bins = max(most + 1, minlength)
    return histogram(x, bins=bins, range=(0, bins))[0]
