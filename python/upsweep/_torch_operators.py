# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators upsweep::… of PyTorch: their schemas, kernels, shapes, gradients and rules for vmap and autocast."""

import torch

from . import _torch_kernels as kernels

_library = torch.library.Library("upsweep", "DEF")
ops = torch.ops.upsweep


def _define(name, parameters, results, kernel, fake, setup=None, backward=None, batch=None, is_wide=False):
    _library.define(f"{name}({parameters}) -> {results}")
    for device in ("CPU", "CUDA"):
        _library.impl(name, kernel, device)
    qualified = f"upsweep::{name}"
    torch.library.register_fake(qualified, fake, lib=_library)
    if backward is not None:
        torch.library.register_autograd(qualified, backward, setup_context=setup, lib=_library)
    if batch is not None:
        torch.library.register_vmap(qualified, batch, lib=_library)
    if is_wide:
        for device in ("cpu", "cuda"):
            torch.library.register_autocast(qualified, device, torch.float32, lib=_library)


def _step(x, dim, n, later):
    """The elements along an axis without the first ones, or without the last."""
    return x.narrow(dim, n if later else 0, x.shape[dim] - n)


def shift(x, dim, reverse, first):
    """The elements one step later along an axis (earlier with `reverse`) behind `first`, a tensor without the axis."""
    parts = [first.unsqueeze(dim), _step(x, dim, 1, reverse)]
    return torch.cat(parts[::-1] if reverse else parts, dim)


# Scans ------------------------------------------------------------------------------------------------------------------------


def _fake_scan(x, op, dim, exclusive, reverse):
    kernels.axis_of(x, dim)
    return x.new_empty(x.shape, dtype=kernels.total_type(x.dtype, op))


def _keep_scan(ctx, inputs, output):
    x, ctx.op, ctx.dim, ctx.exclusive, ctx.reverse = inputs
    ctx.save_for_backward(*(() if ctx.op == "plus" else (x, output)))


def _gradient_of_scan(ctx, gradient):
    dim = ctx.dim
    if ctx.op == "plus":
        made = ops.scan(gradient, "plus", dim, ctx.exclusive, not ctx.reverse)
    elif ctx.op == "multiplies":
        made = _gradient_of_product(*ctx.saved_tensors, gradient, dim, ctx.exclusive, ctx.reverse)
    elif ctx.op in ("minimum", "maximum") and not ctx.exclusive and not ctx.reverse:
        x, _ = ctx.saved_tensors
        _, indices = ops.extremes(x, dim, ctx.op == "minimum")
        made = torch.zeros_like(gradient).scatter_add(dim, indices, gradient)
    else:
        raise NotImplementedError(f"upsweep.torch: the scan by {ctx.op} has no gradient here")
    return made, None, None, None, None


def _gradient_of_product(x, y, gradient, dim, exclusive, reverse):
    """y[t] = x[t] y[t - 1] is a recurrence in y, so zeros need no division."""
    if not x.dim():
        return gradient if not exclusive else torch.zeros_like(gradient)
    dim = kernels.axis_of(x, dim)
    if not x.shape[dim]:
        return torch.zeros_like(gradient)
    one = torch.ones_like(x.select(dim, 0))
    factors = x.conj() if x.is_complex() else x
    if exclusive:
        adjoint = ops.linear_recurrence(factors, gradient, None, dim, not reverse)[0]
        return shift(adjoint, dim, not reverse, torch.zeros_like(one)) * y.conj()
    adjoint = ops.recurrence_adjoint(x, gradient, None, dim, reverse)
    return adjoint * shift(y, dim, reverse, one).conj()


def _batch_scan(info, in_dims, x, op, dim, exclusive, reverse):
    x = x.movedim(in_dims[0], 0)
    if x.dim() == 1:
        return ops.scan(x.unsqueeze(1), op, 1, exclusive, reverse).squeeze(1), 0
    return ops.scan(x, op, dim if dim < 0 else dim + 1, exclusive, reverse), 0


_define("scan", "Tensor x, str op, int dim, bool exclusive, bool reverse", "Tensor", kernels.scan, _fake_scan, _keep_scan, _gradient_of_scan,
        _batch_scan, is_wide=True)


