# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Summed-area tables of images, and filters."""

from ._arguments import given, has_none, prepare, result_place, run, space_of, type_of_result, whole_number
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
        raise ValueError(f"an image has two dimensions, and images three; there are {len(array.shape)}")


@of_halves("x")
def summed_area_table(x, *, dtype=None, out=None):
    """The sums of all elements above and to the left: out[..., y, x] is the sum of x[..., :y + 1, :x + 1].

    x: array of shape (height, width) or (images, height, width); integers of 8 to 64 bits, floats of 16 to 64, bools.
    dtype: type in which sums are taken; without it those of integers and bools are of 64 bits. Integers wrap.
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
        raise TypeError("the sums of a table are numbers, not bools")
    array = space.copy(array)
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.summed_area, space, array, target, is_wide)
    return given(space, target, code, out)


@of_halves("x")
def box_filter(x, radius, *, repeat=1, dtype=None, out=None):
    """The means of the elements up to `radius` away in both directions, of those that the image has. The time grows little with the radius.

    x: array of shape (height, width) or (images, height, width); integers of 8 to 64 bits, floats of 16 to 64; bools with a dtype.
    radius: an integer, 0 or more, or an array of integers of x's shape: a radius for each pixel, of which negative ones stand for 0.
    repeat: how often the filter is applied, 1 or more; three times come close to a Gaussian blur.
    dtype: type to which the elements are converted first; means of integers are rounded to the nearest one, halves up.
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
    if space.is_bool_dtype(dtype if dtype is not None else (array if out is None else out).dtype):
        raise TypeError("the means of bools have no type of their own; give dtype")
    array = space.copy(array) if space.code(array) == code and not space.is_bool(array) else space.convert(array, code)
    repeat, radii = whole_number(repeat, "repeat"), None
    if not 1 <= repeat <= MOST_REPEATS:
        raise ValueError(f"repeat is {repeat}, and must be 1 to {MOST_REPEATS}")
    if hasattr(radius, "__index__") and not getattr(radius, "shape", ()):
        radius = radius.__index__()
        if radius < 0:
            raise ValueError(f"the radius is {radius}, and must be 0 or more")
    else:
        radii, radius = space.take_radii(array, radius), 0
    target = result_place(space, [array], array.shape, code, out)
    _call(space.library.box_filter, space, array, target, radius=min(radius, MOST_RADIUS), radii=radii, times=repeat)
    return given(space, target, code, out)
