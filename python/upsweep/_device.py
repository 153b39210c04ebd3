# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of PyTorch, CuPy, JAX, and others with __cuda_array_interface__, by the functions of _host.py.

Memory comes from the array's own library, and work is queued on that library's current stream. A library is imported only
when an array needs it.
"""

import sys

from . import _host, _library
from ._library import CODES, SIZES, TYPES, Half
from ._shapes import AxisError


def space_of(x):
    """The object with the functions for x's kind of array."""
    kind = type(x).__module__.partition(".")[0]
    if kind == "torch":
        return _torch(x.device.type)
    if kind == "cupy":
        return _cupy()
    if kind in ("jaxlib", "jax"):
        return _jax(x)
    if hasattr(x, "__cuda_array_interface__"):
        return _torch("cuda") if "cupy" not in sys.modules and "torch" in sys.modules else _cupy()
    return _host  # NumPy's subclasses, and others that NumPy can read


class _Space:
    """Common code for arrays of PyTorch and CuPy."""

    AxisError = AxisError
    sums_segments_wide = False

    def code(self, array):
        return self.codes[array.dtype]

    def is_bool(self, array):
        return array.dtype == self.bool

    def dtype_code(self, dtype):
        code = self.codes.get(dtype)
        if code is None and self.is_half_dtype(dtype):
            raise Half("the call does not support dtype float16")
        return _host.dtype_code(dtype) if code is None else code

    def checked(self, x, what):
        code = self.codes.get(x.dtype)
        if code is None and self.is_half_dtype(x.dtype):
            raise Half(f"{what} has dtype float16, which the call does not support")
        if code is None or not self.library.types >> code & 1 and not self.is_bool(x):
            here = ", ".join(name for k, name in enumerate(TYPES) if self.library.types >> k & 1)
            raise TypeError(f"{what} has dtype {x.dtype}; supported are {here}")
        return x

    def is_half_dtype(self, dtype):
        return str(dtype) in ("float16", "torch.float16")

    def is_bool_dtype(self, dtype):
        return dtype is bool or dtype == self.bool

    def take_keys(self, x):
        return self.take(x, "the array of keys")

    def take_out(self, out, shape, code, boolean=False):
        if type(out).__module__.partition(".")[0] != self.module:
            raise TypeError(f"out is {type(out).__name__}, but the input is an array of {self.module}")
        if tuple(out.shape) != tuple(shape):
            raise ValueError(f"out has shape {tuple(out.shape)}, but the result has {tuple(shape)}")
        if self.codes.get(out.dtype) != code or self.is_bool(out) != boolean:
            if self.is_half_dtype(out.dtype):
                raise Half(f"out has dtype float16, but the result has {TYPES[code]}")
            raise TypeError(f"out has dtype {out.dtype}, but the result has {'bool' if boolean else TYPES[code]}")
        return out

    def extent(self, array):
        last = sum((length - 1) * abs(step) for length, step in zip(array.shape, self.strides(array)))
        begin = self.pointer(array)
        return begin, begin + (last + 1) * SIZES[self.code(array)]

    def overlaps(self, array, out):
        if self.pointer(array) == self.pointer(out) and self.strides(array) == self.strides(out):
            return SIZES[self.code(array)] != SIZES[self.code(out)]
        (a, b), (c, d) = self.extent(array), self.extent(out)
        return a < d and c < b

    def reshape(self, array, shape):
        return array.reshape(shape)

    def is_narrow(self, places):
        return self.library is _library.cpu and _host.is_narrow(places)

    def scans_backward(self, op, exclusive):
        return self.library is _library.cpu or (op == _library.PLUS and not exclusive)

    def scalar(self, array):
        return array

    def give(self, array):
        return array

    def check_out(self, out, b):
        if type(out).__module__.partition(".")[0] != self.module:
            raise TypeError(f"out is {type(out).__name__}, but the input is an array of {self.module}")
        if tuple(out.shape) != tuple(b.shape):
            raise ValueError(f"out has shape {tuple(out.shape)}, but the result has {tuple(b.shape)}")
        if out.dtype != b.dtype:
            raise TypeError(f"out has dtype {out.dtype}, but the result has {b.dtype}")

    def require_radii(self, array, radii, are_integers):
        if not are_integers:
            raise TypeError(f"radius must be an integer or an array of integers; it has dtype {radii.dtype}")
        if tuple(radii.shape) != tuple(array.shape):
            raise ValueError(f"radius has shape {tuple(radii.shape)}, but the image has {tuple(array.shape)}")

    def heads_of_keys(self, keys):
        heads = self.ones_of_bytes(keys, keys.shape[0])
        heads[1:] = keys[1:] != keys[:-1]
        return heads


