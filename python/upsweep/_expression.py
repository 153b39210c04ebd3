# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that are written as a text, such as "a * b % 7". Python's own parser reads the text, a small part of its grammar is
allowed, and the result becomes instructions of python/src/expression.h. The text is never run as Python.
"""

import ast
import ctypes
import functools
import struct

from ._library import CTYPES, FLOAT32, SIZES, TYPES

# In the order of Instruction in python/src/calls.h.
INSTRUCTIONS = {name: code for code, name in enumerate((
    "first second constant add subtract multiply floor_divide remainder divide minimum maximum equal not_equal less less_equal "
    "bit_and bit_or bit_xor shift_left shift_right negate absolute logical_not invert sqrt exp log log1p choose").split())}
BINARY = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.FloorDiv: "floor_divide", ast.Mod: "remainder",
          ast.Div: "divide", ast.BitAnd: "bit_and", ast.BitOr: "bit_or", ast.BitXor: "bit_xor", ast.LShift: "shift_left",
          ast.RShift: "shift_right"}
COMPARISONS = {ast.Eq: ("equal", False), ast.NotEq: ("not_equal", False), ast.Lt: ("less", False), ast.LtE: ("less_equal", False),
               ast.Gt: ("less", True), ast.GtE: ("less_equal", True)}  # and whether the operands are swapped
UNARY = {ast.USub: "negate", ast.Invert: "invert", ast.Not: "logical_not"}
FUNCTIONS = {"abs": "absolute", "sqrt": "sqrt", "exp": "exp", "log": "log", "log1p": "log1p"}
OF_INTEGERS = {"bit_and", "bit_or", "bit_xor", "shift_left", "shift_right", "invert"}
OF_FLOATS = {"divide", "sqrt", "exp", "log", "log1p"}
MOST_CHARACTERS, MOST_INSTRUCTIONS, MOST_VALUES = 500, 256, 16  # values: Program::kSlots

EXPRESSION = -1  # its code as an operator, less than all codes of _library.OPERATORS, so that integers have 64 bits as in sums
_pack = struct.Struct("=2Q2I").pack


class Expression(int):
    """An operator's code that carries a parsed text."""

    def __new__(cls, text, tree):
        made = super().__new__(cls, EXPRESSION)
        made.text, made._tree, made._compiled = text, tree, {}
        return made

    def compiled(self, code: int) -> bytes:
        """The struct Expression for elements of a type. It points into memory that lives as long as this object."""
        if code not in self._compiled:
            made = _compile(self.text, self._tree, code)
            made.check()
            instructions = (ctypes.c_uint32 * len(made.code))(*made.code)
            constants = (CTYPES[code] * max(1, len(made.constants)))(*made.constants)
            packed = _pack(ctypes.addressof(instructions), ctypes.addressof(constants), len(made.code), len(made.constants))
            self._compiled[code] = packed, instructions, constants
        return self._compiled[code][0]