def _fake_extremes(x, dim, smallest):
    kernels.axis_of(x, dim)
    return x.new_empty(x.shape), x.new_empty(x.shape, dtype=torch.int64)


def _keep_indices(ctx, inputs, output):
    ctx.dim, ctx.shape = inputs[1], inputs[0].shape
    ctx.save_for_backward(output[1])


def _gradient_at_indices(ctx, gradient):
    indices, = ctx.saved_tensors
    if not ctx.shape:
        return gradient.reshape(())
    return torch.zeros(ctx.shape, dtype=gradient.dtype, device=gradient.device).scatter_add(kernels.axis_of(gradient, ctx.dim), indices, gradient)


def _batch_extremes(info, in_dims, x, dim, smallest):
    x = x.movedim(in_dims[0], 0)
    if x.dim() == 1:
        return tuple(each.squeeze(1) for each in ops.extremes(x.unsqueeze(1), 1, smallest)), (0, 0)
    return ops.extremes(x, dim if dim < 0 else dim + 1, smallest), (0, 0)


_define("extremes", "Tensor x, int dim, bool smallest", "(Tensor, Tensor)", kernels.extremes, _fake_extremes, _keep_indices,
        lambda ctx, values, indices: (_gradient_at_indices(ctx, values), None, None), _batch_extremes)


def _keep_logcumsumexp(ctx, inputs, output):
    x, ctx.dim, ctx.reverse = inputs
    ctx.save_for_backward(x, output)


def _gradient_of_logcumsumexp(ctx, gradient):
    """y[t] depends on y[t - 1] by exp(y[t - 1] - y[t]) and on x[t] by exp(x[t] - y[t]), which are at most 1."""
    x, y = ctx.saved_tensors
    if not x.numel():
        return torch.zeros_like(gradient), None, None
    if not x.dim():
        return gradient.clone(), None, None
    dim = kernels.axis_of(x, ctx.dim)
    before = shift(y, dim, ctx.reverse, torch.full_like(y.select(dim, 0), -torch.inf))
    factors, own = (torch.where(each == y, 0.0, each - y).exp() for each in (before, x))
    both = torch.where((before == y) & (x == y), 0.5, 1.0)  # two infinities
    adjoint = ops.recurrence_adjoint(factors * both, gradient, None, dim, ctx.reverse)
    return adjoint * own * both, None, None


def _batch_logcumsumexp(info, in_dims, x, dim, reverse):
    x = x.movedim(in_dims[0], 0)
    if x.dim() == 1:
        return x.clone(), 0
    return ops.logcumsumexp(x, dim if dim < 0 else dim + 1, reverse), 0


_define("logcumsumexp", "Tensor x, int dim, bool reverse", "Tensor", kernels.logcumsumexp, lambda x, dim, reverse: x.new_empty(x.shape),
        _keep_logcumsumexp, _gradient_of_logcumsumexp, _batch_logcumsumexp, is_wide=True)

# Recurrences ------------------------------------------------------------------------------------------------------------------


def _fake_recurrence(a, b, initial, dim, reverse):
    columns = list(b.shape)
    kernels.axis_of(b, dim)
    del columns[dim]
    return b.new_empty(b.shape), b.new_empty(columns)


def _keep_recurrence(ctx, inputs, output):
    a, _, initial, ctx.dim, ctx.reverse = inputs
    ctx.has_initial = initial is not None
    ctx.save_for_backward(a, output[0], *([initial] if ctx.has_initial else []))
    ctx.set_materialize_grads(False)


def _real_if(gradient, like):
    return gradient.real if gradient.is_complex() and not like.is_complex() else gradient


def _conj(x):
    return x.conj() if x.is_complex() else x


def _products(x, y, dim, reverse, first):
    """x[t] * conj(y[t - 1]) along an axis, with `first` in place of the products of the first step."""
    if not torch.is_grad_enabled():
        return ops.products_with_earlier(x, y, first, dim, reverse)
    parts = [first.unsqueeze(dim), _step(x, dim, 1, not reverse) * _conj(_step(y, dim, 1, reverse))]
    return torch.cat(parts[::-1] if reverse else parts, dim)


def _batch_products(info, in_dims, x, y, first, dim, reverse):
    x, y, first = (_in_front(each, of, info.batch_size) for each, of in zip((x, y, first), in_dims))
    return ops.products_with_earlier(x, y, first, dim + 1, reverse), 0


