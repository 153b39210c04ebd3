# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selections."""

from ._arguments import space_of
from ._halves import of_halves
from ._runs import compact


@of_halves("x")
def select(x, mask, *, out=None):
    """x[mask]: the elements, in C's order, where the mask is true.

    x: array of any shape; integers of 8 to 64 bits, floats of 16 to 64, bools.
    mask: bools of the same shape. Integers are refused, since in x[...] they would be indices: write `mask != 0`.
    out: an array in one dimension for the result, with as many elements.

    Returns an array in one dimension of x's dtype. Raises TypeError for a mask that is not of bools, and for other types; ValueError for a mask
    or an `out` of another shape.

    >>> x = numpy.array([5, 2, 8])
    >>> upsweep.select(x, x > 2)
    array([5, 8])
    """
    space = space_of(x)
    array, mask = space.take(x), space.take(mask, "the mask")
    if not space.is_bool(mask) and has_elements(mask):
        raise TypeError(f"the mask has dtype {mask.dtype}, but must have bools: write mask != 0, or x[...] for indices")
    if tuple(mask.shape) != tuple(array.shape):
        raise ValueError(f"the mask has shape {tuple(mask.shape)}, but the array has {tuple(array.shape)}")
    flags = space.bytes_from(space.reshape(mask, (-1,)))
    kept = compact(space, space.copy(space.reshape(array, (-1,))), space.library.select, space.pointer(flags), out)
    return kept if out is not None else space.give(kept)


def has_elements(array) -> bool:
    return 0 not in tuple(array.shape)
