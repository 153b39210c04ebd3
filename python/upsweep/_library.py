# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two libraries behind the module. ctypes loads the library for CPU threads on import, and the library for CUDA with the
first array of a GPU.

ctypes releases the GIL while a function runs. python/src/calls.h declares the structs.
"""

import ctypes
import pathlib
import struct

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
CODES = {name: code for code, name in enumerate(TYPES)}
FLOAT32 = CODES["float32"]  # this type and later types are floating-point
SIZES = [1, 1, 2, 2, 4, 4, 8, 8, 4, 8]
CTYPES = [ctypes.c_int8, ctypes.c_uint8, ctypes.c_int16, ctypes.c_uint16, ctypes.c_int32, ctypes.c_uint32, ctypes.c_int64,
          ctypes.c_uint64, ctypes.c_float, ctypes.c_double]

# The library's names of operators, and those of NumPy's functions. minimum and maximum of a number and a NaN are the number.
OPERATORS = {name: code for code, names in enumerate([
    ("plus", "add", "sum", "+"), ("multiplies", "multiply", "prod", "*"), ("minimum", "min", "fmin"), ("maximum", "max", "fmax"),
    ("bit_and", "bitwise_and", "&"), ("bit_or", "bitwise_or", "|"), ("bit_xor", "bitwise_xor", "^")]) for name in names}
PLUS, MULTIPLIES, MINIMUM, MAXIMUM = range(4)

class Half(TypeError):
    """An array or a dtype is float16, which the libraries lack. _halves.py catches this and calls them with float32."""


ERRORS = {"value": ValueError, "type": TypeError, "zero": ZeroDivisionError, "memory": MemoryError, "run": RuntimeError}


# The structs of calls.h as bytes. Packing them takes a fifth of the time of a ctypes.Structure.
Scan = struct.Struct("=11Q6iQ").pack
Array = struct.Struct("=6Q4iQ").pack
Image = struct.Struct("=10Q4iQ").pack
Ranks = struct.Struct("=7Q4iQ").pack
Merge = struct.Struct("=8Q4iQ").pack
Histogram = struct.Struct("=6Q4iQ").pack
Extremes = struct.Struct("=6Q4iQ").pack
Recurrence = struct.Struct("=12Q4iQ").pack

# The functions of both libraries, and their numbers of parameters, all of which are structs.
FUNCTIONS = {"scan": 1, "reduce": 1, "select": 1, "unique": 1, "sort": 1, "ranks": 1, "merge": 1, "histogram": 1, "summed_area": 1,
             "box_filter": 1, "linear_recurrence": 1}
FUNCTIONS_OF_CPU = {"scan_by": 2, "reduce_by": 2, "scan_compensated": 1, "reduce_compensated": 1, "scan_logarithmic": 1, "scan_extremes": 1}


class Library:
    """The functions of one library by their names without the prefix."""

    def __init__(self, name: str, functions: dict):
        library = self.library = ctypes.CDLL(str(pathlib.Path(__file__).parent / name))
        self.types = library.upsweep_types()
        for function, structs in functions.items():
            found = library[f"upsweep_{function}"]
            found.argtypes, found.restype = [ctypes.c_char_p] * structs, ctypes.c_char_p
            setattr(self, function, found)


def fail(message: bytes):
    """Raises the exception that a library's error text describes."""
    kind, text = message.decode().split(": ", 1)
    raise ERRORS[kind](text)


cpu = Library("libupsweep-python-cpu.so", FUNCTIONS | FUNCTIONS_OF_CPU)
cpu.set_threads = cpu.library.upsweep_set_threads
cpu.set_threads.argtypes, cpu.set_threads.restype = [ctypes.c_uint32], ctypes.c_char_p
cpu.threads = cpu.library.upsweep_threads
cpu.threads.argtypes, cpu.threads.restype = [], ctypes.c_uint32
_cuda = []


def cuda() -> Library:
    """The library for CUDA. Raises ImportError if it is not installed, or if the machine has no CUDA."""
    if not _cuda:
        try:
            _cuda.append(Library("libupsweep-python-cuda.so", FUNCTIONS))
        except OSError as error:
            raise ImportError(f"arrays on GPUs need upsweep's CUDA library, which was not built or cannot be loaded: {error}") from None
    return _cuda[0]
