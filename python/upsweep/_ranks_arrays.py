# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts that ranks give to distributed.py, and its results, which belong to the library of the part."""

import numpy

from . import _host


def _is_tensor(x) -> bool:
    return type(x).__module__.partition(".")[0] == "torch" and hasattr(x, "device")


def part_of(x, what="the part") -> numpy.ndarray:
    """x as a NumPy array, without a copy."""
    if _is_tensor(x):
        if x.device.type != "cpu":
            raise NotImplementedError(f"{what} is on {x.device}: calls over ranks take tensors in host memory; use x.cpu()")
        if x.requires_grad:
            raise TypeError(f"{what} requires a gradient, which upsweep does not compute; detach() it first")
        return x.numpy()
    if hasattr(x, "__cuda_array_interface__"):
        raise NotImplementedError(f"{what} is on a GPU: calls over ranks take arrays in host memory")
    if isinstance(x, numpy.ma.MaskedArray):
        raise TypeError(f"{what} is masked, and its mask would be ignored; fill or compress it first")
    return numpy.asarray(x)


def line_of(x, what="the part") -> numpy.ndarray:
    """A part in one dimension."""
    array = part_of(x, what)
    if array.ndim != 1:
        raise ValueError(f"{what} has {array.ndim} dimensions, but must have one")
    return array


def widened(array) -> numpy.ndarray:
    """float16 as float32, which represents it."""
    return array.astype(numpy.float32) if _host.is_half_dtype(array.dtype) else array


def type_of(dtype):
    """A dtype of NumPy for the caller's `dtype`, which may be PyTorch's."""
    return None if dtype is None else numpy.dtype(str(dtype).partition("torch.")[2] if str(dtype).startswith("torch.") else dtype)


def given_back(made, x):
    """A result, in the library of the part x."""
    if not _is_tensor(x):
        return made
    import torch

    array = numpy.ascontiguousarray(made)
    return torch.from_numpy(array if array.flags.writeable else array.copy())