@functools.lru_cache(256)
def parse(text: str) -> Expression:
    """Parses a text; raises a ValueError that names the fault."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"the expression has {len(text)} characters; the limit is {MOST_CHARACTERS}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"{text!r} is not an expression: {error.args[0] if error.args else error}") from None
    _compile(text, tree, None)
    return Expression(text, tree)


def _compile(text: str, tree, code):
    made = _Compiler(text, code)
    try:
        made.put(tree, None)
    except RecursionError:
        raise ValueError(f"the expression {text!r} is nested too deeply") from None
    return made


class _Compiler:
    """Generates instructions for elements of a type. With the type None it only checks the grammar."""

    def __init__(self, text: str, type_code):
        self.text, self.type = text, type_code
        self.is_float = type_code is not None and type_code >= FLOAT32
        self.code, self.constants = [], []

    def fail(self, why: str, kind=ValueError):
        raise kind(f"in the expression {self.text!r}: {why}")

    def emit(self, name: str, operand: int = 0) -> None:
        if self.type is not None:
            if name in OF_INTEGERS and self.is_float or name in OF_FLOATS and not self.is_float:
                also = "; // divides integers" if name == "divide" else ""
                self.fail(f"{name} does not support {TYPES[self.type]}{also}", TypeError)
        self.code.append(INSTRUCTIONS[name] | operand << 8)
        if len(self.code) > MOST_INSTRUCTIONS:
            self.fail(f"it has more than {MOST_INSTRUCTIONS} instructions")

    def constant(self, value) -> None:
        """Emits a constant of the elements' type."""
        if self.type is None:
            return
        if self.is_float:
            try:
                value = float(value)
            except OverflowError:
                self.fail(f"{value} is not a value of {TYPES[self.type]}")
        elif isinstance(value, float):
            self.fail(f"{value} is not a value of {TYPES[self.type]}", TypeError)
        else:
            bits = 8 * SIZES[self.type]
            least = -(1 << bits - 1) if self.type % 2 == 0 else 0
            if not least <= value < least + (1 << bits):
                self.fail(f"{value} is not a value of {TYPES[self.type]}")
        written = [repr(each) for each in self.constants]  # 0.0 and -0.0 have different texts
        if repr(value) not in written:
            self.constants.append(value)
            written.append(repr(value))
        if len(self.constants) > MOST_VALUES:
            self.fail(f"it has more than {MOST_VALUES} constants")
        self.emit("constant", written.index(repr(value)))

    def put(self, node, guard) -> None:
        """Emits instructions for a part of the tree. If the elements decide whether the part's value is used, `guard` emits
        that condition; unused divisors are replaced by 1."""
        kind = type(node)
        if kind is ast.Name and node.id in ("a", "b"):
            self.emit("first" if node.id == "a" else "second")
        elif kind is ast.Name:
            self.fail(f"unknown name {node.id!r}; operands are a, the total so far, and b, the next element")
        elif kind is ast.Constant:
            self.put_constant(node)
        elif kind is ast.UnaryOp and type(node.op) in UNARY:
            self.put_unary(node, guard)
        elif kind is ast.BinOp and type(node.op) in BINARY:
            self.put_binary(node, guard)
        elif kind is ast.Compare and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            name, swapped = COMPARISONS[type(node.ops[0])]
            for each in [node.comparators[0], node.left] if swapped else [node.left, node.comparators[0]]:
                self.put(each, guard)
            self.emit(name)
        elif kind is ast.IfExp:
            self.put_choice(lambda: self.put(node.test, guard), node.body, node.orelse, guard)
        elif kind is ast.BoolOp:
            self.put_bool(node, guard)
        elif kind is ast.Call:
            self.put_call(node, guard)
        else:
            self.fail(f"{ast.unparse(node)!r} is not allowed; allowed are + - * / // % & | ^ ~ << >>, comparisons of two, and, or, not, if else, "
                      f"numbers, a, b, min, max, {', '.join(FUNCTIONS)}")

    def put_constant(self, node) -> None:
        if type(node.value) not in (int, float):
            self.fail(f"{node.value!r} is not a number")
        self.constant(node.value)

    def put_unary(self, node, guard) -> None:
        operand = node.operand
        if type(node.op) is ast.USub and type(operand) is ast.Constant and type(operand.value) in (int, float):
            self.constant(-operand.value)
            return
        self.put(operand, guard)
        self.emit(UNARY[type(node.op)])

    def put_binary(self, node, guard) -> None:
        self.put(node.left, guard)
        is_guarded = guard is not None and type(node.op) in (ast.FloorDiv, ast.Mod) and not self.is_float
        if is_guarded:
            guard()
        self.put(node.right, guard)
        if is_guarded:
            self.constant(1)
            self.emit("choose")
        self.emit(BINARY[type(node.op)])

    def put_choice(self, test, then, other, guard) -> None:
        """Emits `then if test else other`; test() emits the condition."""
        def both(first, second):  # emits the condition that both are true
            first()
            second()
            self.constant(0)
            self.emit("choose")

        def is_false():
            test()
            self.emit("logical_not")

        test()
        for part, condition in [(then, test), (other, is_false)]:
            self.put(part, condition if guard is None else lambda condition=condition: both(guard, condition))
        self.emit("choose")

    def put_bool(self, node, guard) -> None:
        """Emits Python's operators: `x and y` is y if x else x, and `x or y` is x if x else y."""
        first, rest = node.values[0], node.values[1:]
        for_rest = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        sides = (for_rest, first) if type(node.op) is ast.And else (first, for_rest)
        self.put_choice(lambda: self.put(first, guard), *sides, guard)

    def put_call(self, node, guard) -> None:
        name = node.func.id if type(node.func) is ast.Name else ast.unparse(node.func)
        if node.keywords or any(type(each) is ast.Starred for each in node.args):
            self.fail(f"{name} takes neither keywords nor *values")
        if name in ("min", "max") and len(node.args) >= 2:
            self.put(node.args[0], guard)
            for each in node.args[1:]:
                self.put(each, guard)
                self.emit("minimum" if name == "min" else "maximum")
        elif name in FUNCTIONS and len(node.args) == 1:
            self.put(node.args[0], guard)
            self.emit(FUNCTIONS[name])
        elif name in FUNCTIONS or name in ("min", "max"):
            self.fail(f"{name} takes {'one value' if name in FUNCTIONS else 'two values or more'}, but {len(node.args)} are given")
        else:
            self.fail(f"unknown function {name}; functions are min, max, {', '.join(FUNCTIONS)}")

    def check(self) -> None:
        """Checks that the slots suffice for all values that are computed but not yet used."""
        depth = 0
        for each in self.code:
            op = each & 255
            takes = 0 if op <= INSTRUCTIONS["constant"] else 2 if op < INSTRUCTIONS["negate"] else 1 if op < INSTRUCTIONS["choose"] else 3
            depth += 1 - takes
            if depth > MOST_VALUES:
                self.fail(f"it is nested too deeply: more than {MOST_VALUES} values are pending")