class _Torch(_Space):
    """PyTorch's tensors, on GPUs and on CPUs."""

    module = "torch"

    def __init__(self, torch, device):
        self.torch, self.is_cuda = torch, device == "cuda"
        if device not in ("cuda", "cpu"):
            raise TypeError(f"tensors on {device} are not supported; move them to the CPU or a CUDA device")
        self.library = _library.cuda() if self.is_cuda else _library.cpu
        self.dtypes = [getattr(torch, name, None) for name in TYPES]  # uint16 and wider came with PyTorch 2.3
        self.bool = torch.bool
        self.codes = {dtype: code for code, dtype in enumerate(self.dtypes) if dtype is not None} | {torch.bool: CODES["uint8"]}
        self.sums_segments_wide = not self.is_cuda
        self.stream_of = getattr(torch._C, "_cuda_getCurrentRawStream", None) or (
            lambda device: torch.cuda.current_stream(device).cuda_stream)

    def take(self, x, what="the array"):
        torch = self.torch
        if not isinstance(x, torch.Tensor):
            x = torch.as_tensor(x, device="cuda" if self.is_cuda else "cpu")
        if x.is_cuda != self.is_cuda:
            raise ValueError(f"{what} is on {x.device}, but other arrays of the call are not")
        if x.layout != torch.strided:
            raise TypeError(f"{what} is sparse")
        if x.requires_grad and torch.is_grad_enabled():
            raise TypeError(f"{what} requires a gradient, which upsweep does not compute; detach() it first")
        x = self.checked(x, what)
        if x.dtype == torch.bool and self.is_cuda:
            return x.to(torch.int32) if what == "the array" else x
        return x.resolve_neg() if x.is_neg() else x

    def pointer(self, array):
        return array.data_ptr()

    def strides(self, array):
        return list(array.stride())

    def is_dense(self, array):
        return array.is_contiguous()

    def copy(self, array):
        return array.contiguous()

    def convert(self, array, to):
        return array.to(self.dtypes[to], copy=True)

    def empty(self, array, shape, of, boolean=False):
        return self.torch.empty(tuple(shape), dtype=self.bool if boolean else self.dtypes[of], device=array.device)

    def transpose(self, array, order):
        return array.permute(order)

    def assign(self, to, value):
        to.copy_(value)

    def fill(self, to, value):
        to.fill_(value)

    def flip(self, array, axis):
        return array.flip(axis)

    def bytes_from(self, array):
        return (array if array.dtype == self.bool else array != 0).contiguous().view(self.torch.uint8)

    def ones_of_bytes(self, array, n):
        return self.torch.ones(n, dtype=self.torch.uint8, device=array.device)

    def heads_of_offsets(self, array, offsets):
        n = array.shape[0]
        heads = self.torch.zeros(n + 1, dtype=self.torch.uint8, device=array.device)
        heads[self.torch.as_tensor(offsets, device=array.device).long().clamp(0, n)] = 1
        return heads[:n]

    def bounds_of_offsets(self, array, offsets):
        torch, n = self.torch, array.shape[0]
        offsets = torch.as_tensor(offsets, device=array.device).long().clamp(0, n).sort().values
        return torch.nn.functional.pad(torch.nn.functional.pad(offsets, (1, 0)), (0, 1), value=n)

    def numbers(self, array, n):
        return self.torch.arange(n, dtype=self.torch.int64, device=array.device)

    def take_any(self, x):
        if not isinstance(x, self.torch.Tensor):
            return self.torch.as_tensor(x, device="cuda" if self.is_cuda else "cpu")
        if x.is_cuda != self.is_cuda:
            raise ValueError(f"values are on {x.device}, but the keys are not")
        return x

    def take_along(self, array, indices):
        return array.gather(-1, indices)

    def join(self, a, b):
        return self.torch.cat([a, b])

    def take_radii(self, array, radii):
        radii = self.torch.as_tensor(radii, device=array.device)
        self.require_radii(array, radii, not (radii.is_floating_point() or radii.is_complex() or radii.dtype == self.bool))
        is_unsigned = radii.dtype == getattr(self.torch, "uint64", None)
        radii = radii.long().contiguous()
        return self.torch.where(radii < 0, _host.MOST_RADIUS, radii) if is_unsigned else radii  # 2^63 and more are negative now

    def take_coefficients(self, a, b):
        torch = self.torch
        a = torch.as_tensor(a, device=b.device)
        for x in (a, b):
            if x.requires_grad and torch.is_grad_enabled():
                raise TypeError("an array requires a gradient; upsweep.torch.linear_recurrence computes it")
        if a.device != b.device:
            raise ValueError(f"a is on {a.device}, but b is on {b.device}")
        return torch.broadcast_tensors(*(x.resolve_neg().resolve_conj() for x in (a, b)))

    def take_initial(self, x, b, shape):
        x = self.torch.as_tensor(x, device=b.device)
        if not self.torch.can_cast(x.dtype, b.dtype):
            raise TypeError(f"initial has dtype {x.dtype}, but the states have {b.dtype}")
        return x.to(b.dtype).broadcast_to(shape)

    def empty_states(self, b, shape):
        return self.torch.empty(shape, dtype=b.dtype, device=b.device)

    def count(self, array):
        place = self.torch.empty((), dtype=self.torch.int64, device=array.device)
        return place.data_ptr(), place.item

    def doubles(self, array, values):
        return self.torch.as_tensor(values, dtype=self.torch.float64, device=array.device)

    def where(self, array):
        if not self.is_cuda:
            return -1, 0
        device = array.device.index
        return device, self.stream_of(device)


