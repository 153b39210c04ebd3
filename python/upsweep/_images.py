# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Summed-area tables of images, and filters."""

from ._arguments import given, has_none, prepare, result_place, run, space_of, type_of_result, whole_number
from ._library import MINIMUM, PLUS, Image


def _call(function, space, array, target, is_wide=False, radius=0, radii=None, times=1) -> None:
    shape = tuple(array.shape)
    if not has_none(shape):
        device, stream = space.where(array)
        call = Image(shape[-2], shape[-1], 1, shape[-1], shape[0] if len(shape) == 3 else 1, space.pointer(array), space.pointer(target),
                     0 if radii is None else space.pointer(radii), radius, times, space.code(array), is_wide, device, 0, stream)
        run(function, call)


def _require_image(array) -> None:
    if len(array.shape) not in (2, 3):
        raise ValueError(f"an image has two dimensions, and images three; there are {len(array.shape)}")


def summed_area_table(x, *, dtype=None, out=None):
    """out[..., y, x] = the sum of all elements up to row y and column x; of shape (height, width) or (images, height, width)."""
    space = space_of(x)
    array = space.take(x)
    _require_image(array)
    array, code, is_wide, _ = prepare(space, array, PLUS, dtype, out)
    array = space.copy(array)
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.summed_area, space, array, target, is_wide)
    return given(space, target, code, out)


def box_filter(x, radius, *, repeat=1, dtype=None, out=None):
    """The mean of the elements up to `radius` away in both directions: docs/python.md#images."""
    space = space_of(x)
    array = space.take(x)
    _require_image(array)
    if dtype is None and out is None and space.is_bool(array):
        raise TypeError("the means of bools have no type of their own; give dtype")
    code = type_of_result(space, array, MINIMUM, dtype, out)
    array = space.copy(array) if space.code(array) == code and not space.is_bool(array) else space.convert(array, code)
    repeat, radii = whole_number(repeat, "repeat"), None
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}, and must be 1 or more")
    if hasattr(radius, "__index__") and not getattr(radius, "shape", ()):
        radius = radius.__index__()
        if radius < 0:
            raise ValueError(f"the radius is {radius}, and must be 0 or more")
    else:
        radii, radius = space.take_radii(array, radius), 0
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.box_filter, space, array, target, radius=min(radius, 1 << 40), radii=radii, times=repeat)
    return given(space, target, code, out)