_define("products_with_earlier", "Tensor x, Tensor y, Tensor first, int dim, bool reverse", "Tensor", kernels.products_with_earlier,
        lambda x, y, first, dim, reverse: x.new_empty(x.shape), batch=_batch_products)


def _gradient_of_recurrence(ctx, gradient, of_last):
    a, states = ctx.saved_tensors[:2]
    initial = ctx.saved_tensors[2] if ctx.has_initial else None
    if gradient is None and of_last is None:
        return None, None, None, None, None
    gradient = torch.zeros_like(states) if gradient is None else gradient
    dim = kernels.axis_of(states, ctx.dim)
    if not states.shape[dim]:
        return torch.zeros_like(a), torch.zeros_like(states), of_last if ctx.has_initial else None, None, None
    adjoint = ops.recurrence_adjoint(a, gradient, of_last, dim, ctx.reverse)
    begin = states.shape[dim] - 1 if ctx.reverse else 0
    of_first = adjoint.select(dim, begin)
    of_a = None
    if ctx.needs_input_grad[0]:
        first = torch.zeros_like(of_first) if initial is None else of_first * _conj(initial)
        of_a = _real_if(_products(adjoint, states, dim, ctx.reverse, first), a)
    return of_a, adjoint, _conj(a.select(dim, begin)) * of_first if ctx.has_initial else None, None, None


def _in_front(x, in_dim, size):
    if x is None:
        return None
    return x.unsqueeze(0).expand(size, *x.shape) if in_dim is None else x.movedim(in_dim, 0)


def _batch_recurrence(info, in_dims, a, b, initial, dim, reverse):
    a, b, initial = (_in_front(x, of, info.batch_size) for x, of in zip((a, b, initial), in_dims))
    return ops.linear_recurrence(a, b, initial, dim if dim < 0 else dim + 1, reverse), (0, 0)


_define("linear_recurrence", "Tensor a, Tensor b, Tensor? initial, int dim, bool reverse", "(Tensor, Tensor)", kernels.linear_recurrence,
        _fake_recurrence, _keep_recurrence, _gradient_of_recurrence, _batch_recurrence, is_wide=True)


def _keep_adjoint(ctx, inputs, output):
    a, _, last, ctx.dim, ctx.reverse = inputs
    ctx.has_last = last is not None
    ctx.save_for_backward(a, output)


def _gradient_of_adjoint(ctx, gradient):
    a, adjoint = ctx.saved_tensors
    dim = kernels.axis_of(adjoint, ctx.dim)
    if not adjoint.shape[dim]:
        return torch.zeros_like(a), torch.zeros_like(adjoint), None, None, None
    # The recurrence in the other direction, from zeros.
    of_gradient = ops.linear_recurrence(a, gradient, None, dim, ctx.reverse)[0]
    zero = torch.zeros_like(adjoint.select(dim, 0))
    of_a = _real_if(_products(adjoint, of_gradient, dim, ctx.reverse, zero), a)
    end = 0 if ctx.reverse else adjoint.shape[dim] - 1
    return of_a, of_gradient, of_gradient.select(dim, end) if ctx.has_last else None, None, None


def _batch_adjoint(info, in_dims, a, gradient, last, dim, reverse):
    a, gradient, last = (_in_front(x, of, info.batch_size) for x, of in zip((a, gradient, last), in_dims))
    return ops.recurrence_adjoint(a, gradient, last, dim if dim < 0 else dim + 1, reverse), 0


_define("recurrence_adjoint", "Tensor a, Tensor gradient, Tensor? last, int dim, bool reverse", "Tensor", kernels.recurrence_adjoint,
        lambda a, gradient, last, dim, reverse: gradient.new_empty(gradient.shape), _keep_adjoint, _gradient_of_adjoint, _batch_adjoint)

# Segments ---------------------------------------------------------------------------------------------------------------------


def _keep_segments(ctx, inputs, output):
    x, offsets, ctx.op = inputs[:3]
    ctx.exclusive = inputs[3] if len(inputs) > 3 else False
    ctx.n = x.shape[0]
    ctx.save_for_backward(offsets)


