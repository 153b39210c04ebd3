# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Summed-area tables of images, and filters."""

from ._arguments import given, has_none, prepare, result_place, run, space_of, type_of_result, wants_bool, whole_number
from ._halves import of_halves
from ._host import MOST_RADIUS
from ._library import MINIMUM, PLUS, Image


MOST_REPEATS = (1 << 32) - 1  # of the libraries


def _call(function, space, array, target, is_wide=False, radius=0, radii=None, times=1) -> None:
    shape = tuple(array.shape)
    if not has_none(shape):
        device, stream = space.where(array)
        call = Image(shape[-2], shape[-1], 1, shape[-1], shape[0] if len(shape) == 3 else 1, space.pointer(array), space.pointer(target),
                     0 if radii is None else space.pointer(radii), radius, times, space.code(array), is_wide, device, 0, stream)
        run(function, call)


def _require_image(array) -> None:
    if len(array.shape) not in (2, 3):
        raise ValueError(f"an image must have two dimensions, and a stack of images three, not {len(array.shape)}")


@of_halves("x")
def summed_area_table(x, *, dtype=None, out=None):
    """The sums of all elements above and to the left: out[..., y, x] is the sum of x[..., :y + 1, :x + 1].

    x: array of shape (height, width) or (images, height, width); integers of 8 to 64 bits, floats of 16 to 64, bools.
    dtype: type of the sums; by default 64-bit integers for integers and bools. Integers wrap.
    out: array for the result, of its shape and dtype.

    Returns an array of x's shape, or `out`. Raises ValueError for other shapes, TypeError for other types.

    >>> upsweep.summed_area_table(numpy.ones((2, 3), numpy.int64))
    array([[1, 2, 3],
           [2, 4, 6]])
    """
    space = space_of(x)
    array = space.take(x)
    _require_image(array)
    array, code, _, is_wide, is_bool = prepare(space, array, PLUS, dtype, out)
    if is_bool:
        raise TypeError("the sums of a table cannot be bools; give another dtype")
    array = space.copy(array)
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.summed_area, space, array, target, is_wide)
    return given(space, target, code, out)


@of_halves("x")
def box_filter(x, radius, *, repeat=1, dtype=None, out=None):
    """The means of the image's elements up to `radius` away in both directions. The time grows little with the radius.

    x: array of shape (height, width) or (images, height, width); integers of 8 to 64 bits, floats of 16 to 64; bools with a dtype.
    radius: an integer, 0 or more, or an array of integers of x's shape: a radius for each pixel; negative ones mean 0.
    repeat: number of applications of the filter, 1 or more; three approximate a Gaussian blur.
    dtype: type to which the elements are converted first; means of integers are rounded to the nearest integer, halves up.
    out: array for the result, of its shape and dtype.

    Returns an array of x's shape, or `out`. Raises ValueError for other shapes and for negative numbers, TypeError for other types.

    >>> upsweep.box_filter(numpy.array([[0.0, 0, 0], [0, 9, 0], [0, 0, 0]]), 1)
    array([[2.25, 1.5 , 2.25],
           [1.5 , 1.  , 1.5 ],
           [2.25, 1.5 , 2.25]])
    """
    space = space_of(x)
    array = space.take(x)
    _require_image(array)
    code = type_of_result(space, array, MINIMUM, dtype, out)
    if wants_bool(space, dtype, out) if dtype is not None or out is not None else space.is_bool(array):
        raise TypeError("the type of means of bools is not known; give dtype")
    array = space.copy(array) if space.code(array) == code and not space.is_bool(array) else space.convert(array, code)
    repeat, radii = whole_number(repeat, "repeat"), None
    if not 1 <= repeat <= MOST_REPEATS:
        raise ValueError(f"repeat is {repeat}, but must be 1 to {MOST_REPEATS}")
    if hasattr(radius, "__index__") and not getattr(radius, "shape", ()):
        radius = radius.__index__()
        if radius < 0:
            raise ValueError(f"the radius is {radius}, but must be 0 or more")
    else:
        radii, radius = space.take_radii(array, radius), 0
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.box_filter, space, array, target, radius=min(radius, MOST_RADIUS), radii=radii, times=repeat)
    return given(space, target, code, out)
