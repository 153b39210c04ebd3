# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xarray's sums of Dask arrays by upsweep.dask: its chunk manager for Dask, and the function behind DataArray.cumsum()."""

import numpy

from ._dask_scans import scan

_SUMS, _PRODUCTS = ("cumsum", "nancumsum"), ("cumprod", "nancumprod")
_before = {}


def install(*, compensated=True):
    """Makes xarray compute running sums and products of Dask arrays by upsweep.dask, until uninstall().

    compensated: sums of floats carry their rounding errors along, so that results do not depend on chunks; see scan().

    This replaces xarray's chunk manager for Dask by one whose scan() is ours where its function is a running sum or product, and
    the function that DataArray.cumsum(), Dataset.cumsum() and cumprod() call. Other arrays, types and functions are xarray's as before.

    Raises ImportError without xarray, and RuntimeError for a version of xarray that has other names for these.
    """
    try:
        from xarray.core import duck_array_ops
        from xarray.namedarray import daskmanager, parallelcompat
    except ImportError as error:
        raise ImportError(f"upsweep.dask.install() needs xarray 2023.5 or newer ({error})") from None
    managers = parallelcompat.list_chunkmanagers()
    if not all(hasattr(duck_array_ops, name) for name in ("cumsum", "cumprod")) or "dask" not in managers:
        raise RuntimeError("this xarray has no duck_array_ops.cumsum or no chunk manager for Dask")
    uninstall()

    class Manager(daskmanager.DaskManager):
        def scan(self, func, binop, ident, arr, axis=None, dtype=None, **kwargs):
            name = _name_of(func)
            if name is None or not _is_ours(arr):
                return super().scan(func, binop, ident, arr, axis=axis, dtype=dtype, **kwargs)
            return _running(arr, name, axis, dtype, compensated)

    _before.update(managers=managers, manager=managers["dask"], module=duck_array_ops,
                   functions={name: getattr(duck_array_ops, name) for name in ("cumsum", "cumprod")})
    managers["dask"] = Manager()
    for name, function in _before["functions"].items():
        setattr(duck_array_ops, name, _replacing(name, function, compensated))


def uninstall():
    """Gives xarray its own functions back. Without install() it does nothing."""
    if _before:
        _before["managers"]["dask"] = _before["manager"]
        for name, function in _before["functions"].items():
            setattr(_before["module"], name, function)
        _before.clear()


def _replacing(name, function, compensated):
    def call(array, axis=None, skipna=None, **kwargs):
        if not _is_ours(array) or kwargs.keys() - {"dtype"}:
            return function(array, axis=axis, skipna=skipna, **kwargs)
        skips = array.dtype.kind == "f" if skipna is None else skipna
        axes = range(array.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        for each in axes:
            array = _running(array, f"nan{name}" if skips else name, each, kwargs.get("dtype"), compensated)
        return array

    call.__name__, call.numeric_only = name, function.numeric_only if hasattr(function, "numeric_only") else True
    return call


def _name_of(function):
    owner = getattr(function, "__self__", None)
    if getattr(function, "__name__", None) == "accumulate" and isinstance(owner, numpy.ufunc):
        return {"add": "cumsum", "multiply": "cumprod"}.get(owner.__name__)
    known = {getattr(numpy, name): name for name in (*_SUMS, *_PRODUCTS)}
    try:
        return known.get(function)
    except TypeError:
        return None


def _is_ours(array) -> bool:
    import dask.array

    return isinstance(array, dask.array.Array) and isinstance(array._meta, numpy.ndarray) and array.ndim > 0 and array.dtype.kind in "biuf" and (
        array.dtype.itemsize <= 8 and not isinstance(array._meta, numpy.ma.MaskedArray))


def _running(array, name: str, axis, dtype, compensated):
    op, identity = ("plus", 0) if name in _SUMS else ("multiplies", 1)
    if name.startswith("nan") and array.dtype.kind == "f":
        import dask.array

        array = dask.array.where(dask.array.isnan(array), array.dtype.type(identity), array)
    is_float = (array.dtype if dtype is None else numpy.dtype(dtype)).kind == "f"
    return scan(array, op, axis, dtype=dtype, compensated=compensated and op == "plus" and is_float)
