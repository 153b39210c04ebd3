# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions of the module have in common: kinds of arrays, types, operators, and calls of the libraries."""

from . import _expression, _host
from ._library import CODES, CTYPES, FLOAT32, MAXIMUM, MINIMUM, MULTIPLIES, OPERATORS, PLUS, SIZES, TYPES, fail
from ._library import cpu as _cpu

UINT8 = CODES["uint8"]
BIT_AND = OPERATORS["bit_and"]
MOST = (1 << 63) - 1  # of integers that the structs take
_OF_BOOLS = {PLUS: MAXIMUM, MULTIPLIES: MINIMUM}
_ndarray = _host.numpy.ndarray


def space_of(x):
    """The functions for the kind of array that x is."""
    if type(x) is _ndarray:
        return _host
    if hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__"):
        from . import _device

        return _device.space_of(x)
    return _host


def operator_of(op, space) -> int:
    """The code of an operator's name, of a NumPy function such as numpy.add, or of an expression of a and b (an Expression)."""
    found = OPERATORS.get(op if isinstance(op, str) else getattr(op, "__name__", None))
    if found is not None:
        return found
    if not isinstance(op, str) or op.isidentifier() and op not in ("a", "b"):
        raise ValueError(f"there is no operator {op!r}; there are {', '.join(OPERATORS)}, and expressions such as 'a * b % 7'")
    made = _expression.parse(op)
    if space.library is not _cpu:
        raise NotImplementedError(f"operators that are expressions, as {op!r}, are computed by the CPU part alone; arrays of GPUs have "
                                  "plus, multiplies, minimum and maximum")
    return made


def type_of_result(space, array, op: int, dtype, out) -> int:
    """The code of the type in which operands are taken: as NumPy's, where sums and products of integers have 64 bits."""
    own = space.code(array)
    if dtype is not None:
        code = space.dtype_code(dtype)
    elif out is not None and hasattr(out, "dtype"):
        code = space.dtype_code(out.dtype)
    elif op <= MULTIPLIES and own < FLOAT32:
        return CODES["int64"] if own % 2 == 0 or space.is_bool(array) else CODES["uint64"]
    else:
        return own
    if own >= FLOAT32 > code:
        raise TypeError(f"cannot take {TYPES[own]} as {TYPES[code]} without losing fractions; convert the array first")
    return code


def _wants_bool(space, dtype, out) -> bool:
    return space.is_bool_dtype(dtype) if dtype is not None else out is not None and hasattr(out, "dtype") and space.is_bool_dtype(out.dtype)


def _check_operator(op: int, code: int) -> None:
    if op > MAXIMUM and code >= FLOAT32:
        raise TypeError(f"there are no bits to combine in {TYPES[code]}")


def initial_of(value, code: int, op: int, is_bool: bool):
    """A place with the value, or None."""
    if is_bool:  # the identities of uint8 are none of bools
        return CTYPES[code](op in (MINIMUM, BIT_AND) if value is None else bool(value))
    if value is None:
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError(f"initial is {value!r}, and no number")
    try:
        if code >= FLOAT32:
            return CTYPES[code](float(value))
        whole = value.__index__() if hasattr(value, "__index__") else int(value)
    except OverflowError:
        raise ValueError(f"initial: there is no such {TYPES[code]}") from None
    bits = 8 * SIZES[code]
    least = -(1 << bits - 1) if code % 2 == 0 else 0
    if whole != value or not least <= whole < least + (1 << bits):
        raise ValueError(f"initial: {value} is no {TYPES[code]}")
    return CTYPES[code](whole)


def prepare(space, array, op: int, dtype, out):
    """The array in the type that the library reads; the type's code; the operator; whether sums are wider than the elements; whether results
    are bools."""
    if _wants_bool(space, dtype, out):
        if op < 0:
            raise TypeError("expressions have no bools; give another dtype")
        # Bytes of 0 and 1, of which sums are "or" and products "and", as NumPy's.
        return space.bytes_from(array), UINT8, _OF_BOOLS.get(op, op), False, True
    code = type_of_result(space, array, op, dtype, out)
    _check_operator(op, code)
    own = space.code(array)
    is_bool = op > MULTIPLIES and dtype is None and out is None and space.is_bool(array)
    is_wide = False
    if own != code:
        is_wide = op == PLUS and own % 2 == code % 2 and SIZES[code] == 8 and code < FLOAT32 and not space.is_bool(array)
        if not is_wide:
            array = space.convert(array, code)
    return array, code, op, is_wide, is_bool


def _may_share_places(shape, strides) -> bool:
    """Whether elements may lie at the same place: unless each axis steps over all that the nearer ones reach."""
    reach = 0
    for step, length in sorted((abs(step), length) for step, length in zip(strides, shape) if length > 1):
        if step <= reach:
            return True
        reach += step * (length - 1)
    return False


def own_strides(space, array):
    """The array, or a copy without gaps if its places cannot be used, and its strides."""
    strides = space.strides(array)
    if _may_share_places(array.shape, strides):
        array = space.copy(array)
        strides = space.strides(array)
    return array, strides


def has_none(shape) -> bool:
    return 0 in shape


def require_one_dimension(array, what: str):
    if len(array.shape) != 1:
        raise ValueError(f"{what} has {len(array.shape)} dimensions, and must have one")


def run(function, call) -> None:
    message = function(call)
    if message:
        fail(message)


def run_by(function, call, op: _expression.Expression, code: int) -> None:
    message = function(call, op.compiled(code))
    if message:
        fail(message)


def whole_number(value, what: str) -> int:
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{what} is an integer, not {type(value).__name__}") from None
    if not -MOST <= number <= MOST:
        raise ValueError(f"{what} is beyond 64 bits")
    return number


def result_place(space, arrays, shape, code: int, out, boolean=False):
    """`out`, if a library that reads these arrays can write there, or else a new array."""
    if out is None:
        return space.empty(arrays[0], shape, code, boolean)
    space.take_out(out, shape, code, boolean)
    if space.is_dense(out) and not any(space.overlaps(each, out) or space.pointer(each) == space.pointer(out) for each in arrays):
        return out
    return space.empty(arrays[0], shape, code, boolean)


def given(space, made, code: int, out):
    """What the caller gets of a result that may lie in `out` already."""
    if out is None:
        return space.give(made)
    if made is not out:
        space.assign(space.take_out(out, made.shape, code, space.is_bool(made)), made)
    return out
