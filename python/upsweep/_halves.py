# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float16, which the libraries lack. Its arrays are converted to float32, which represents every float16, and results are
rounded once."""

import functools
import inspect

import numpy

from ._library import Half


def is_half(x) -> bool:
    dtype = getattr(x, "dtype", None)
    return str(dtype) in ("float16", "torch.float16") or isinstance(dtype, numpy.dtype) and dtype.kind == "f" and dtype.itemsize == 2


def widen(x):
    """An array of float16 as float32."""
    return x.float() if hasattr(x, "float") else x.astype("float32")


def _narrow(result, place: int):
    """Rounds a result of float32; of a tuple only result number `place`."""
    if isinstance(result, tuple):
        return tuple(_narrow(each, 0) if i == place else each for i, each in enumerate(result))
    if str(result.dtype) not in ("float32", "torch.float32"):
        return result  # indices
    return result.half() if hasattr(result, "half") else result.astype("float16")


def of_halves(*names, place=0, alike=False):
    """Makes a function accept float16 for the arguments with these names, for `dtype` and for `out`. The result, or result
    number `place` of several, has the first argument's type. With `alike`, all these arguments or none must be float16."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Half as found:
                refusal = str(found)
            try:
                return _by_floats(function, names, place, alike, args, kwargs, refusal)
            except Half as found:  # an argument that may not be float16
                refusal = str(found)
            raise TypeError(refusal)

        return call

    return decorate


def _by_floats(function, names, place, alike, args, kwargs, refusal):
    bound = inspect.signature(function).bind(*args, **kwargs)
    given, parameters = bound.arguments, bound.signature.parameters
    halves = [name for name in names if is_half(given.get(name))]
    if alike and 0 < len(halves) < len(names):
        raise TypeError(f"{halves[0]} has dtype float16, but other arrays have not; convert one of them first")
    for name in halves:
        given[name] = widen(given[name])
    dtype, out = given.get("dtype"), given.get("out")
    if dtype is not None:
        is_narrow = str(dtype) == "torch.float16" or "torch" not in str(dtype) and numpy.dtype(dtype) == numpy.float16
    else:
        is_narrow = is_half(out) if out is not None and "dtype" in parameters else names[0] in halves
    if not halves and not is_narrow or is_half(out) and not is_narrow:
        raise TypeError(refusal)
    if is_narrow and "dtype" in parameters:
        given["dtype"] = "float32"
    if not is_half(out):
        return _narrow(function(*bound.args, **bound.kwargs), place) if is_narrow else function(*bound.args, **bound.kwargs)
    del given["out"]
    result = _narrow(function(*bound.args, **bound.kwargs), place)
    has_several = isinstance(result, tuple)
    made = result[place] if has_several else result
    if tuple(out.shape) != tuple(made.shape):
        raise ValueError(f"out has shape {tuple(out.shape)}, but the result has {tuple(made.shape)}")
    out[...] = made
    return tuple(out if i == place else each for i, each in enumerate(result)) if has_several else out