def _gradient_of_segmented_scan(ctx, gradient):
    if ctx.op != "plus":
        raise NotImplementedError(f"upsweep.torch: the segmented scan by {ctx.op} has no gradient here")
    offsets, = ctx.saved_tensors
    return ops.segmented_scan(gradient.flip(0), ctx.n - offsets, "plus", ctx.exclusive).flip(0), None, None, None


_define("segmented_scan", "Tensor x, Tensor offsets, str op, bool exclusive", "Tensor", kernels.segmented_scan,
        lambda x, offsets, op, exclusive: x.new_empty(x.shape, dtype=kernels.total_type(x.dtype, op)), _keep_segments,
        _gradient_of_segmented_scan)


def _gradient_of_segment_reduce(ctx, gradient):
    if ctx.op != "plus":
        raise NotImplementedError(f"upsweep.torch: segment_reduce by {ctx.op} has no gradient here")
    offsets, = ctx.saved_tensors
    numbers = torch.arange(ctx.n, device=gradient.device)
    segment = torch.searchsorted(offsets, numbers, right=True) - 1
    inside = (segment >= 0) & (segment < gradient.shape[0])
    return torch.where(inside, gradient[segment.clamp(0, max(gradient.shape[0] - 1, 0))], 0) if gradient.shape[0] else (
        gradient.new_zeros(ctx.n)), None, None


_define("segment_reduce", "Tensor x, Tensor offsets, str op", "Tensor", kernels.segment_reduce,
        lambda x, offsets, op: x.new_empty(offsets.shape[0] - 1, dtype=kernels.total_type(x.dtype, op)), _keep_segments,
        _gradient_of_segment_reduce)

# Selections and orders --------------------------------------------------------------------------------------------------------


def _fake_select(x, mask):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def _keep_mask(ctx, inputs, output):
    ctx.save_for_backward(inputs[1])


def _gradient_of_select(ctx, gradient):
    mask, = ctx.saved_tensors
    return gradient.new_zeros(mask.shape).masked_scatter(mask, gradient), None


_define("select", "Tensor x, Tensor mask", "Tensor", kernels.select, _fake_select, _keep_mask, _gradient_of_select)


def _fake_unique(x, return_inverse, return_counts):
    runs = torch.library.get_ctx().new_dynamic_size()
    whole = {"dtype": torch.int64}
    return x.new_empty(runs), x.new_empty(x.shape if return_inverse else 0, **whole), x.new_empty(runs if return_counts else 0, **whole)


_define("unique_consecutive", "Tensor x, bool return_inverse, bool return_counts", "(Tensor, Tensor, Tensor)", kernels.unique_consecutive,
        _fake_unique)


def _batch_sort(info, in_dims, x, dim, descending):
    x = x.movedim(in_dims[0], 0)
    if x.dim() == 1:
        return (x.clone(), torch.zeros_like(x, dtype=torch.int64)), (0, 0)
    return ops.sort(x, dim if dim < 0 else dim + 1, descending), (0, 0)


_define("sort", "Tensor x, int dim, bool descending", "(Tensor, Tensor)", kernels.sort, _fake_extremes, _keep_indices,
        lambda ctx, values, indices: (_gradient_at_indices(ctx, values), None, None), _batch_sort)


def _fake_top_k(x, k, dim, largest):
    shape = list(x.shape)
    kernels.axis_of(x, dim)
    if shape:
        shape[dim] = k
    return x.new_empty(shape), x.new_empty(shape, dtype=torch.int64)


def _keep_top_k(ctx, inputs, output):
    ctx.dim, ctx.shape = inputs[2], inputs[0].shape
    ctx.save_for_backward(output[1])


def _batch_top_k(info, in_dims, x, k, dim, largest):
    x = x.movedim(in_dims[0], 0)
    if x.dim() == 1:
        return (x.clone(), torch.zeros_like(x, dtype=torch.int64)), (0, 0)
    return ops.top_k(x, k, dim if dim < 0 else dim + 1, largest), (0, 0)


_define("top_k", "Tensor x, int k, int dim, bool largest", "(Tensor, Tensor)", kernels.top_k, _fake_top_k, _keep_top_k,
        lambda ctx, values, indices: (_gradient_at_indices(ctx, values), None, None, None), _batch_top_k)


def _fake_bincount(x, minlength):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.int64)


_define("bincount", "Tensor x, int minlength", "Tensor", kernels.bincount, _fake_bincount)
