# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear recurrences along an axis."""

from ._arguments import has_none, may_share_places, run, space_of
from ._library import Recurrence
from ._shapes import axis_of, decompose

STATES = ["float32", "float64", "complex64", "complex128"]
SIZES = [4, 8, 8, 16]
FIRST_COMPLEX = STATES.index("complex64")


def linear_recurrence(a, b, axis=-1, *, initial=None, reverse=False, return_last=False, out=None):
    """The states of a linear recurrence along an axis: x[t] = a[t] * x[t - 1] + b[t].

    a: factors, an array that broadcasts with b; float32, float64, complex64 or complex128. Real factors may go with complex b.
    b: array of the states' type and shape; float32, float64, complex64 or complex128.
    axis: an integer, the axis t.
    initial: the states before the first step, an array that broadcasts to b's shape without the axis; None: zeros.
    reverse: x[t] = a[t] * x[t + 1] + b[t]; then `initial` comes before the last step.
    return_last: returns the states and the last computed states, an array of b's shape without the axis.
    out: array for the states, of their shape and dtype.

    Returns an array of the shape to which a and b broadcast, or `out`; with return_last a tuple. All numbers of threads give the same
    bits. Raises AxisError for an invalid axis, ValueError for shapes that do not broadcast, TypeError for other dtypes.

    >>> upsweep.linear_recurrence(numpy.array([0.5, 0.5, 0.5]), numpy.array([4.0, 2.0, 1.0]))
    array([4., 4., 3.])
    >>> states, last = upsweep.linear_recurrence(numpy.array(2.0), numpy.ones((2, 3)), initial=[0, 1], return_last=True)
    >>> last
    array([ 7., 15.])
    """
    space = space_of(b)
    a, b = space.take_coefficients(a, b)
    state, is_real = types_of(a, b)
    shape = tuple(b.shape)
    if not shape:
        raise ValueError("the arrays have no dimension, so there is no axis")
    axis = axis_of(axis, len(shape), space.AxisError)
    columns = shape[:axis] + shape[axis + 1:]
    if initial is not None:
        initial = space.copy(space.take_initial(initial, b, columns))
    if out is not None:
        space.check_out(out, b)
    made = space.empty_states(b, shape) if out is None else out
    last = space.empty_states(b, columns) if return_last else None
    if not has_none(shape):
        recur(space, a, b, made, axis, state, is_real, reverse, initial, last)
    elif last is not None:
        space.assign(last, 0 if initial is None else initial)
    made = made if out is not None else space.give(made)
    return (made, space.give(last)) if return_last else made


def state_of(dtype) -> int:
    """The place in STATES of an array's dtype, or -1."""
    name = str(dtype).rpartition(".")[2]
    return STATES.index(name) if name in STATES else -1


def types_of(a, b):
    """The states' place in STATES, and whether factors are real while states are complex."""
    factor, state = state_of(a.dtype), state_of(b.dtype)
    is_real = factor == state - FIRST_COMPLEX and state >= FIRST_COMPLEX
    if factor < 0 or state < 0 or factor != state and not is_real:
        raise TypeError(f"a has dtype {a.dtype} and b has {b.dtype}; both must be one of {', '.join(STATES)}, or a real and b complex")
    return state, is_real


def recur(space, a, b, out, axis: int, state: int, is_real, reverse, initial, last) -> None:
    """Fills `out`, which has the shape of a and b, and `last`, which like `initial` has that shape without the axis, in C's order, or is
    None."""
    sizes = SIZES[state - FIRST_COMPLEX if is_real else state], SIZES[state]
    target, places = out, _places(space, a, b, out, axis, sizes)
    if places is None:
        a, b = space.copy(a), space.copy(b)
        places = _places(space, a, b, target, axis, sizes)
    if places is None:
        target = space.empty_states(b, tuple(b.shape))
        places = _places(space, a, b, target, axis, sizes)
    device, stream = space.where(b)
    run(space.library.linear_recurrence,
        Recurrence(*places, space.pointer(a), space.pointer(b), space.pointer(target), 0 if initial is None else space.pointer(initial),
                   0 if last is None else space.pointer(last), state, is_real, bool(reverse), device, stream))
    if target is not out:
        space.assign(out, target)


def _places(space, a, b, out, axis: int, sizes):
    """The places of the arrays, or None if some need copies: a and b must have the same strides, the other axes must be in C's order, in
    which `initial` and `last` are, and `out` is apart from each input, or in the same places."""
    shape = tuple(b.shape)
    # Strides of axes of one element mean nothing.
    of_a, strides, to = ([step if length > 1 else 0 for step, length in zip(space.strides(each), shape)] for each in (a, b, out))
    others = [k for k in range(len(shape)) if k != axis and shape[k] > 1]
    is_ordered = all(steps[j] > steps[k] for steps in (strides, to) for j, k in zip(others, others[1:]))
    if not is_ordered or of_a != strides or may_share_places(shape, strides):
        return None
    for array, size in zip((a, b), sizes):
        is_same = size == sizes[1] and strides == to and space.pointer(array) == space.pointer(out)
        if not is_same and _overlap(_extent(space, array, size), _extent(space, out, sizes[1])):
            return None
    return decompose(shape, strides, to, axis)


def _extent(space, array, size: int):
    begin = space.pointer(array)
    steps = [(length - 1) * step for length, step in zip(array.shape, space.strides(array))]
    return begin + size * sum(min(step, 0) for step in steps), begin + size * (1 + sum(max(step, 0) for step in steps))


def _overlap(a, b) -> bool:
    return a[0] < b[1] and b[0] < a[1]
