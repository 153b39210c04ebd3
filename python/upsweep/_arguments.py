# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common code of the module's functions: kinds of arrays, types, operators, and calls of the libraries."""

from . import _expression, _host
from ._library import CODES, CTYPES, FLOAT32, MAXIMUM, MINIMUM, MULTIPLIES, OPERATORS, PLUS, SIZES, TYPES, fail
from ._library import cpu as _cpu

UINT8 = CODES["uint8"]
BIT_AND = OPERATORS["bit_and"]
MOST = (1 << 63) - 1  # of integers that the structs take
_OF_BOOLS = {PLUS: MAXIMUM, MULTIPLIES: MINIMUM}
_ndarray = _host.numpy.ndarray


def space_of(x):
    """The module or object with the functions for x's kind of array."""
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
        raise ValueError(f"unknown operator {op!r}; operators are {', '.join(OPERATORS)}, and expressions such as 'a * b % 7'")
    made = _expression.parse(op)
    if space.library is not _cpu:
        raise NotImplementedError(f"the operator {op!r} is an expression, which arrays on GPUs do not support; use "
                                  "plus, multiplies, minimum or maximum")
    return made


def type_of_result(space, array, op: int, dtype, out) -> int:
    """The code of the type that totals are computed in. As in NumPy, sums and products of integers have 64 bits by default."""
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
        raise TypeError(f"converting {TYPES[own]} to {TYPES[code]} would lose fractions; convert the array first")
    return code


def wants_bool(space, dtype, out) -> bool:
    return space.is_bool_dtype(dtype) if dtype is not None else out is not None and hasattr(out, "dtype") and space.is_bool_dtype(out.dtype)


def _check_operator(op: int, code: int) -> None:
    if op > MAXIMUM and code >= FLOAT32:
        raise TypeError(f"operators on bits do not support {TYPES[code]}")


def initial_of(value, code: int, op: int, is_bool: bool):
    """The value as a ctypes object, or None."""
    if is_bool:  # uint8's identities are not those of bool
        return CTYPES[code](op in (MINIMUM, BIT_AND) if value is None else bool(value))
    if value is None:
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError(f"initial must be a number, not {value!r}")
    try:
        if code >= FLOAT32:
            return CTYPES[code](float(value))
        whole = value.__index__() if hasattr(value, "__index__") else int(value)
    except OverflowError:
        raise ValueError(f"initial: {value} does not fit {TYPES[code]}") from None
    bits = 8 * SIZES[code]
    least = -(1 << bits - 1) if code % 2 == 0 else 0
    if whole != value or not least <= whole < least + (1 << bits):
        raise ValueError(f"initial: {value} is not a value of {TYPES[code]}")
    return CTYPES[code](whole)


def prepare(space, array, op: int, dtype, out):
    """The array in the type that the library reads; the type's code; the operator; whether sums are wider than the elements; whether results
    are bools."""
    if wants_bool(space, dtype, out):
        if op < 0:
            raise TypeError("expressions do not support bool; give another dtype")
        # Bytes of 0 and 1. As in NumPy, sums are "or" and products are "and".
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


def may_share_places(shape, strides) -> bool:
    """Whether two elements may have the same address: some stride is not larger than the extent of the axes with smaller strides."""
    reach = 0
    for step, length in sorted((abs(step), length) for step, length in zip(strides, shape) if length > 1):
        if step <= reach:
            return True
        reach += step * (length - 1)
    return False


def own_strides(space, array):
    """The array and its strides, or a copy without gaps and the copy's strides if elements may share an address."""
    strides = space.strides(array)
    if may_share_places(array.shape, strides):
        array = space.copy(array)
        strides = space.strides(array)
    return array, strides


def has_none(shape) -> bool:
    return 0 in shape


def require_one_dimension(array, what: str):
    if len(array.shape) != 1:
        raise ValueError(f"{what} has {len(array.shape)} dimensions, but must have one")


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
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
    if not -MOST <= number <= MOST:
        raise ValueError(f"{what} does not fit 64 bits")
    return number


def result_place(space, arrays, shape, code: int, out, boolean=False):
    """`out` if it is contiguous and overlaps none of the arrays, otherwise a new array."""
    if out is None:
        return space.empty(arrays[0], shape, code, boolean)
    space.take_out(out, shape, code, boolean)
    if space.is_dense(out) and not any(space.overlaps(each, out) or space.pointer(each) == space.pointer(out) for each in arrays):
        return out
    return space.empty(arrays[0], shape, code, boolean)


def given(space, made, code: int, out):
    """The array to return to the caller. Copies the result to `out` if it is not already there."""
    if out is None:
        return space.give(made)
    if made is not out:
        space.assign(space.take_out(out, made.shape, code, space.is_bool(made)), made)
    return out
