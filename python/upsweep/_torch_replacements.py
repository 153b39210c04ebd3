# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""enable(): PyTorch's own operators by this library. Each replacement has a condition, and calls PyTorch's kernel where it does not hold."""

import contextlib
import threading
import warnings

import torch

from . import _torch_kernels as kernels

# Elements from which the library is used: below, a call takes less time than the way to it.
FEW = 1 << 16

_lock = threading.Lock()
_active = []  # the registrations
_REAL = {torch.float32, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8}
_FLOATS = {torch.float32, torch.float64}


def _is_ours(x, types=_REAL) -> bool:
    return x.dtype in types and x.numel() >= FEW and x.dim() > 0 and x.layout == torch.strided


def _scan(op):
    def call(theirs, x, dim, *, dtype=None):
        if not (_is_ours(x) and (dtype is None or dtype in _REAL) and -x.dim() <= dim < x.dim()):
            return theirs(x, dim, dtype=dtype)
        made = kernels.scan(x if dtype is None else x.to(dtype), op, dim, False, False)
        return made if dtype is None or made.dtype == dtype else made.to(dtype)

    return call


def _scan_to(op):
    of = _scan(op)

    def call(theirs, x, dim, *, dtype=None, out):
        dtype = dtype or out.dtype
        if not (_is_ours(x) and dtype in _REAL and dtype == out.dtype and out.shape == x.shape and -x.dim() <= dim < x.dim()):
            return theirs(x, dim, dtype=dtype, out=out)
        return out.copy_(of(theirs, x, dim, dtype=dtype))

    return call


def _extremes(smallest):
    def call(theirs, x, values, indices, dim):
        if not (_is_ours(x) and -x.dim() <= dim < x.dim()):
            return theirs(x, values, indices, dim)
        for place, made in zip((values, indices), kernels.extremes(x, dim, smallest)):
            place.copy_(made)
        return None

    return call


def _logcumsumexp(theirs, x, dim):
    ours = _is_ours(x, _FLOATS) and -x.dim() <= dim < x.dim()
    return kernels.logcumsumexp(x, dim, False) if ours else theirs(x, dim)


def _sort(theirs, x, *, stable, dim=-1, descending=False):
    ours = _is_ours(x) and -x.dim() <= dim < x.dim()
    return kernels.sort(x, dim, descending) if ours else theirs(x, stable=stable, dim=dim, descending=descending)


def _top_k(theirs, x, k, dim=-1, largest=True, sorted=True):
    ours = _is_ours(x) and -x.dim() <= dim < x.dim() and 0 <= k <= x.shape[dim]
    return kernels.top_k(x, k, dim, largest) if ours else theirs(x, k, dim, largest, sorted)


def _masked_select(theirs, x, mask):
    ours = _is_ours(x) and mask.dtype == torch.bool and mask.shape == x.shape
    return kernels.select(x, mask) if ours else theirs(x, mask)


def _unique_consecutive(theirs, x, return_inverse=False, return_counts=False, dim=None):
    if dim is not None or not _is_ours(x):
        return theirs(x, return_inverse, return_counts, dim)
    return kernels.unique_consecutive(x, return_inverse, return_counts)


_REPLACEMENTS = {
    "cumsum": _scan("plus"), "cumsum.out": _scan_to("plus"), "cumprod": _scan("multiplies"), "cumprod.out": _scan_to("multiplies"),
    "_cummax_helper": _extremes(False), "_cummin_helper": _extremes(True), "_logcumsumexp": _logcumsumexp, "sort.stable": _sort,
    "topk": _top_k, "masked_select": _masked_select, "unique_consecutive": _unique_consecutive,
}
_KEYS = {"cpu": torch._C.DispatchKey.CPU, "cuda": torch._C.DispatchKey.CUDA}


def _replacement(name, function, device):
    key = _KEYS[device]
    kernel, keys = torch.library.get_kernel(f"aten::{name}", key), torch._C.DispatchKeySet(key)

    def theirs(*args, **kwargs):
        return kernel.call_boxed(keys, *args, **kwargs)

    def call(*args, **kwargs):
        return function(theirs, *args, **kwargs)

    return call


def enable(device="cpu"):
    """PyTorch's operators call this library from now on, in this process: cumsum, cumprod, cummax, cummin, logcumsumexp, sort, argsort, topk,
    masked_select and unique_consecutive, as functions, as methods, and within other functions and gradients.

    device: "cpu" or "cuda", whose operators are replaced.

    Tensors of fewer than 65,536 elements, and types that the library lacks, go on to PyTorch's kernels, 5 µs later than before. Raises
    RuntimeError if PyTorch is older than 2.9, ValueError for another device. A second call changes nothing.
    """
    if device not in _KEYS:
        raise ValueError(f"device is {device!r}, but must be cpu or cuda")
    if not hasattr(torch.library, "get_kernel"):
        raise RuntimeError(f"enable() needs PyTorch 2.9 or newer, and this is {torch.__version__}")
    with _lock:
        if any(name == device for name, _ in _active):
            return
        calls = {name: _replacement(name, function, device) for name, function in _REPLACEMENTS.items()}
        library = torch.library.Library("aten", "IMPL")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*verriding a previously registered kernel.*")
            for name, call in calls.items():
                library.impl(name, call, device.upper())
        _active.append((device, library))


def disable():
    """PyTorch's operators are PyTorch's own again."""
    with _lock:
        while _active:
            _active.pop()[1]._destroy()


@contextlib.contextmanager
def enabled(device="cpu"):
    """PyTorch's operators call this library within a `with` statement; see enable(). If enable() was called before, nothing changes.

    device: "cpu" or "cuda".
    """
    before = bool(_active)
    enable(device)
    try:
        yield
    finally:
        if not before:
            disable()