class _CuPy(_Space):
    """Arrays of CuPy, and arrays that CuPy accepts by __cuda_array_interface__."""

    module = "cupy"

    def __init__(self, cupy):
        self.cupy = cupy
        self.library = _library.cuda()
        self.dtypes = [cupy.dtype(name) for name in TYPES]
        self.bool = cupy.dtype(bool)
        self.codes = {dtype: code for code, dtype in enumerate(self.dtypes)} | {self.bool: CODES["uint8"]}

    def take(self, x, what="the array"):
        if not isinstance(x, self.cupy.ndarray):
            x = self.cupy.asarray(x)  # the current stream waits for the interface's stream
        if x.device.id != self.cupy.cuda.runtime.getDevice():
            raise ValueError(f"{what} is on device {x.device.id}, which is not CuPy's current device")
        x = self.checked(x, what)
        return x.astype(self.cupy.int32) if x.dtype == self.bool and what == "the array" else x

    def pointer(self, array):
        return array.data.ptr

    def strides(self, array):
        return [step // array.itemsize if step % array.itemsize == 0 else 0 for step in array.strides]

    def is_dense(self, array):
        return array.flags.c_contiguous

    def copy(self, array):
        return self.cupy.ascontiguousarray(array)

    def convert(self, array, to):
        return array.astype(self.dtypes[to])

    def empty(self, array, shape, of, boolean=False):
        return self.cupy.empty(tuple(shape), self.bool if boolean else self.dtypes[of])

    def transpose(self, array, order):
        return array.transpose(order)

    def assign(self, to, value):
        to[...] = value

    fill = assign

    def flip(self, array, axis):
        return self.cupy.ascontiguousarray(self.cupy.flip(array, axis))

    def bytes_from(self, array):
        return self.cupy.ascontiguousarray(array if array.dtype == self.bool else array != 0).view(self.cupy.uint8)

    def ones_of_bytes(self, array, n):
        return self.cupy.ones(n, self.cupy.uint8)

    def heads_of_offsets(self, array, offsets):
        n = array.shape[0]
        heads = self.cupy.zeros(n + 1, self.cupy.uint8)
        heads[self.cupy.clip(self.cupy.asarray(offsets), 0, n)] = 1
        return heads[:n]

    def bounds_of_offsets(self, array, offsets):
        cupy, n = self.cupy, array.shape[0]
        bounds = cupy.zeros(len(offsets) + 2, cupy.int64)
        bounds[1:-1], bounds[-1] = cupy.sort(cupy.clip(cupy.asarray(offsets), 0, n)), n
        return bounds

    def numbers(self, array, n):
        return self.cupy.arange(n, dtype=self.cupy.int64)

    def take_any(self, x):
        return self.cupy.asarray(x)

    def take_along(self, array, indices):
        return self.cupy.take_along_axis(array, indices, -1)

    def join(self, a, b):
        return self.cupy.concatenate([a, b])

    def take_radii(self, array, radii):
        radii = self.cupy.asarray(radii)
        self.require_radii(array, radii, radii.dtype.kind in "iu")
        if radii.dtype == self.cupy.uint64:
            radii = self.cupy.minimum(radii, self.cupy.uint64(_host.MOST_RADIUS))
        return self.cupy.ascontiguousarray(radii, self.cupy.int64)

    def take_coefficients(self, a, b):
        return self.cupy.broadcast_arrays(self.cupy.asarray(a), self.cupy.asarray(b))

    def take_initial(self, x, b, shape):
        x = self.cupy.asarray(x)
        if not self.cupy.can_cast(x.dtype, b.dtype, "same_kind"):
            raise TypeError(f"initial has dtype {x.dtype}, but the states have {b.dtype}")
        return self.cupy.broadcast_to(x.astype(b.dtype), shape)

    def empty_states(self, b, shape):
        return self.cupy.empty(shape, b.dtype)

    def count(self, array):
        place = self.cupy.empty((), self.cupy.int64)
        return place.data.ptr, lambda: int(place)

    def doubles(self, array, values):
        return self.cupy.asarray(values, self.cupy.float64)

    def where(self, array):
        return array.data.device_id, self.cupy.cuda.get_current_stream().ptr


class _Jax(_CuPy):
    """JAX's arrays, which CuPy accesses through DLPack; DLPack orders the streams of both. Results are JAX arrays. `out` is not
    supported."""

    def take(self, x, what="the array"):
        return super().take(self.seen(x), what)

    def take_any(self, x):
        return super().take_any(self.seen(x))

    def take_radii(self, array, radii):
        return super().take_radii(array, self.seen(radii))

    def seen(self, x):
        return self.cupy.from_dlpack(x) if type(x).__module__.partition(".")[0] in ("jaxlib", "jax") else x

    def take_coefficients(self, a, b):
        return super().take_coefficients(self.seen(a), self.seen(b))

    def take_initial(self, x, b, shape):
        return super().take_initial(self.seen(x), b, shape)

    def take_out(self, out, shape, code, boolean=False):
        raise TypeError("JAX's arrays cannot be written; omit out")

    def check_out(self, out, b):
        self.take_out(out, b.shape, None)

    def give(self, array):
        import jax.dlpack

        return jax.dlpack.from_dlpack(array)


_spaces = {}


def _torch(device):
    if device not in _spaces:
        import torch

        _spaces[device] = _Torch(torch, device)
    return _spaces[device]


def _cupy(kind=_CuPy):
    if kind not in _spaces:
        try:
            import cupy
        except ImportError:
            raise TypeError("this array on a GPU needs CuPy, which is not installed; install it, or import torch first") from None
        _spaces[kind] = kind(cupy)
    return _spaces[kind]


def _jax(x):
    return _host if next(iter(x.devices())).platform == "cpu" else _cupy(_Jax)
