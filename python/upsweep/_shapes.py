# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces an array of any number of axes to the three axes of upsweep/cpu/axis.h: batches, the scanned axis, and contiguous
neighbours."""


class AxisError(ValueError, IndexError):
    """The array has no such axis. For NumPy arrays NumPy's own class is raised."""


def axis_of(axis, dimensions: int, error=AxisError) -> int:
    """The axis counted from the front."""
    try:
        index = axis.__index__()
    except AttributeError:
        raise TypeError(f"an axis must be an integer, not {type(axis).__name__}") from None
    if not -dimensions <= index < dimensions:
        raise error(f"axis {index} is out of bounds for array of dimension {dimensions}")
    return index + dimensions if index < 0 else index


def axes_of(axes, dimensions: int, error=AxisError) -> list:
    """One or more different axes, counted from the front."""
    found = [axis_of(axis, dimensions, error) for axis in axes]
    if not found or len(set(found)) < len(found):
        raise ValueError(f"axes {tuple(axes)}: name one or more, each once")
    return found


def decompose(shape, from_strides, to_strides, axis: int):
    """(batches, length, inner, in_batch, in_along, out_batch, out_along), or None if these cannot describe the strides."""
    groups = []  # of the other axes, by descending stride: length, and stride in both arrays
    for k in sorted((k for k in range(len(shape)) if k != axis and shape[k] != 1), key=lambda k: -to_strides[k]):
        length, a, b = shape[k], from_strides[k], to_strides[k]
        if a <= 0 or b <= 0:
            return None
        if groups and groups[-1][1] == length * a and groups[-1][2] == length * b:
            groups[-1] = (groups[-1][0] * length, a, b)
        else:
            groups.append((length, a, b))
    inner = 1
    if groups and groups[-1][1:] == (1, 1):
        inner = groups.pop()[0]
    if len(groups) > 1:
        return None
    length, along_in, along_out = shape[axis], from_strides[axis], to_strides[axis]
    if length == 1:  # the stride is never used
        along_in = along_out = inner
    if along_in <= 0 or along_out <= 0:
        return None
    batches, batch_in, batch_out = groups[0] if groups else (1, length * along_in, length * along_out)
    return batches, length, inner, batch_in, along_in, batch_out, along_out
